#pragma once

#include "pliant/contact/contact_term.hpp"
#include "pliant/contact/pushing_obstacles.hpp"

namespace pliant {

/// Obstacles that push out what is inside, the harder the deeper (gast-2014, section 5.2): k depth^3 for
/// every vertex and obstacle.
class ObstaclePenalty final : public ContactTerm {
 public:
  /// Of those obstacles that are penalties; the list must outlive this. `stiffness` is k of each vertex, Pa,
  /// for obstacles that have none of their own.
  ObstaclePenalty(const std::vector<Obstacle>& obstacles, Vector stiffness)
      : obstacles_(obstacles, ContactWay::penalty, std::move(stiffness)) {}

  Index contributions() const override { return obstacles_.vertices(); }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override;
  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override;

  std::unique_ptr<ContactTerm> clone_term() const override {
    return std::make_unique<ObstaclePenalty>(*this);
  }
  std::unique_ptr<ContactTerm> term_sub_model(const SubModel& sub_model) const override;
  std::span<const Obstacle* const> obstacles() const override { return obstacles_.list(); }
  bool rubs() const override { return obstacles_.rub(); }
  void begin_stage(const Stage& stage) override;
  double stored(const Vector& x, double t) const override;
  Power power(const Vector& x, const Vector& v, const Interval& during) const override;
  void add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const override;

 private:
  Vec3 force(const PlacedObstacle& at, Index vertex, const Vec3& place) const;

  PushingObstacles obstacles_;
  std::vector<PlacedObstacle> placed_;  ///< at the stage's time
};

}  // namespace pliant
