#include "pliant/view/shown_surface.hpp"

#include <algorithm>

#include "pliant/base/json.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {

namespace {

/// Of one body: indices count its own shown vertices.
struct ShownBody {
  std::vector<int> vertex_of;
  std::vector<int> triangles, lines;
};

ShownBody lines_of(const TetMesh& rest) {
  ShownBody shown;
  std::vector<int> number(rest.vertices.size(), -1);
  for (const auto& edge : rest.edges)
    for (const int vertex : edge) number[static_cast<size_t>(vertex)] = 0;
  for (size_t v = 0; v < number.size(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<int>(shown.vertex_of.size());
    shown.vertex_of.push_back(static_cast<int>(v));
  }
  for (const auto& edge : rest.edges)
    for (const int vertex : edge) shown.lines.push_back(number[static_cast<size_t>(vertex)]);
  return shown;
}

ShownBody shown_of(const TetMesh& rest) {
  if (rest.tets.empty() && rest.triangles.empty()) return lines_of(rest);
  Surface surface = extract_surface(rest);
  ShownBody shown{std::move(surface.vertex_of), {}, {}};
  shown.triangles.reserve(3 * surface.mesh.triangles.size());
  for (const auto& triangle : surface.mesh.triangles)
    shown.triangles.insert(shown.triangles.end(), triangle.begin(), triangle.end());
  return shown;
}

}  // namespace

std::vector<std::int32_t> ShownSurface::shown_numbers(int vertices) const {
  std::vector<std::int32_t> number(static_cast<size_t>(vertices), -1);
  for (size_t i = 0; i < vertex_of.size(); ++i) number[vertex_of[i]] = static_cast<std::int32_t>(i);
  return number;
}

std::vector<float> ShownSurface::taken(std::span<const float> frame) const {
  std::vector<float> positions(3 * vertex_of.size());
  for (size_t i = 0; i < vertex_of.size(); ++i)
    std::copy_n(frame.begin() + 3 * std::ptrdiff_t{vertex_of[i]}, 3,
                positions.begin() + 3 * static_cast<std::ptrdiff_t>(i));
  return positions;
}

std::string ShownSurface::parts_json() const {
  Json list = Json::array();
  for (const Part& part : parts)
    list.push_back({{"first_vertex", part.first_vertex},
                    {"vertices", part.vertices},
                    {"first_triangle", part.first_triangle},
                    {"triangles", part.triangles},
                    {"first_line", part.first_line},
                    {"lines", part.lines}});
  return list.dump();
}

ShownSurface find_shown_surface(std::span<const RunBody> bodies) {
  std::vector<ShownBody> shown(bodies.size());
  parallel_tasks(std::ssize(bodies), [&](Index i) { shown[i] = shown_of(bodies[i].rest); });
  ShownSurface all;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const size_t first = all.vertex_of.size();
    all.parts.push_back({first, shown[i].vertex_of.size(), all.triangles.size() / 3,
                         shown[i].triangles.size() / 3, all.lines.size() / 2, shown[i].lines.size() / 2});
    for (const int v : shown[i].vertex_of)
      all.vertex_of.push_back(static_cast<std::uint32_t>(bodies[i].first_vertex + v));
    for (const int v : shown[i].triangles) all.triangles.push_back(static_cast<std::uint32_t>(first) + v);
    for (const int v : shown[i].lines) all.lines.push_back(static_cast<std::uint32_t>(first) + v);
  }
  return all;
}

}  // namespace pliant
