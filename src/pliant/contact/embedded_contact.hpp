#pragma once

#include <memory>
#include <vector>

#include "pliant/contact/contact_term.hpp"
#include "pliant/contact/seen_points.hpp"

namespace pliant {

/// A contact of points that follow the unknowns by fixed weights: any term that is written for vertices, for
/// rigid frames and particles too.
class EmbeddedContact final : public ContactTerm, public StepLimit {
 public:
  /// `contact` takes the points for vertices. Throws std::invalid_argument where a point has more blocks than
  /// a place of contact can name.
  EmbeddedContact(std::unique_ptr<ContactTerm> contact, SeenPoints points);
  EmbeddedContact(const EmbeddedContact& other)
      : EmbeddedContact(other.contact_->clone_term(), other.points_) {}

  Index contributions() const override { return contact_->contributions(); }
  double roundoff() const override { return contact_->roundoff(); }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override;
  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override;
  void add_pattern(std::vector<std::pair<int, int>>& edges) const override;

  std::unique_ptr<ContactTerm> clone_term() const override {
    return std::make_unique<EmbeddedContact>(*this);
  }
  std::unique_ptr<ContactTerm> term_sub_model(const SubModel& sub_model) const override;
  Demands demands() const override { return contact_->demands(); }
  Couples couples() const override { return contact_->couples(); }
  std::span<const Obstacle* const> obstacles() const override { return contact_->obstacles(); }
  bool rubs() const override { return contact_->rubs(); }
  bool is_costly() const override { return contact_->is_costly(); }
  bool slows_what_rubs() const override { return contact_->slows_what_rubs(); }
  bool is_found_anew() const override { return contact_->is_found_anew(); }
  double stiffness() const override { return contact_->stiffness(); }
  double next_key(double t) const override { return contact_->next_key(t); }
  std::string_view energy() const override { return contact_->energy(); }

  void begin_stage(const Stage& stage) override;
  void begin(const ContactStage& stage) override;
  /// Its contact sees no gradient but what it corrects.
  Renewal begin_iteration(const Vector& x, Vector& gradient) override;
  StepLimit* step_limit() override { return contact_->step_limit() ? this : nullptr; }
  double limit(const Vector& x, Vector& step, const Interval& of_obstacles) override;
  void after_step(StepEnd& end) override { contact_->after_step(end); }
  Verdict judge(const StepEnd& end) const override { return contact_->judge(end); }
  std::vector<Inside> find_inside(const Vector& x) const override {
    return contact_->find_inside(points_.taken(x));
  }
  bool renew(const Vector& x) override { return contact_->renew(points_.taken(x)); }
  double stored(const Vector& x, double t) const override { return contact_->stored(points_.taken(x), t); }
  Power power(const Vector& x, const Vector& v, const Interval& during) const override {
    return contact_->power(points_.taken(x), points_.taken(v), during);
  }
  void add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const override;
  double overlap(const Vector& x) const override { return contact_->overlap(points_.taken(x)); }

 private:
  Stage of_points(const Stage& stage) const;
  void add_between(int one, int other, const Mat3& values, BlockMatrix& hessian) const;

  std::unique_ptr<ContactTerm> contact_;
  SeenPoints points_;
  BlockPattern pattern_;  ///< of points: each by itself
};

}  // namespace pliant
