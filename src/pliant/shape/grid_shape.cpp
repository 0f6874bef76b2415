#include "pliant/shape/grid_shape.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/large_array.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

/// Cells between the bounds of the shape and the end of the grid; cubic interpolation needs samples of one
/// more beyond.
constexpr int kMarginCells = 2;
constexpr int kBeyond = 1;
constexpr double kMostSamples = 64e6;

/// What N samples in a row count for in the value between them and in its first and second derivative.
template <int N>
struct RowWeights {
  Index first_sample;
  std::array<double, N> value, first, second;
};

/// At t of the way from one sample to the next.
template <int N>
RowWeights<N> weights_between(Index first_sample, double t, double per_cell) {
  if constexpr (N == 2) return {first_sample, {1 - t, t}, {-per_cell, per_cell}, {0, 0}};
  if constexpr (N == 4) {
    const double s = per_cell / 2, c = per_cell * per_cell;
    return {
        first_sample,
        {t * (-1 + t * (2 - t)) / 2, (2 + t * t * (-5 + 3 * t)) / 2, t * (1 + t * (4 - 3 * t)) / 2,
         t * t * (t - 1) / 2},
        {s * (-1 + t * (4 - 3 * t)), s * t * (-10 + 9 * t), s * (1 + t * (8 - 9 * t)), s * t * (-2 + 3 * t)},
        {c * (2 - 3 * t), c * (-5 + 9 * t), c * (4 - 9 * t), c * (-1 + 3 * t)}};
  }
}

/// The samples of a distance and where they lie. Single precision: its roundoff is far below the error of
/// interpolation, it keeps signs, and half the memory has twice the samples in the caches.
struct DistanceGrid {
  Bounds inner;  ///< where values are interpolated
  Bounds shape;
  double cell = 0;
  std::array<Index, 3> cells{}, samples{};
  LargeArray<float> values;

  const float* row(Index j, Index k) const { return values.data() + (k * samples[1] + j) * samples[0]; }
};

/// With N samples in each direction.
template <int N>
class GridShape : public Shape {
 public:
  explicit GridShape(DistanceGrid grid) : grid_(std::move(grid)) {}

  double distance(const Vec3& point) const override {
    const Vec3 nearest = nearest_in_grid(point);
    return interpolate(nearest) + (point - nearest).norm();
  }

  Jet distance_jet(const Vec3& point) const override {
    const Vec3 nearest = nearest_in_grid(point);
    Jet jet = interpolate_jet(nearest);
    const double away = (point - nearest).norm();
    if (!(away > 0)) return jet;
    // Where the point is beyond the border, the nearest one in the grid does not move along with it.
    const Vec3 normal = (point - nearest) / away;
    for (int axis = 0; axis < 3; ++axis) {
      if (normal[axis] == 0) continue;
      jet.gradient[axis] = 0;
      jet.hessian.row(axis).setZero();
      jet.hessian.col(axis).setZero();
      jet.hessian(axis, axis) = 1 / away;
    }
    jet.value += away;
    jet.gradient += normal;
    jet.hessian -= normal * normal.transpose() / away;
    return jet;
  }

  /// Samples outside of the sampled shape's bounds are positive, so that the surface is less than a cell
  /// beyond.
  Bounds bounds() const override {
    return {grid_.shape.min().array() - grid_.cell, grid_.shape.max().array() + grid_.cell};
  }

 private:
  Vec3 nearest_in_grid(const Vec3& point) const {
    return point.cwiseMax(grid_.inner.min()).cwiseMin(grid_.inner.max());
  }

  RowWeights<N> weights(const Vec3& point, int axis) const {
    const double at = (point[axis] - grid_.inner.min()[axis]) / grid_.cell;
    const Index number = at >= 1 ? std::min(static_cast<Index>(at), grid_.cells[axis] - 1) : 0;
    return weights_between<N>(number + kBeyond - (N / 2 - 1), at - static_cast<double>(number),
                              1 / grid_.cell);
  }

  double interpolate(const Vec3& point) const {
    const RowWeights<N> x = weights(point, 0), y = weights(point, 1), z = weights(point, 2);
    double sum = 0;
    for (int k = 0; k < N; ++k) {
      double plane = 0;
      for (int j = 0; j < N; ++j) {
        const float* samples = grid_.row(y.first_sample + j, z.first_sample + k) + x.first_sample;
        double row = 0;
        for (int i = 0; i < N; ++i) row += x.value[i] * samples[i];
        plane += y.value[j] * row;
      }
      sum += z.value[k] * plane;
    }
    return sum;
  }

  Jet interpolate_jet(const Vec3& point) const;

