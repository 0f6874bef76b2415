#include "pliant/geometry/ply.hpp"

#include <Eigen/Geometry>
#include <bit>

#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

static_assert(std::endian::native == std::endian::little, "PLY files are written as the bytes lie in memory");

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The cross product of two edges is twice the area times the normal: its sum weighs by area.
std::vector<Vec3> vertex_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals(mesh.vertices.size(), Vec3::Zero());
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[1]] - mesh.vertices[t[0]], b = mesh.vertices[t[2]] - mesh.vertices[t[0]];
    for (const int v : t) normals[v] += a.cross(b);
  }
  for (Vec3& normal : normals) normal.stableNormalize();
  return normals;
}

}  // namespace

void write_ply(const std::filesystem::path& path, const TriangleMesh& mesh) {
  std::string bytes = "ply\nformat binary_little_endian 1.0\n";
  bytes += format("element vertex {}\n", mesh.vertices.size());
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz"}) bytes += format("property float {}\n", name);
  bytes +=
      format("element face {}\nproperty list uchar int vertex_indices\nend_header\n", mesh.triangles.size());
  const std::vector<Vec3> normals = vertex_normals(mesh);
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    for (const double value : mesh.vertices[v]) append(bytes, static_cast<float>(value));
    for (const double value : normals[v]) append(bytes, static_cast<float>(value));
  }
  for (const auto& triangle : mesh.triangles) {
    append(bytes, static_cast<unsigned char>(3));
    append(bytes, triangle);
  }
  write_file_atomically(path, bytes);
}

}  // namespace pliant
