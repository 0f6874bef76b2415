#include <algorithm>

#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/obj.hpp"

namespace pliant {

namespace {

// Vertices count from 1.
std::string obj_face(const std::array<int, 3>& t) {
  return format("f {} {} {}\n", t[0] + 1L, t[1] + 1L, t[2] + 1L);
}

}  // namespace

void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh) {
  std::string text;
  for (const Vec3& x : mesh.vertices) text += format("v {} {} {}\n", x.x(), x.y(), x.z());
  for (const auto& triangle : mesh.triangles) text += obj_face(triangle);
  write_file_atomically(path, text);
}

std::string obj_text(const MeshContents& mesh) {
  const auto colour = std::find_if(mesh.fields.begin(), mesh.fields.end(), [](const PointData& field) {
    return field.name == "colour" && field.components == 3;
  });
  std::string text;
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3& x = mesh.vertices[v];
    text += format("v {} {} {}", x.x(), x.y(), x.z());
    if (colour != mesh.fields.end())
      for (size_t k = 0; k < 3; ++k) text += format(" {}", colour->values[3 * v + k]);
    text += '\n';
  }
  for (const auto& triangle : mesh.triangles) text += obj_face(triangle);
  return text;
}

void write_obj(const std::filesystem::path& path, const MeshContents& mesh) {
  write_file_atomically(path, obj_text(mesh));
}

}  // namespace pliant