  DistanceGrid grid_;
};

template <int N>
Jet GridShape<N>::interpolate_jet(const Vec3& point) const {
  const RowWeights<N> x = weights(point, 0), y = weights(point, 1), z = weights(point, 2);
  Jet jet;
  Mat3& H = jet.hessian;
  for (int k = 0; k < N; ++k) {
    double v = 0, vx = 0, vy = 0, vxx = 0, vxy = 0, vyy = 0;  // of the plane
    for (int j = 0; j < N; ++j) {
      const float* samples = grid_.row(y.first_sample + j, z.first_sample + k) + x.first_sample;
      double row = 0, first = 0, second = 0;
      for (int i = 0; i < N; ++i) {
        row += x.value[i] * samples[i];
        first += x.first[i] * samples[i];
        second += x.second[i] * samples[i];
      }
      v += y.value[j] * row;
      vx += y.value[j] * first;
      vy += y.first[j] * row;
      vxx += y.value[j] * second;
      vxy += y.first[j] * first;
      vyy += y.second[j] * row;
    }
    jet.value += z.value[k] * v;
    jet.gradient += Vec3(z.value[k] * vx, z.value[k] * vy, z.first[k] * v);
    H(0, 0) += z.value[k] * vxx;
    H(0, 1) += z.value[k] * vxy;
    H(0, 2) += z.first[k] * vx;
    H(1, 1) += z.value[k] * vyy;
    H(1, 2) += z.first[k] * vy;
    H(2, 2) += z.second[k] * v;
  }
  H(1, 0) = H(0, 1);
  H(2, 0) = H(0, 2);
  H(2, 1) = H(1, 2);
  return jet;
}

/// Where the samples of a shape are to lie; the values are still missing.
DistanceGrid lay_grid(const Bounds& bounds, double cell) {
  if (!(cell > 0) || !std::isfinite(cell))
    throw InputError(format("the cell of a grid of distances is {}; it must be positive and finite", cell));
  if (bounds.isEmpty() || !bounds.sizes().allFinite())
    throw InputError(
        "a grid of distances cannot hold a shape without end; use the shape itself, or cut it with a box");
  DistanceGrid grid{{}, bounds, cell, {}, {}, {}};
  double count = 1;
  Vec3 half;
  for (int axis = 0; axis < 3; ++axis) {
    const double along = std::max(1.0, std::ceil(bounds.sizes()[axis] / cell)) + 2 * kMarginCells;
    half[axis] = along * cell / 2;
    count *= along + 1 + 2 * kBeyond;
    grid.cells[axis] = static_cast<Index>(std::min(along, kMostSamples));
    grid.samples[axis] = grid.cells[axis] + 1 + 2 * kBeyond;
  }
  if (!(count <= kMostSamples)) {
    const Vec3 size = bounds.sizes();
    throw InputError(format(
        "a grid of distances around {:.3g} x {:.3g} x {:.3g} m with a cell of {:.3g} m has {:.3g} samples; "
        "at "
        "most {:.3g} are possible: make the cell larger than {:.2g} m",
        size.x(), size.y(), size.z(), cell, count, kMostSamples, cell * std::cbrt(count / kMostSamples)));
  }
  grid.inner = Bounds(bounds.center() - half, bounds.center() + half);
  return grid;
}

void take_samples(const Shape& sampled, DistanceGrid& grid) {
  grid.values.resize(grid.samples[0] * grid.samples[1] * grid.samples[2]);
  parallel_chunks(grid.samples[1] * grid.samples[2], 16, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row)
      for (Index i = 0; i < grid.samples[0]; ++i) {
        const Vec3 place(static_cast<double>(i), static_cast<double>(row % grid.samples[1]),
                         static_cast<double>(row / grid.samples[1]));
        const Vec3 point = grid.inner.min() + grid.cell * (place.array() - kBeyond).matrix();
        // Shapes that are joined or cut may say less than the distance, but never less than that to their
        // bounds.
        const double least = grid.shape.exteriorDistance(point), value = sampled.distance(point);
        grid.values[row * grid.samples[0] + i] =
            static_cast<float>(least > 0 ? std::max(value, least) : value);
      }
  });
}

}  // namespace

ShapePointer make_grid_shape(const Shape& sampled, double cell, GridInterpolation interpolation) {
  DistanceGrid grid = lay_grid(sampled.bounds(), cell);
  take_samples(sampled, grid);
  if (interpolation == GridInterpolation::linear) return std::make_shared<GridShape<2>>(std::move(grid));
  return std::make_shared<GridShape<4>>(std::move(grid));
}

}  // namespace pliant
