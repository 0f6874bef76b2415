#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/potential/motion.hpp"
#include "pliant/spatial/shape.hpp"

namespace pliant {

/// How bodies are kept out of an obstacle.
enum class ContactWay {
  constraint,    ///< never inside: the minimisation is over feasible points (gast-2014, section 5.1)
  penalty,       ///< pushed out the harder the deeper (section 5.2)
  springs,       ///< pushed back to the surface, while not moving away (liu-2018, section 8.5)
  post_process,  ///< put outside after a step that knew nothing of it; for comparison
  program  ///< a quadratic program corrects the velocities of a step that knew nothing of it (loschner-2020)
};

/// As scene files and run folders call it.
std::string_view name(ContactWay way);

/// Something rigid that bodies collide with and that nothing moves but its own motion.
struct Obstacle {
  std::string name = {};
  ShapePointer shape = {};  ///< where it is at time 0, before the motion
  Motion motion = {};
  ContactWay way = ContactWay::constraint;
  double friction = 0;                   ///< Coulomb's coefficient
  std::optional<double> stiffness = {};  ///< of penalties, Pa, and of springs, N/m
  TriangleMesh surface = {};             ///< of the shape, to be drawn; of an infinite one a part

  Pose pose(double t) const { return motion.pose(t); }
  /// Whether it has no end, like a plane.
  bool unbounded() const { return !shape->bounds().sizes().allFinite(); }
};

/// Those of a list that bodies are kept out of in one way; the list must outlive them.
std::vector<const Obstacle*> obstacles_of(const std::vector<Obstacle>& obstacles, ContactWay way);
/// Whether any of these has friction.
bool any_rubs(std::span<const Obstacle* const> obstacles);

/// An obstacle at one moment.
class PlacedObstacle {
 public:
  PlacedObstacle(const Obstacle& obstacle, double t);

  const Obstacle& obstacle() const { return *obstacle_; }

  /// False where the distance of x is certainly larger than `reach`.
  bool may_reach(const Vec3& x, double reach) const {
    return ((x - middle_).cwiseAbs().array() <= half_size_.array() + reach).all();
  }

  /// Signed, negative inside.
  double distance(const Vec3& x) const { return obstacle_->shape->distance(pose_.start(x)); }
  /// With first and second derivatives in x.
  Jet distance_jet(const Vec3& x) const;
  /// Of the obstacle's point that is at x.
  Vec3 velocity(const Vec3& x) const { return pose_.velocity(x); }
  Vec3 mean_velocity(const Vec3& x, const Interval& during) const {
    return obstacle_->motion.mean_velocity(pose_.start(x), during);
  }

 private:
  const Obstacle* obstacle_;
  Pose pose_;
  Vec3 middle_, half_size_;  ///< of a box around it
};

}  // namespace pliant
