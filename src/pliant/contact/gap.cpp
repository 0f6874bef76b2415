#include "pliant/contact/gap.hpp"

#include <algorithm>
#include <limits>

#include "pliant/base/parallel.hpp"

namespace pliant {

double smallest_gap(const std::vector<Obstacle>& obstacles, double t, const Vector& x) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr Index kAtOnce = 1024;
  const Index count = x.size() / 3;
  std::vector<double> smallest(static_cast<size_t>((count + kAtOnce - 1) / kAtOnce), kInfinity);
  for (const Obstacle& obstacle : obstacles) {
    const PlacedObstacle placed(obstacle, t);
    parallel_chunks(count, kAtOnce, [&](Index begin, Index end) {
      double& least = smallest[begin / kAtOnce];
      for (Index i = begin; i < end; ++i) {
        const Vec3 place = x.segment<3>(3 * i);
        if (placed.may_reach(place, std::max(least, 0.0))) least = std::min(least, placed.distance(place));
      }
    });
  }
  return smallest.empty() ? kInfinity : *std::min_element(smallest.begin(), smallest.end());
}

Index post_process(const std::vector<Obstacle>& obstacles, double t, std::span<const char> fixed, Vector& x,
                   Vector& v) {
  Index inside = 0;
  for (const Obstacle& obstacle : obstacles) {
    if (obstacle.way != ContactWay::post_process) continue;
    const PlacedObstacle placed(obstacle, t);
    for (Index i = 0; i < x.size() / 3; ++i) {
      const Index dof = 3 * i;
      const Vec3 moves(fixed[dof] ? 0 : 1, fixed[dof + 1] ? 0 : 1, fixed[dof + 2] ? 0 : 1);
      const Vec3 place = x.segment<3>(dof);
      if (!placed.may_reach(place, 0)) continue;
      const Jet phi = placed.distance_jet(place);
      // Planar bodies, whose z is fixed, leave along their plane.
      const Vec3 along_free = phi.gradient.cwiseProduct(moves);
      const double steepness = along_free.norm();
      if (!(phi.value < 0) || steepness < 1e-6) continue;
      ++inside;
      const Vec3 normal = along_free / steepness;
      x.segment<3>(dof) -= phi.value / steepness * normal;
      const Vec3 before = (v.segment<3>(dof) - placed.velocity(place)).cwiseProduct(moves);
      const double into = -normal.dot(before);
      if (into <= 0) continue;
      Vec3 relative = before + into * normal;
      // The impulse that stops it is m times `into`; friction stops as much along the surface.
      const double along = relative.norm();
      if (along > 0) relative *= std::max(0.0, 1 - obstacle.friction * into / along);
      v.segment<3>(dof) += relative - before;
    }
  }
  return inside;
}

}  // namespace pliant
