#include "pliant/meshing/mesher.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/quality.hpp"
#include "pliant/meshing/background.hpp"
#include "pliant/meshing/relocate.hpp"
#include "pliant/meshing/sharpen.hpp"
#include "pliant/meshing/stuffing.hpp"

namespace pliant {

namespace {

void check(const MeshingOptions& options) {
  const auto positive = [](double size) { return size > 0 && std::isfinite(size); };
  if (!positive(options.cell))
    throw InputError(format("cell is {}; it must be positive and finite", options.cell));
  if (!(options.grading >= 0 && options.grading <= 1))
    throw InputError(format("grading is {}; it must lie between 0 and 1", options.grading));
  for (const Refinement& ball : options.refinements)
    if (!positive(ball.cell) || !positive(ball.radius) || !ball.center.allFinite())
      throw InputError(
          "a refinement needs a finite center, and a radius and a cell that are positive and finite");
}

/// Sides of cells grow from the surface inwards, and away from refinements.
class Sizes {
 public:
  Sizes(const Shape& shape, const MeshingOptions& options) : shape_(shape), options_(options) {}

  double operator()(const Vec3& point) const {
    double side = options_.cell;
    if (options_.grading > 0)
      side += options_.grading * std::max(0.0, -shape_.distance(point) - options_.cell);
    constexpr double kGrowth = 0.5;  // a metre: cells of one size around each other before they double
    for (const Refinement& ball : options_.refinements)
      side = std::min(side, ball.cell + kGrowth * std::max(0.0, (point - ball.center).norm() - ball.radius));
    return side;
  }

  double finest() const {
    double side = options_.cell;
    for (const Refinement& ball : options_.refinements) side = std::min(side, ball.cell);
    return options_.cell / std::exp2(std::ceil(std::log2(options_.cell / side) - 1e-9));
  }

 private:
  const Shape& shape_;
  const MeshingOptions& options_;
};

Stuffing stuff_once(const Shape& shape, const MeshingOptions& options) {
  const Sizes sizes(shape, options);
  Stuffing stuffing = stuff(shape, make_background(shape, sizes.finest(), sizes));
  if (stuffing.mesh.tets.empty())
    throw InputError(format("no cell of {:.3g} m fits into the shape; use smaller ones", options.cell));
  return stuffing;
}

/// Balls around tetrahedra with bad angles in which all cells are as small as the smaller ones there.
std::vector<Refinement> around_bad(const TetMesh& mesh, double finest) {
  constexpr double kSmallest = 9, kLargest = 163;  // degrees
  std::vector<Refinement> balls;
  for (const auto& t : mesh.tets) {
    const auto [smallest, largest] = extreme_angles(mesh.vertices, t);
    if (smallest > kSmallest && largest < kLargest) continue;
    const Vec3 x[] = {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], mesh.vertices[t[3]]};
    double longest = 0;
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) longest = std::max(longest, (x[a] - x[b]).norm());
    balls.push_back({(x[0] + x[1] + x[2] + x[3]) / 4, 2 * longest, std::max(finest, longest / 2)});
  }
  return balls;
}

/// Where cells change in size at the surface, what it cuts off may be thin. Most of that is mended by moving
/// vertices; where it is not, the change is moved elsewhere, and all is done again.
Stuffing stuff_graded(const Shape& shape, MeshingOptions options) {
  const double finest = Sizes(shape, options).finest();
  Stuffing best;
  size_t fewest = std::numeric_limits<size_t>::max();
  constexpr int kRounds = 6;
  for (int round = 0; round < kRounds; ++round) {
    Stuffing stuffing = stuff_once(shape, options);
    const std::vector<char> fixed(stuffing.mesh.vertices.size(), 0), spare(stuffing.mesh.tets.size(), 0);
    Relocator(shape, stuffing).run(fixed, spare);
    const std::vector<Refinement> bad = around_bad(stuffing.mesh, finest);
    if (bad.size() < fewest) {
      fewest = bad.size();
      best = std::move(stuffing);
    }
    if (bad.empty()) break;
    options.refinements.insert(options.refinements.end(), bad.begin(), bad.end());
  }
  return best;
}

}  // namespace

TetMesh mesh_shape(const Shape& shape, const MeshingOptions& options) {
  check(options);
  Stuffing stuffing = options.grading > 0 || !options.refinements.empty() ? stuff_graded(shape, options)
                                                                          : stuff_once(shape, options);
  if (options.sharp) {
    sharpen(shape, options.cell, stuffing);
    drop_unused_vertices(stuffing.mesh);
  }
  return std::move(stuffing.mesh);
}

}  // namespace pliant
