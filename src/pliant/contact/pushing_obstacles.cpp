#include "pliant/contact/pushing_obstacles.hpp"

namespace pliant {

PushingObstacles::PushingObstacles(const std::vector<Obstacle>& obstacles, ContactWay way, Vector stiffness)
    : obstacles_(obstacles_of(obstacles, way)), stiffness_(std::move(stiffness)) {}

bool PushingObstacles::rub() const { return any_rubs(obstacles_); }

PushingObstacles PushingObstacles::of(const SubModel& sub_model) const {
  PushingObstacles made = *this;
  made.stiffness_.resize(std::ssize(sub_model.vertices));
  for (Index i = 0; i < made.stiffness_.size(); ++i) made.stiffness_[i] = stiffness_[sub_model.vertices[i]];
  return made;
}

std::vector<PlacedObstacle> PushingObstacles::placed_at(double t) const {
  std::vector<PlacedObstacle> placed;
  for (const Obstacle* obstacle : obstacles_) placed.emplace_back(*obstacle, t);
  return placed;
}

double PushingObstacles::stored(const Vector& x, double t, FunctionRef<double(double, double)> energy) const {
  const std::vector<PlacedObstacle> placed = placed_at(t);
  constexpr Index kVerticesOfSum = 1024;
  return parallel_sum(vertices(), kVerticesOfSum, [&](Index begin, Index end) {
    double sum = 0;
    for (Index i = begin; i < end; ++i)
      for (const PlacedObstacle& at : placed) {
        const Vec3 place = x.segment<3>(3 * i);
        const double depth = at.may_reach(place, 0) ? -at.distance(place) : 0;
        if (depth > 0) sum += energy(stiffness(at.obstacle(), i), depth);
      }
    return sum;
  });
}

}  // namespace pliant
