#include "pliant/potential/springs.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <functional>
#include <numbers>

#include "pliant/kernel/spring.hpp"
#include "pliant/potential/element_potential.hpp"
#include "pliant/potential/hinges.hpp"
#include "pliant/potential/packed_kernel.hpp"

namespace pliant {

namespace {

using Edge = std::array<int, 2>;

/// The edges of elements, each once, in order.
template <class Elements>
std::vector<Edge> edges_of(const Elements& elements) {
  std::vector<Edge> edges;
  for (const auto& element : elements)
    for (size_t i = 0; i < element.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        edges.push_back({std::min(element[i], element[j]), std::max(element[i], element[j])});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

/// Of each edge, the sum of what its elements count for.
template <class Elements>
std::vector<double> shares(const std::vector<Edge>& edges, const Elements& elements,
                           const std::function<double(size_t)>& size) {
  std::vector<double> sums(edges.size(), 0.0);
  for (size_t e = 0; e < elements.size(); ++e)
    for (size_t i = 0; i < elements[e].size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        const Edge edge{std::min(elements[e][i], elements[e][j]), std::max(elements[e][i], elements[e][j])};
        sums[std::lower_bound(edges.begin(), edges.end(), edge) - edges.begin()] += size(e);
      }
  return sums;
}

/// Edges and the volume that each stands for.
struct Bars {
  std::vector<Edge> edges;
  std::vector<double> volumes;
};

Bars bars_of(const TetMesh& rest, std::span<const double> of_element) {
  const auto at = [&](int i) -> const Vec3& { return rest.vertices[i]; };
  // Hexahedra fall into equally many tetrahedra each, in their order.
  const size_t share = rest.hexes.empty() ? 1 : rest.tets.size() / rest.hexes.size();
  const auto factor = [&](size_t e) { return of_element.empty() ? 1.0 : of_element[e / share]; };
  Bars bars{rest.thin() ? rest.edges : edges_of(rest.triangles), {}};
  const auto by_triangles = [&](bool painted) {
    return shares(bars.edges, rest.triangles, [&](size_t e) {
      const auto [a, b, c] = rest.triangles[e];
      return (painted ? factor(e) : 1) * rest.thickness * (at(b) - at(a)).cross(at(c) - at(a)).norm() / 2;
    });
  };
  if (rest.planar()) {
    bars.volumes = by_triangles(true);
  } else if (!rest.thin()) {
    bars.edges = edges_of(rest.tets);
    bars.volumes = shares(bars.edges, rest.tets, [&](size_t e) {
      const auto [a, b, c, d] = rest.tets[e];
      return factor(e) * signed_volume(at(a), at(b), at(c), at(d));
    });
  } else {
    // The elements of a thin body are its edges.
    const double section = std::numbers::pi * rest.thickness * rest.thickness / 4;
    if (!rest.triangles.empty()) bars.volumes = by_triangles(false);
    for (size_t e = 0; e < bars.edges.size(); ++e) {
      const auto [a, b] = bars.edges[e];
      if (rest.triangles.empty()) bars.volumes.push_back(section * (at(a) - at(b)).norm());
      bars.volumes[e] *= factor(e);
    }
  }
  return bars;
}

/// Vertices on both sides of a hinge of a sheet, or of a vertex of a strand.
std::vector<std::pair<int, int>> bending_pairs(const TetMesh& rest) {
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [from, to, left, right] : find_hinges(rest)) pairs.emplace_back(left, right);
  if (!rest.triangles.empty()) return pairs;
  std::vector<std::vector<int>> next(rest.vertices.size());
  for (const auto& [a, b] : rest.edges) {
    next[a].push_back(b);
    next[b].push_back(a);
  }
  for (const std::vector<int>& ends : next)
    if (ends.size() == 2) pairs.emplace_back(ends[0], ends[1]);
  return pairs;
}

}  // namespace

std::vector<SpringAt> springs_of(const Potential& potential) {
  const auto* stencils = dynamic_cast<const Stencils*>(&potential);
  if (stencils == nullptr || stencils->kind().name != Spring::kName) return {};
  std::vector<SpringAt> springs(static_cast<size_t>(stencils->stencils()));
  for (size_t s = 0; s < springs.size(); ++s) {
    int ends[Spring::kCorners];
    double rest[Spring::kRest];
    stencils->copy_stencil(static_cast<Index>(s), ends, rest);
    springs[s] = {ends[0], ends[1], rest[0], rest[1]};
  }
  return springs;
}

std::unique_ptr<Potential> make_springs(const TetMesh& rest, int first_vertex, double young,
                                        std::span<const double> of_element) {
  const Bars bars = bars_of(rest, of_element);
  ElementList springs;
  for (size_t e = 0; e < bars.edges.size(); ++e) {
    const auto [a, b] = bars.edges[e];
    const double length = (rest.vertices[a] - rest.vertices[b]).norm();
    springs.add(Edge{first_vertex + a, first_vertex + b},
                std::array{young * bars.volumes[e] / (length * length), length},
                (rest.vertices[a] + rest.vertices[b]) / 2);
  }
  return std::make_unique<ElementPotential>(element_functions<Spring>(), springs);
}

std::unique_ptr<Potential> make_bending_springs(const TetMesh& rest, int first_vertex, double stiffness) {
  ElementList springs;
  for (const auto& [left, right] : bending_pairs(rest)) {
    const Vec3 &a = rest.vertices[left], &b = rest.vertices[right];
    springs.add(Edge{first_vertex + left, first_vertex + right}, std::array{stiffness, (a - b).norm()},
                (a + b) / 2);
  }
  if (springs.centers.empty()) return nullptr;
  return std::make_unique<ElementPotential>(element_functions<Spring>(), springs);
}

}  // namespace pliant
