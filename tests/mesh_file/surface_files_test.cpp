#include <cstring>

#include "mesh/mesh_checks.hpp"
#include "pliant/base/files.hpp"
#include "pliant/mesh_file/obj.hpp"
#include "pliant/mesh_file/ply.hpp"

namespace pliant::surface_files_test {
namespace {

const TriangleMesh kTriangle{{{0, 0, 0}, {1, 0, 0}, {0, 0.1, 0}}, {{0, 1, 2}}};

TEST(Obj, ListsVerticesThenFacesCountedFromOne) {
  const ScratchFolder folder;
  write_obj(folder / "a.obj", kTriangle);
  EXPECT_EQ(read_file(folder / "a.obj"), "v 0 0 0\nv 1 0 0\nv 0 0.1 0\nf 1 2 3\n");
}

TEST(Ply, HoldsPositionsNormalsAndFaces) {
  const ScratchFolder folder;
  write_ply(folder / "a.ply", kTriangle);
  const std::string bytes = read_file(folder / "a.ply");
  const std::string header =
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
      "float z\n"
      "property float nx\nproperty float ny\nproperty float nz\nelement face 1\n"
      "property list uchar int vertex_indices\nend_header\n";
  ASSERT_EQ(bytes.substr(0, header.size()), header);
  ASSERT_EQ(bytes.size(), header.size() + 3 * 6 * sizeof(float) + 1 + 3 * sizeof(int));
  std::vector<float> numbers(18);
  std::memcpy(numbers.data(), bytes.data() + header.size(), 18 * sizeof(float));
  EXPECT_EQ(numbers, (std::vector<float>{0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0.1f, 0, 0, 0, 1}));
  const size_t face = header.size() + 18 * sizeof(float);
  EXPECT_EQ(bytes[face], 3);
  std::array<int, 3> corners{};
  std::memcpy(corners.data(), bytes.data() + face + 1, sizeof corners);
  EXPECT_EQ(corners, (std::array<int, 3>{0, 1, 2}));
}

}  // namespace
}  // namespace pliant::surface_files_test
