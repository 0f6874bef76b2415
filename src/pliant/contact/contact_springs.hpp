#pragma once

#include "pliant/contact/contact_term.hpp"
#include "pliant/contact/pushing_obstacles.hpp"

namespace pliant {

/// Obstacles that push a vertex which is inside back to the plane that touches the surface there
/// (liu-2018, section 8.5): k/2 ((x - x_s) . n)^2, with x_s the closest place on the surface and n its
/// normal, both found anew when an iteration begins. A vertex that moves away has no spring, or it would be
/// glued to the obstacle. No part of a constant matrix, which therefore need not be factored again.
class ContactSprings final : public ContactTerm {
 public:
  /// Of those obstacles that are springs; the list must outlive this. `stiffness` is k of each vertex, N/m,
  /// for obstacles that have none of their own.
  ContactSprings(const std::vector<Obstacle>& obstacles, Vector stiffness)
      : obstacles_(obstacles, ContactWay::springs, std::move(stiffness)) {}

  Index contributions() const override { return obstacles_.vertices(); }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override;
  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override;

  std::unique_ptr<ContactTerm> clone_term() const override { return std::make_unique<ContactSprings>(*this); }
  std::unique_ptr<ContactTerm> term_sub_model(const SubModel& sub_model) const override;
  std::span<const Obstacle* const> obstacles() const override { return obstacles_.list(); }
  bool rubs() const override { return obstacles_.rub(); }
  Demands demands() const override { return {.stages_only = true}; }
  void begin_stage(const Stage& stage) override;
  bool is_found_anew() const override { return true; }
  Renewal begin_iteration(const Vector& x, Vector& gradient) override;
  /// Of all vertices inside, whether a spring pushes them or not.
  double stored(const Vector& x, double t) const override;
  Power power(const Vector& x, const Vector& v, const Interval& during) const override;
  void add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const override;

 private:
  struct Spring {
    int vertex = 0, obstacle = 0;
    double k = 0;               ///< N/m
    Vec3 place = Vec3::Zero();  ///< x_s
    Vec3 normal = Vec3::Zero();

    double depth(const Vector& x) const { return (place - x.segment<3>(3 * Index{vertex})).dot(normal); }
    bool same_pair_as(const Spring& other) const {
      return vertex == other.vertex && obstacle == other.obstacle;
    }
  };

  void find(const Vector& x, Index begin, Index end, std::vector<Spring>& found) const;
  bool had(const Spring& spring) const;

  PushingObstacles obstacles_;
  std::vector<PlacedObstacle> placed_;  ///< at the stage's time
  double c_v_ = 0;                      ///< of the stage
  Vector x_v_;                          ///< likewise
  int iterations_ = 0;                  ///< of the stage
  std::vector<Spring> springs_;         ///< by vertex, then by obstacle
};

}  // namespace pliant
