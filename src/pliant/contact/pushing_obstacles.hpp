#pragma once

#include <span>
#include <vector>

#include "pliant/base/parallel.hpp"
#include "pliant/contact/obstacle.hpp"
#include "pliant/potential/sub_model.hpp"

namespace pliant {

/// The obstacles of a list that push vertices out in one way, and how stiffly each vertex is pushed.
class PushingObstacles {
 public:
  /// The list must outlive this. `stiffness` is that against each vertex, for obstacles that have none of
  /// their own.
  PushingObstacles(const std::vector<Obstacle>& obstacles, ContactWay way, Vector stiffness);
  /// The same against the vertices of a sub-model.
  PushingObstacles of(const SubModel& sub_model) const;

  std::span<const Obstacle* const> list() const { return obstacles_; }
  /// Whether any has friction.
  bool rub() const;

  Index vertices() const { return stiffness_.size(); }
  double stiffness(const Obstacle& obstacle, Index vertex) const {
    return obstacle.stiffness.value_or(stiffness_[vertex]);
  }
  std::vector<PlacedObstacle> placed_at(double t) const;

  /// The sum over all vertices that are inside at time t of their energies, by stiffness and depth.
  double stored(const Vector& x, double t, FunctionRef<double(double, double)> energy) const;

 private:
  std::vector<const Obstacle*> obstacles_;
  Vector stiffness_;
};

}  // namespace pliant
