#include "pliant/geometry/obj.hpp"

#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh) {
  std::string text;
  for (const Vec3& x : mesh.vertices) text += format("v {} {} {}\n", x.x(), x.y(), x.z());
  // Vertices count from 1.
  for (const auto& t : mesh.triangles) text += format("f {} {} {}\n", t[0] + 1L, t[1] + 1L, t[2] + 1L);
  write_file_atomically(path, text);
}

}  // namespace pliant
