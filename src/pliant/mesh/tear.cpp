#include "pliant/mesh/tear.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <span>

#include "pliant/base/parallel.hpp"
#include "pliant/mesh/body_mesh.hpp"

namespace pliant {

namespace {

enum class CellKind { edge, triangle, tet };

CellKind kind_of(const TetMesh& mesh) {
  if (!mesh.triangles.empty()) return CellKind::triangle;
  return mesh.thin() ? CellKind::edge : CellKind::tet;
}

std::span<int> corners_of(TetMesh& mesh, CellKind kind, size_t cell) {
  if (kind == CellKind::edge) return mesh.edges[cell];
  return kind == CellKind::triangle ? std::span<int>(mesh.triangles[cell]) : std::span<int>(mesh.tets[cell]);
}

using Mat2 = Eigen::Matrix2d;

/// Of a triangle, by the first fundamental forms of its two shapes.
double stretch_of_triangle(const Vec3 rest[3], const Vec3 now[3]) {
  Eigen::Matrix<double, 3, 2> before, after;
  before << rest[1] - rest[0], rest[2] - rest[0];
  after << now[1] - now[0], now[2] - now[0];
  // The eigenvalues of B^-1 A are the squares of the stretches.
  const Mat2 ratio = (before.transpose() * before).inverse() * (after.transpose() * after);
  const double half = ratio.trace() / 2;
  return std::sqrt(half + std::sqrt(std::max(0.0, half * half - ratio.determinant())));
}

double stretch_of_tet(const Vec3 rest[4], const Vec3 now[4]) {
  Mat3 before, after;
  for (int k = 0; k < 3; ++k) {
    before.col(k) = rest[k + 1] - rest[0];
    after.col(k) = now[k + 1] - now[0];
  }
  const Mat3 F = after * before.inverse(), C = F.transpose() * F;
  Eigen::SelfAdjointEigenSolver<Mat3> solver;
  solver.computeDirect(C, Eigen::EigenvaluesOnly);
  return std::sqrt(std::max(0.0, solver.eigenvalues()[2]));
}

double stretch_of(std::span<const int> corners, const std::vector<Vec3>& rest, const double* positions) {
  Vec3 before[4], now[4];
  for (size_t k = 0; k < corners.size(); ++k) {
    before[k] = rest[corners[k]];
    now[k] = Eigen::Map<const Vec3>(positions + 3 * Index{corners[k]});
  }
  if (corners.size() == 2) return (now[1] - now[0]).norm() / (before[1] - before[0]).norm();
  return corners.size() == 3 ? stretch_of_triangle(before, now) : stretch_of_tet(before, now);
}

/// Groups of the cells around one vertex.
class Fan {
 public:
  explicit Fan(std::vector<size_t> cells) : cells_(std::move(cells)), group_(cells_.size()) {
    for (size_t i = 0; i < group_.size(); ++i) group_[i] = i;
  }

  void join(size_t i, size_t j) {
    const size_t from = std::max(group_[i], group_[j]), to = std::min(group_[i], group_[j]);
    std::replace(group_.begin(), group_.end(), from, to);
  }

  const std::vector<size_t>& cells() const { return cells_; }
  /// The first of the cells that hang together with cell i.
  size_t group(size_t i) const { return group_[i]; }

