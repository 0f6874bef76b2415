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

}  // namespace pliant
