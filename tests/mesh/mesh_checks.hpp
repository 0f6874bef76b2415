#pragma once

#include <unistd.h>

#include <bit>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>

#include "pliant/base/error.hpp"
#include "pliant/mesh/mesh_contents.hpp"
#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

inline double volume(const TetMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.tets) {
    sum += signed_volume(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], mesh.vertices[t[3]]);
  }
  return sum;
}

/// The corner tetrahedron of the unit cube.
inline TetMesh one_tet() { return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}}; }

inline MeshContents one_tet_file() { return {one_tet().vertices, one_tet().tets, {}, {}}; }

/// A mesh whose coordinates are awkward to print: the smallest and largest doubles, many digits, both zeros.
inline TetMesh awkward_mesh() {
  TetMesh mesh = one_tet();
  mesh.vertices.push_back({5e-324, -1.7976931348623157e308, 2.2250738585072014e-308});
  mesh.vertices.push_back({-0.0, 0.1 + 0.2, 1.0 / 3});
  mesh.tets.push_back({4, 5, 0, 3});
  std::mt19937_64 random(1);
  for (int v = 0; v < 200; ++v) {
    Vec3& x = mesh.vertices.emplace_back();
    // Any bits, but with the highest one of the exponent cleared: infinities and NaNs have it set.
    for (double& value : x) value = std::bit_cast<double>(random() & ~(std::uint64_t{1} << 62));
  }
  return mesh;
}

/// The same mesh with all that a file can hold: triangles, and fields with values that are awkward to print.
inline MeshContents awkward_file() {
  const TetMesh mesh = awkward_mesh();
  MeshContents file{mesh.vertices, mesh.tets, {{0, 2, 1}, {205, 0, 7}}, {}};
  file.fields = {{"mass", 1, {}}, {"velocity & \"force\"", 3, {}}};
  for (const Vec3& x : mesh.vertices) {
    file.fields[0].values.push_back(x.y());
    for (const double value : x) file.fields[1].values.push_back(-value);
  }
  return file;
}

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

/// Also of signed zeros, which == cannot tell apart.
inline bool same_bits(const MeshContents& a, const MeshContents& b) {
  const auto flat = [](const MeshContents& mesh) {
    std::vector<double> values;
    for (const Vec3& x : mesh.vertices) values.insert(values.end(), x.begin(), x.end());
    for (const PointData& field : mesh.fields)
      values.insert(values.end(), field.values.begin(), field.values.end());
    return values;
  };
  return a == b && same_bits(flat(a), flat(b));
}

inline bool same_bits(const TetMesh& a, const TetMesh& b) {
  if (a.vertices.size() != b.vertices.size() || a.tets != b.tets) return false;
  for (size_t v = 0; v < a.vertices.size(); ++v) {
    for (int axis = 0; axis < 3; ++axis) {
      if (std::bit_cast<std::uint64_t>(a.vertices[v][axis]) !=
          std::bit_cast<std::uint64_t>(b.vertices[v][axis]))
        return false;
    }
  }
  return true;
}

/// The complaints of an InputError, as text; empty where none is thrown.
template <class Action>
std::string complaints_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline std::string with(std::string text, std::string_view old, std::string_view replacement) {
  const size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << "the text to replace is not there: " << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), replacement);
}

/// A folder that goes away with the test.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "pliant-geometry-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder for the test");
    path_ = pattern;
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace pliant