 private:
  std::vector<size_t> cells_, group_;
};

int shared_corners(std::span<const int> a, std::span<const int> b) {
  return static_cast<int>(
      std::count_if(a.begin(), a.end(), [&](int v) { return std::find(b.begin(), b.end(), v) != b.end(); }));
}

/// Gives each group of cells around a vertex but the first a vertex of its own, at the vertices of the tear.
void split_vertices(TornMesh& torn, CellKind kind, const std::vector<char>& at_tear) {
  TetMesh& mesh = torn.mesh;
  std::vector<std::vector<size_t>> around(mesh.vertices.size());
  for (size_t c = 0; c < cell_count(mesh); ++c)
    for (const int v : corners_of(mesh, kind, c))
      if (at_tear[v]) around[v].push_back(c);
  // A side of a triangle has two corners and one of a tetrahedron three; edges meet in a vertex.
  const int side = kind == CellKind::edge ? 1 : kind == CellKind::triangle ? 2 : 3;
  struct Split {
    size_t cell;
    int from, to;
  };
  std::vector<Split> splits;
  for (size_t v = 0; v < around.size(); ++v) {
    if (around[v].empty()) continue;
    Fan fan(std::move(around[v]));
    for (size_t i = 0; i < fan.cells().size(); ++i)
      for (size_t j = i + 1; j < fan.cells().size(); ++j)
        if (shared_corners(corners_of(mesh, kind, fan.cells()[i]), corners_of(mesh, kind, fan.cells()[j])) >=
            side)
          fan.join(i, j);
    std::vector<int> own(fan.cells().size(), -1);
    for (size_t i = 0; i < fan.cells().size(); ++i) {
      const size_t group = fan.group(i);
      if (group == fan.group(0)) continue;
      if (own[group] < 0) {
        own[group] = static_cast<int>(mesh.vertices.size());
        mesh.vertices.push_back(Vec3(mesh.vertices[v]));
        torn.origin.push_back(torn.origin[v]);
      }
      splits.push_back({fan.cells()[i], static_cast<int>(v), own[group]});
    }
  }
  for (const auto& [cell, from, to] : splits) {
    const std::span<int> corners = corners_of(mesh, kind, cell);
    std::replace(corners.begin(), corners.end(), from, to);
  }
}

}  // namespace

size_t cell_count(const TetMesh& mesh) {
  const CellKind kind = kind_of(mesh);
  return kind == CellKind::edge       ? mesh.edges.size()
         : kind == CellKind::triangle ? mesh.triangles.size()
                                      : mesh.tets.size();
}

std::vector<double> largest_stretches(const TetMesh& rest, const double* positions) {
  constexpr Index kCellsAtOnce = 1024;
  std::vector<double> stretches(cell_count(rest));
  const CellKind kind = kind_of(rest);
  parallel_chunks(std::ssize(stretches), kCellsAtOnce, [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      const std::span<const int> corners = kind == CellKind::edge ? std::span<const int>(rest.edges[c])
                                           : kind == CellKind::triangle
                                               ? std::span<const int>(rest.triangles[c])
                                               : std::span<const int>(rest.tets[c]);
      stretches[c] = stretch_of(corners, rest.vertices, positions);
    }
  });
  return stretches;
}

TornMesh without_cells(const TetMesh& mesh, const std::vector<char>& gone) {
  const CellKind kind = kind_of(mesh);
  TornMesh torn{mesh, {}};
  std::vector<char> lost(mesh.vertices.size(), 0);  // a cell
  for (size_t c = 0; c < gone.size(); ++c)
    if (gone[c])
      for (const int v : corners_of(torn.mesh, kind, c)) lost[v] = 1;
  const auto keep = [&](auto& cells) {
    size_t kept = 0;
    for (size_t c = 0; c < cells.size(); ++c)
      if (!gone[c]) cells[kept++] = cells[c];
    cells.resize(kept);
  };
  if (kind == CellKind::edge) keep(torn.mesh.edges);
  if (kind == CellKind::triangle) keep(torn.mesh.triangles);
  if (kind == CellKind::tet) keep(torn.mesh.tets);
  const bool sheet = kind == CellKind::triangle && mesh.thin();
  if (sheet) torn.mesh.edges.clear();
  const std::vector<int> number = drop_unused_vertices(torn.mesh);
  std::vector<char> at_tear;
  for (size_t v = 0; v < number.size(); ++v) {
    if (number[v] < 0) continue;
    torn.origin.push_back(static_cast<int>(v));
    at_tear.push_back(lost[v]);
  }
  split_vertices(torn, kind, at_tear);
  if (sheet)
    torn.mesh = make_sheet({std::move(torn.mesh.vertices), std::move(torn.mesh.triangles)}, mesh.thickness);
  return torn;
}

}  // namespace pliant
