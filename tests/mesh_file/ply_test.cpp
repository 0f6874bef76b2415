#include "pliant/mesh_file/ply.hpp"

#include <algorithm>

#include "mesh/surface_checks.hpp"
#include "pliant/base/files.hpp"
#include "pliant/mesh_file/append_bytes.hpp"

namespace pliant::ply_test {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

MeshContents read(const std::string& bytes) { return parse_ply(bytes, "a.ply"); }
std::string complaint(const std::string& bytes) {
  return complaints_of([&] { read(bytes); });
}

const char* const kMeshLab = R"(ply
format ascii 1.0
comment VCGLIB generated
element vertex 4
property float x
property float y
property float z
property float nx
property float ny
property float nz
property uchar red
property uchar green
property uchar blue
property uchar alpha
property float quality
element face 1
property list uchar int vertex_indices
property list uchar float texcoord
end_header
0 0 0 0 0 1 255 0 51 255 0.5
1 0 0 0 0 nan 0 0 0 255 1
1 1 0 0 0 1 0 0 0 255 1.5
0 1 0 0 0 1 0 0 0 255 -2
4 0 1 2 3 6 0 0 1 0 1 1
)";

TEST(ReadPly, TakesAFileOfMeshLabWithItsColoursAndQualities) {
  const MeshContents mesh = read(kMeshLab);
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  ASSERT_EQ(mesh.fields.size(), 3U);
  EXPECT_EQ(mesh.fields[0].name, "colour");
  EXPECT_EQ(mesh.fields[0].values[0], 1.0);
  EXPECT_EQ(mesh.fields[0].values[2], 0.2);
  EXPECT_EQ(mesh.fields[1].name, "alpha");
  EXPECT_EQ(mesh.fields[2], (PointData{"quality", 1, {0.5, 1, 1.5, -2}}));
}

std::string odd_header(std::endian order) {
  return std::string("ply\nformat ") +
         (order == std::endian::big ? "binary_big_endian" : "binary_little_endian") +
         " 1.0\nobj_info made by hand\nelement face 1\nproperty uint8 group\n"
         "property list uint16 uint32 vertex_index\nelement edge 1\nproperty list short float32 weights\n"
         "property char kind\nelement vertex 3\nproperty short pin\nproperty double x\nproperty float y\n"
         "property int8 z\nproperty ushort red\nend_header\n";
}

/// A file whose face table comes first and has more columns, with a table in between that nobody knows.
std::string odd_file(std::endian order) {
  std::string bytes = odd_header(order);
  const auto put = [&](auto value) {
    std::string number;
    append_bytes(number, value);
    if (order == std::endian::big) std::reverse(number.begin(), number.end());
    bytes += number;
  };
  put(std::uint8_t{7}), put(std::uint16_t{3}), put(std::uint32_t{2}), put(std::uint32_t{1}),
      put(std::uint32_t{0});
  put(std::int16_t{2}), put(1.5f), put(2.5f), put(std::int8_t{-1});
  for (int v = 0; v < 3; ++v)
    put(std::int16_t(v)), put(double(v == 1)), put(float(v == 2)), put(std::int8_t(-v)),
        put(std::uint16_t(65535));
  return bytes;
}

TEST(ReadPly, TakesEveryTypeInBothByteOrders) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const MeshContents mesh = read(odd_file(order));
    EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, -1}, {0, 1, -2}}));
    EXPECT_EQ(mesh.triangles, (Triangles{{2, 1, 0}}));
    ASSERT_EQ(mesh.fields.size(), 2U);
    EXPECT_EQ(mesh.fields[0], (PointData{"pin", 1, {0, 1, 2}}));
    EXPECT_EQ(mesh.fields[1], (PointData{"red", 1, {65535, 65535, 65535}}));
  }
}

TEST(ReadPly, TakesWindowsLineEndsBeforeBinaryNumbers) {
  std::string header = odd_file(std::endian::little);
  const size_t end = header.find("end_header\n") + 11;
  const std::string body = header.substr(end);
  std::string windows;
  for (const char c : header.substr(0, end)) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(read(windows + body), read(odd_file(std::endian::little)));
}

TEST(ReadPly, GivesBackWhatWasWritten) {
  const MeshContents mesh = awkward_surface(), back = read(ply_bytes(mesh));
  EXPECT_EQ(back, mesh);
  EXPECT_EQ(bits_of(back), bits_of(mesh));
}

