#include "pliant/meshing/contour.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

using Place = std::array<int, 3>;  ///< of a grid point, or of the cell above it

constexpr int kMostCellsAcross = 1 << 12;

class Contouring {
 public:
  Contouring(const Shape& shape, const Bounds& box, const Vec3& cell)
      : shape_(shape), origin_(box.min()), cell_(cell) {
    for (int k = 0; k < 3; ++k) count_[k] = static_cast<int>(std::ceil(box.sizes()[k] / cell[k]));
  }

  TriangleMesh run() {
    int whole = 1;
    while (whole < *std::max_element(count_.begin(), count_.end())) whole *= 2;
    visit({0, 0, 0}, whole);
    for (const Place& place : cells_)
      for (int axis = 0; axis < 3; ++axis) close_around_edge(place, axis);
    return std::move(mesh_);
  }

 private:
  Vec3 point(const Vec3& place) const { return origin_ + cell_.cwiseProduct(place); }
  Vec3 point(const Place& place) const { return point(Vec3(place[0], place[1], place[2])); }
  static std::uint64_t key(const Place& place) {
    return (static_cast<std::uint64_t>(place[0]) << 40) | (static_cast<std::uint64_t>(place[1]) << 20) |
           static_cast<std::uint64_t>(place[2]);
  }

  double distance(const Place& place) {
    const auto [entry, is_new] = distances_.try_emplace(key(place), 0.0);
    if (is_new) entry->second = shape_.distance(point(place));
    return entry->second;
  }

  /// Halves blocks of cells that the surface may pass, down to single ones.
  void visit(const Place& low, int size) {
    for (int k = 0; k < 3; ++k)
      if (low[k] >= count_[k]) return;
    const Vec3 half = Vec3::Constant(0.5 * size);
    const double reach = cell_.cwiseProduct(half).norm();
    if (std::abs(shape_.distance(point(Vec3(low[0], low[1], low[2]) + half))) > reach) return;
    if (size == 1) return add_cell(low);
    for (int part = 0; part < 8; ++part) visit(corner(low, part, size / 2), size / 2);
  }

  static Place corner(const Place& low, int number, int size = 1) {
    return {low[0] + (number & 1 ? size : 0), low[1] + (number & 2 ? size : 0),
            low[2] + (number & 4 ? size : 0)};
  }

  /// Puts a vertex into the cell if the surface passes it.
  void add_cell(const Place& low) {
    std::vector<Vec3> crossings, normals;
    for (int axis = 0; axis < 3; ++axis) {
      for (int number = 0; number < 8; ++number) {
        if ((number >> axis) & 1) continue;
        const Place a = corner(low, number), b = corner(low, number | (1 << axis));
        if ((distance(a) < 0) == (distance(b) < 0)) continue;
        crossings.push_back(crossing(a, b));
        const Vec3 gradient = shape_.distance_jet(crossings.back()).gradient;
        normals.push_back(gradient.norm() > 0 ? Vec3(gradient.normalized()) : Vec3(0, 0, 0));
      }
    }
    if (crossings.empty()) return;
    const Vec3 lowest = point(low), highest = lowest + cell_;
    vertex_of_[key(low)] = static_cast<int>(mesh_.vertices.size());
    const Vec3 fit = best_fit(crossings, normals);
    // Where the surface is round, the planes that touch it meet beside it.
    const Jet off = shape_.distance_jet(fit);
    mesh_.vertices.push_back((fit - off.value * off.gradient).cwiseMax(lowest).cwiseMin(highest));
    cells_.push_back(low);
  }

  /// Where the surface cuts an edge of the grid, by the method of false position.
  Vec3 crossing(const Place& a, const Place& b) {
    Vec3 in = point(a), out = point(b);
    double phi_in = distance(a), phi_out = distance(b);
    Vec3 middle = in;
    for (int i = 0; i < 4; ++i) {
      middle = in + phi_in / (phi_in - phi_out) * (out - in);
      const double phi = shape_.distance(middle);
      if (phi == 0) break;
      ((phi < 0) == (phi_in < 0) ? in : out) = middle;
      ((phi < 0) == (phi_in < 0) ? phi_in : phi_out) = phi;
    }
    return middle;
  }

  /// The point nearest to all tangent planes; where these leave directions open, the one in the middle.
  static Vec3 best_fit(const std::vector<Vec3>& points, const std::vector<Vec3>& normals) {
    Vec3 middle = Vec3::Zero(), right = Vec3::Zero();
    for (const Vec3& p : points) middle += p / static_cast<double>(points.size());
    Mat3 matrix = Mat3::Zero();
    for (size_t i = 0; i < points.size(); ++i) {
      matrix += normals[i] * normals[i].transpose();
      right += normals[i] * normals[i].dot(points[i] - middle);
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(matrix);
    constexpr double kOpen = 0.1;  // of the largest eigenvalue
    Vec3 best = middle;
    for (int k = 0; k < 3; ++k) {
      const double value = solver.eigenvalues()[k];
      const Vec3 direction = solver.eigenvectors().col(k);
      if (value > kOpen * solver.eigenvalues()[2]) best += direction.dot(right) / value * direction;
    }
    return best;
  }

  /// Two triangles between the four cells around an edge that the surface cuts: that from `place` along axis.
  void close_around_edge(const Place& place, int axis) {
    const bool inside = distance(place) < 0;
    if (inside == (distance(corner(place, 1 << axis)) < 0)) return;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::array<int, 4> around;
    for (size_t i = 0; i < 4; ++i) {
      Place at = place;
      at[u] -= i == 1 || i == 2 ? 1 : 0;
      at[v] -= i >= 2 ? 1 : 0;
      if (at[u] < 0 || at[v] < 0) return;
      around[i] = vertex_of_.at(key(at));
    }
    if (!inside) std::swap(around[1], around[3]);
    const auto& x = mesh_.vertices;
    const bool first =
        (x[around[0]] - x[around[2]]).squaredNorm() <= (x[around[1]] - x[around[3]]).squaredNorm();
    if (!first) std::rotate(around.begin(), around.begin() + 1, around.end());
    mesh_.triangles.push_back({around[0], around[1], around[2]});
    mesh_.triangles.push_back({around[0], around[2], around[3]});
  }

  const Shape& shape_;
  Vec3 origin_, cell_;
  Place count_;
  std::unordered_map<std::uint64_t, double> distances_;  ///< at grid points
  std::unordered_map<std::uint64_t, int> vertex_of_;     ///< of a cell
  std::vector<Place> cells_;                             ///< with a vertex
  TriangleMesh mesh_;
};

}  // namespace

TriangleMesh contour(const Shape& shape, const Bounds& box, const Vec3& cell) {
  const Vec3 across = box.sizes().cwiseQuotient(cell);
  if (!box.min().allFinite() || !(across.array() <= kMostCellsAcross).all())  // nor NaN
    throw InputError(format("{:.3g} cells along a side are too many, at most {} are possible",
                            across.maxCoeff(), kMostCellsAcross));
  return Contouring(shape, box, cell).run();
}

}  // namespace pliant
