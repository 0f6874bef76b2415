#pragma once

#include "pliant/contact/contact.hpp"
#include "pliant/contact/obstacle.hpp"

namespace pliant {

/// Obstacles that act after a step that knew nothing of them, for comparison (gast-2014, section 5 and figure
/// 10): a vertex inside is put onto the surface and loses the velocity into it, and some along it to
/// friction.
class PostProcess final : public Contact {
 public:
  /// Of those obstacles that post-process; the list must outlive this.
  explicit PostProcess(const std::vector<Obstacle>& obstacles)
      : obstacles_(obstacles_of(obstacles, ContactWay::post_process)) {}

  std::unique_ptr<Contact> clone_contact() const override { return std::make_unique<PostProcess>(*this); }
  std::unique_ptr<Contact> contact_sub_model(const SubModel&) const override { return nullptr; }
  std::unique_ptr<Contact> contact_component(const SubModel&) const override { return clone_contact(); }
  std::span<const Obstacle* const> obstacles() const override { return obstacles_; }
  void after_step(StepEnd& end) override;

  struct Done {
    Index inside = 0;     ///< vertices that were
    double friction = 0;  ///< change of kinetic energy by friction, J
  };
  /// At time t. Dofs that are `fixed` stay.
  Done put_outside(double t, const Vector& mass, std::span<const char> fixed, Vector& x, Vector& v) const;

 private:
  std::vector<const Obstacle*> obstacles_;
};

}  // namespace pliant
