#include "pliant/mesh/merge.hpp"

#include <algorithm>
#include <numeric>

#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

namespace {

/// Orders vertices by position, then by the values of the fields: -1, 0 or 1.
int compare_vertices(const MeshContents& mesh, int a, int b) {
  const auto order = [](double u, double v) { return u < v ? -1 : u > v ? 1 : 0; };
  for (int axis = 0; axis < 3; ++axis)
    if (const int sign = order(mesh.vertices[a][axis], mesh.vertices[b][axis]); sign != 0) return sign;
  for (const PointData& field : mesh.fields) {
    for (int k = 0; k < field.components; ++k) {
      const Index i = Index{a} * field.components + k, j = Index{b} * field.components + k;
      if (const int sign = order(field.values[i], field.values[j]); sign != 0) return sign;
    }
  }
  return 0;
}

template <size_t N>
std::vector<std::array<int, N>> renamed(std::vector<std::array<int, N>> elements,
                                        const std::vector<int>& new_name) {
  for (auto& element : elements)
    for (int& corner : element) corner = new_name[corner];
  return elements;
}

}  // namespace

MeshContents merge_equal_vertices(const MeshContents& mesh) {
  const int count = static_cast<int>(mesh.vertices.size());
  std::vector<int> sorted(mesh.vertices.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(), [&](int a, int b) {
    const int sign = compare_vertices(mesh, a, b);
    return sign != 0 ? sign < 0 : a < b;
  });
  // Equal ones lie side by side, the first of the file in front.
  std::vector<int> first(mesh.vertices.size());
  for (int i = 0; i < count; ++i) {
    const bool same = i > 0 && compare_vertices(mesh, sorted[i - 1], sorted[i]) == 0;
    first[sorted[i]] = same ? first[sorted[i - 1]] : sorted[i];
  }
  MeshContents merged;
  for (const PointData& field : mesh.fields) merged.fields.push_back({field.name, field.components, {}});
  std::vector<int> new_name(mesh.vertices.size());
  for (int v = 0; v < count; ++v) {
    if (first[v] != v) {
      new_name[v] = new_name[first[v]];
      continue;
    }
    new_name[v] = static_cast<int>(merged.vertices.size());
    merged.vertices.push_back(mesh.vertices[v]);
    for (size_t f = 0; f < mesh.fields.size(); ++f) {
      const Index components = mesh.fields[f].components;
      const auto begin = mesh.fields[f].values.begin() + v * components;
      merged.fields[f].values.insert(merged.fields[f].values.end(), begin, begin + components);
    }
  }
  merged.triangles = renamed(mesh.triangles, new_name);
  merged.edges = renamed(mesh.edges, new_name);
  merged.tets = renamed(mesh.tets, new_name);
  return merged;
}

MeshContents tidied_triangles(MeshContents mesh) {
  std::erase_if(mesh.triangles,
                [](const std::array<int, 3>& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
  TetMesh used{std::move(mesh.vertices), {}, std::move(mesh.triangles)};
  const std::vector<int> number = drop_unused_vertices(used);
  std::vector<int> kept;
  for (int i = 0; i < std::ssize(number); ++i)
    if (number[i] >= 0) kept.push_back(i);
  return {std::move(used.vertices), {}, std::move(used.triangles), fields_at(kept, mesh.fields)};
}

}  // namespace pliant