TEST(ReadPly, TakesTheFilesMadeForPictures) {
  const ScratchFolder folder;
  write_ply(folder / "a.ply", TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 0.5, 0}}, {{0, 1, 2}}});
  const MeshContents mesh = read(read_file(folder / "a.ply"));
  EXPECT_EQ(mesh.vertices[2], Vec3(0, 0.5, 0));
  EXPECT_TRUE(mesh.fields.empty()) << "normals are no field";
}

TEST(WritePly, RefusesFieldsThatItCouldNotGiveBack) {
  MeshContents mesh = awkward_surface();
  for (const char* name : {"x", "nx", "two words", ""}) {
    mesh.fields = {{name, 1, std::vector<double>(mesh.vertices.size())}};
    EXPECT_NE(complaints_of([&] { ply_bytes(mesh); }), "") << name;
  }
  mesh.fields = {{"mass", 1, {1, 2}}};
  EXPECT_NE(complaints_of([&] { ply_bytes(mesh); }), "");
}

TEST(ReadPly, NamesTheLineOfAMistake) {
  EXPECT_TRUE(says(complaint(with(kMeshLab, "1.5\n", "\n")), {"a.ply:22", "quality"}));
  EXPECT_TRUE(says(complaint(with(kMeshLab, "1 1 0 0 0 1", "1 inf 0 0 0 1")),
                   {"a.ply:22", "y of vertex 2", "finite"}));
  EXPECT_TRUE(
      says(complaint(with(kMeshLab, "4 0 1 2 3", "4 0 1 2 4")), {"a.ply:24", "vertex 4 does not exist"}));
  EXPECT_TRUE(says(complaint(with(kMeshLab, "4 0 1 2 3", "2 0 1")), {"a.ply:24", "2 corners"}));
  EXPECT_TRUE(says(complaint(with(kMeshLab, "float quality", "real quality")), {"a.ply:15", "'real'"}));
  EXPECT_TRUE(says(complaint(with(kMeshLab, "ascii", "asci")), {"a.ply:2", "'asci'"}));
  EXPECT_TRUE(says(complaint(with(kMeshLab, "property float z\n", "")), {"x, y and z"}));
  EXPECT_TRUE(says(complaint(with(kMeshLab, "vertex_indices", "corners")), {"vertex_indices"}));
  EXPECT_TRUE(says(complaint(with(kMeshLab, "float quality", "float x")), {"two properties 'x'"}));
  EXPECT_TRUE(says(complaint(std::string(kMeshLab) + "1 2 3\n"), {"a.ply:25", "more follows"}));
  EXPECT_TRUE(says(complaint(with(kMeshLab, "element face", "element tristrips")), {"strips"}));
  EXPECT_TRUE(says(complaint(""), {"a.ply", "empty"}));
  EXPECT_TRUE(says(complaint("solid\n"), {"a.ply:1", "not a PLY file"}));
}

TEST(ReadPly, NamesTheByteWhereABinaryFileEnds) {
  const std::string bytes = odd_file(std::endian::little);
  for (size_t length = bytes.find("end_header"); length < bytes.size(); ++length)
    EXPECT_TRUE(says(complaint(bytes.substr(0, length)), {"a.ply"})) << length;
  EXPECT_TRUE(says(complaint(bytes.substr(0, bytes.size() - 1)), {"a.ply: byte ", "cut off"}));
  EXPECT_TRUE(says(complaint(bytes + "x"), {"more follows"}));
}

TEST(ReadPly, RefusesHostileCountsAtOnce) {
  for (const char* count : {"1152921504606846976", "4000000000", "9223372036854775807"}) {
    EXPECT_TRUE(says(complaint(with(kMeshLab, "vertex 4", "vertex " + std::string(count))), {count}))
        << count;
    EXPECT_TRUE(says(complaint(with(odd_file(std::endian::little), "face 1", "face " + std::string(count))),
                     {count}));
    EXPECT_TRUE(says(complaint(with(kMeshLab, "4 0 1 2 3", std::string(count) + " 0 1 2 3")), {"a.ply:24"}));
  }
  EXPECT_TRUE(says(complaint(with(kMeshLab, "vertex 4", "vertex -4")), {"-4 rows"}));
  // Rows of nothing take no bytes, and no time.
  const std::string nothing =
      with(kMeshLab, "element face", "element void 9223372036854775807\nelement face");
  EXPECT_EQ(read(nothing).triangles.size(), 2U);
}

}  // namespace
}  // namespace pliant::ply_test
