#include "pliant/geometry/mesher.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/geometry/background.hpp"
#include "pliant/geometry/relocate.hpp"
#include "pliant/geometry/sharpen.hpp"
#include "pliant/geometry/stuffing.hpp"

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

}  // namespace

TetMesh mesh_shape(const Shape& shape, const MeshingOptions& options) {
  check(options);
  const Sizes sizes(shape, options);
  Stuffing stuffing = stuff(shape, make_background(shape, sizes.finest(), sizes));
  if (stuffing.mesh.tets.empty())
    throw InputError(format("no cell of {:.3g} m fits into the shape; use smaller ones", options.cell));
  if (options.grading > 0 || !options.refinements.empty()) {
    // Where cells change in size, what the surface cuts off may be thin.
    const std::vector<char> fixed(stuffing.mesh.vertices.size(), 0), spare(stuffing.mesh.tets.size(), 0);
    Relocator(shape, stuffing).run(fixed, spare);
  }
  if (options.sharp) {
    sharpen(shape, options.cell, stuffing);
    drop_unused_vertices(stuffing.mesh);
  }
  return std::move(stuffing.mesh);
}

}  // namespace pliant
