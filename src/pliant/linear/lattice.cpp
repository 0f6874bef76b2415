#include "pliant/linear/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "pliant/base/curve.hpp"

namespace pliant {

namespace {

constexpr int kFewestVertices = 200;    // of a part worth a lattice
constexpr int kVerticesPerNode = 4;     // at least, on the average of a part
constexpr double kEdgesPerCell = 2.35;  // about three cells of a regular mesh
constexpr int kMostCells = 1 << 20;     // along an axis: place_on_curve knows no more

/// A node and its weight, before nodes have numbers.
struct Corner {
  Lattice::Node node;
  float weight;
};

bool before(const Lattice::Node& a, const Lattice::Node& b) {
  return a.part != b.part ? a.part < b.part : a.code < b.code;
}
bool same(const Lattice::Node& a, const Lattice::Node& b) { return a.part == b.part && a.code == b.code; }

/// Corners of the tetrahedron that holds a point of a cell, given by its fractions of the cell's edges: the
/// cell is cut into six that share a diagonal (Kuhn 1960).
void add_corners(const Lattice::Node& cell, const std::array<double, 3>& fraction,
                 std::vector<Corner>& corners) {
  int axes[3] = {0, 1, 2};
  std::stable_sort(axes, axes + 3, [&](int a, int b) { return fraction[a] > fraction[b]; });
  Lattice::Node node = cell;
  double left = 1;
  constexpr double kNegligible = 1e-6;
  for (int k = 0; k <= 3; ++k) {
    const double next = k < 3 ? fraction[axes[k]] : 0;
    if (left - next > kNegligible) {
      node.code = place_on_curve(node.place[0], node.place[1], node.place[2]);
      corners.push_back({node, static_cast<float>(left - next)});
    }
    if (k < 3) ++node.place[axes[k]];
    left = next;
  }
}

/// Numbers the nodes of all corners; those of row i end at ends[i].
Lattice number_nodes(const std::vector<Corner>& corners, std::span<const int> ends) {
  Lattice lattice;
  lattice.nodes.reserve(corners.size());
  for (const Corner& corner : corners) lattice.nodes.push_back(corner.node);
  std::sort(lattice.nodes.begin(), lattice.nodes.end(), before);
  lattice.nodes.erase(std::unique(lattice.nodes.begin(), lattice.nodes.end(), same), lattice.nodes.end());
  lattice.nodes.shrink_to_fit();
  lattice.weights.start.insert(lattice.weights.start.end(), ends.begin(), ends.end());
  lattice.weights.node.reserve(corners.size());
  lattice.weights.weight.reserve(corners.size());
  for (const Corner& corner : corners) {
    const auto found = std::lower_bound(lattice.nodes.begin(), lattice.nodes.end(), corner.node, before);
    lattice.weights.node.push_back(static_cast<int>(found - lattice.nodes.begin()));
    lattice.weights.weight.push_back(corner.weight);
  }
  return lattice;
}

/// Vertices that couple, directly or through others, with the size of their box and of their edges.
struct Part {
  int vertices = 0;
  Vec3 low = Vec3::Constant(INFINITY), high = Vec3::Constant(-INFINITY);
  double edge_lengths = 0;
  int edges = 0;
  double width = 0;          ///< of a lattice's cell
  Vec3 cell = Vec3::Ones();  ///< that width, changed so that cells fill the box
  std::array<int, 3> cells = {1, 1, 1};

