#include <Eigen/Geometry>
#include <algorithm>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/append_bytes.hpp"
#include "pliant/mesh_file/ply.hpp"

namespace pliant {

namespace {

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

std::string ply_beginning(size_t vertices) {
  return format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", vertices);
}

std::string ply_faces_header(size_t triangles) {
  return format("element face {}\nproperty list uchar int vertex_indices\nend_header\n", triangles);
}

void append_ply_faces(std::string& bytes, const std::vector<std::array<int, 3>>& triangles) {
  for (const auto& triangle : triangles) {
    append_bytes(bytes, static_cast<unsigned char>(3));
    for (const int corner : triangle) append_bytes(bytes, corner);
  }
}

/// The properties that hold a field.
std::vector<std::string> property_names(const PointData& field) {
  if (field.components == 1) return {field.name};
  if (field.name == "colour") return {"red", "green", "blue"};
  return {format("{}_x", field.name), format("{}_y", field.name), format("{}_z", field.name)};
}

/// Throws where reading the file back would give something else.
void check_ply_fields(const MeshContents& mesh) {
  std::vector<std::string> names = {"x", "y", "z", "nx", "ny", "nz"};
  for (const PointData& field : mesh.fields) {
    const bool fits = (field.components == 1 || field.components == 3) &&
                      field.values.size() == mesh.vertices.size() * static_cast<size_t>(field.components);
    if (!fits) {
      throw InputError(format("field '{}' has {} values of {} components for {} vertices", field.name,
                              field.values.size(), field.components, mesh.vertices.size()));
    }
    for (const std::string& name : property_names(field)) {
      const bool prints =
          !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
      if (!prints || std::find(names.begin(), names.end(), name) != names.end()) {
        throw InputError(
            format("a PLY file cannot hold the field '{}': its property '{}' would be taken for "
                   "another or has blanks; rename it",
                   field.name, name));
      }
      names.push_back(name);
    }
  }
}

}  // namespace

void write_ply(const std::filesystem::path& path, const TriangleMesh& mesh) {
  std::string bytes = ply_beginning(mesh.vertices.size());
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz"}) bytes += format("property float {}\n", name);
  bytes += ply_faces_header(mesh.triangles.size());
  const std::vector<Vec3> normals = vertex_normals(mesh);
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    for (const double value : mesh.vertices[v]) append_bytes(bytes, static_cast<float>(value));
    for (const double value : normals[v]) append_bytes(bytes, static_cast<float>(value));
  }
  append_ply_faces(bytes, mesh.triangles);
  write_file_atomically(path, bytes);
}

std::string ply_bytes(const MeshContents& mesh) {
  check_ply_fields(mesh);
  std::string bytes = ply_beginning(mesh.vertices.size());
  for (const char* name : {"x", "y", "z"}) bytes += format("property double {}\n", name);
  for (const PointData& field : mesh.fields)
    for (const std::string& name : property_names(field)) bytes += format("property double {}\n", name);
  bytes += ply_faces_header(mesh.triangles.size());
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    for (const double value : mesh.vertices[v]) append_bytes(bytes, value);
    for (const PointData& field : mesh.fields) {
      const size_t components = static_cast<size_t>(field.components);
      for (size_t k = 0; k < components; ++k) append_bytes(bytes, field.values[components * v + k]);
    }
  }
  append_ply_faces(bytes, mesh.triangles);
  return bytes;
}

void write_ply(const std::filesystem::path& path, const MeshContents& mesh) {
  write_file_atomically(path, ply_bytes(mesh));
}

}  // namespace pliant