  void divide() {
    const Vec3 size = high - low;
    for (int k = 0; k < 3; ++k) {
      cells[k] = static_cast<int>(std::clamp(std::round(size[k] / width), 1.0, double{kMostCells}));
      cell[k] = size[k] > 0 ? size[k] / cells[k] : 1.0;
    }
  }
};

/// The part of each vertex, counted from zero in the order of rows.
std::vector<int> find_parts(const BlockPattern& pattern) {
  std::vector<int> up(pattern.rows());
  std::iota(up.begin(), up.end(), 0);
  const auto top = [&](int row) {
    while (up[row] != row) row = up[row] = up[up[row]];
    return row;
  };
  for (int row = 0; row < pattern.rows(); ++row)
    for (const int column : pattern.columns_of(row)) {
      const int a = top(row), b = top(pattern.row_of(column));
      up[std::max(a, b)] = std::min(a, b);
    }
  std::vector<int> part_of(pattern.rows());
  int count = 0;
  for (int row = 0; row < pattern.rows(); ++row)
    part_of[pattern.vertex(row)] = up[row] == row ? count++ : part_of[pattern.vertex(top(row))];
  return part_of;
}

std::vector<Part> measure_parts(const BlockPattern& pattern, const std::vector<int>& part_of) {
  std::vector<Part> parts(*std::max_element(part_of.begin(), part_of.end()) + 1);
  for (int row = 0; row < pattern.rows(); ++row) {
    const int vertex = pattern.vertex(row);
    const Vec3& here = pattern.points()[vertex];
    Part& part = parts[part_of[vertex]];
    ++part.vertices;
    part.low = part.low.cwiseMin(here);
    part.high = part.high.cwiseMax(here);
    for (const int column : pattern.columns_of(row).subspan(1)) {
      part.edge_lengths += (pattern.points()[column] - here).norm();
      ++part.edges;
    }
  }
  for (Part& part : parts) {
    if (part.edge_lengths > 0) part.width = kEdgesPerCell * part.edge_lengths / part.edges;
    if (part.width > 0) part.divide();
  }
  return parts;
}

bool worth_a_lattice(const Part& part) { return part.vertices >= kFewestVertices && part.width > 0; }

Lattice lay(const std::vector<Vec3>& points, const std::vector<int>& part_of,
            const std::vector<Part>& parts) {
  std::vector<Corner> corners;
  std::vector<int> ends;
  for (size_t v = 0; v < points.size(); ++v) {
    const Part& part = parts[part_of[v]];
    if (worth_a_lattice(part)) {
      Lattice::Node cell{.part = part_of[v], .place = {}};
      std::array<double, 3> fraction;
      for (int k = 0; k < 3; ++k) {
        const double place = (points[v][k] - part.low[k]) / part.cell[k];
        cell.place[k] = std::clamp(static_cast<int>(place), 0, part.cells[k] - 1);
        fraction[k] = std::clamp(place - cell.place[k], 0.0, 1.0);
      }
      add_corners(cell, fraction, corners);
    }
    ends.push_back(static_cast<int>(corners.size()));
  }
  return number_nodes(corners, ends);
}

}  // namespace

Interpolation Interpolation::transposed(int nodes) const {
  Interpolation result;
  result.start.assign(nodes + 1, 0);
  for (const int n : node) ++result.start[n + 1];
  std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
  result.node.resize(node.size());
  result.weight.resize(node.size());
  std::vector<int> next(result.start.begin(), result.start.end() - 1);
  for (int row = 0; row + 1 < static_cast<int>(start.size()); ++row)
    for (int k = start[row]; k < start[row + 1]; ++k) {
      const int place = next[node[k]]++;
      result.node[place] = row;
      result.weight[place] = weight[k];
    }
  return result;
}

std::vector<int> Lattice::part_starts() const {
  std::vector<int> starts;
  for (size_t n = 0; n < nodes.size(); ++n)
    if (n == 0 || nodes[n].part != nodes[n - 1].part) starts.push_back(static_cast<int>(n));
  starts.push_back(static_cast<int>(nodes.size()));
  return starts;
}

Lattice lattice_over(const BlockPattern& pattern) {
  if (pattern.points().empty()) return {};
  const std::vector<int> part_of = find_parts(pattern);
  std::vector<Part> parts = measure_parts(pattern, part_of);
  while (true) {
    Lattice lattice = lay(pattern.points(), part_of, parts);
    // Where edges differ much in length, cells that suit the short ones are too many among the long ones.
    bool changed = false;
    const std::vector<int> starts = lattice.part_starts();
    for (size_t k = 0; k + 1 < starts.size(); ++k) {
      Part& part = parts[lattice.nodes[starts[k]].part];
      if (kVerticesPerNode * (starts[k + 1] - starts[k]) <= part.vertices) continue;
      if (part.cells == std::array{1, 1, 1}) continue;
      part.width *= 2;
      part.divide();
      changed = true;
    }
    if (!changed) return lattice;
  }
}

Lattice coarser_lattice(const Lattice& fine) {
  std::vector<Corner> corners;
  std::vector<int> ends;
  for (const Lattice::Node& node : fine.nodes) {
    Lattice::Node cell{.part = node.part, .place = {}};
    std::array<double, 3> fraction;
    for (int k = 0; k < 3; ++k) {
      cell.place[k] = node.place[k] / 2;
      fraction[k] = 0.5 * (node.place[k] % 2);
    }
    add_corners(cell, fraction, corners);
    ends.push_back(static_cast<int>(corners.size()));
  }
  return number_nodes(corners, ends);
}

}  // namespace pliant
