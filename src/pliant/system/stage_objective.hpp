#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "pliant/contact/contact.hpp"
#include "pliant/minimize/objective.hpp"
#include "pliant/minimize/solver_options.hpp"
#include "pliant/potential/capabilities.hpp"
#include "pliant/system/model.hpp"

namespace pliant {

/// The problem of one stage: E(x) = c_a/2 |x - x_a|^2_M + Phi(x) + terms that depend on the stage, over the
/// vertices that no script holds. Scripted vertices stand where their script says at the stage's time.
/// Obstacles that are constraints make it E(P(x)), with P the projection to the feasible set.
class StageObjective final : public Objective, public FeasibleSet, public RestFrame, public Stiffening {
 public:
  StageObjective(const Model& model, ResidualNorm norm, const StretchRange& range = {});

  /// Takes up a stage; values are measured from zero. x must have been through `place_scripted` before it is
  /// evaluated.
  void begin(const Stage& stage);
  void place_scripted(Vector& x) const { model_.apply_scripts(stage_.time, stage_.holding(), x, nullptr); }
  /// Where scripts and constraints allow it.
  void make_feasible(Vector& x) {
    place_scripted(x);
    project(x);
  }

  const UnknownLayout& layout() const override { return layout_; }
  Index size() const { return layout_.size(); }
  Change evaluate(const Field& x, Field* gradient,
                  double enough = std::numeric_limits<double>::infinity()) override;
  double evaluate(const Vector& x, Vector* gradient) { return evaluate(x, gradient, kAnything).difference; }
  double set_reference() override;
  const BlockMatrix& hessian(const Field& x, Definiteness definiteness) override {
    return hessian(x.host(), definiteness);
  }
  const BlockMatrix& hessian(const Vector& x, Definiteness definiteness);
  Mask fixed() const override { return fixed_; }
  double residual(const Field& gradient) const override { return residual(gradient.host()); }
  double residual(const Vector& gradient) const;
  const Field& metric() const override { return metric_; }
  double longest_step() const override { return 1e3 * model_.diameter; }
  Renewal begin_iteration(const Field& x, Field& gradient) override;
  double limit(const Field& x, Field& step) override;
  bool renew(const Field& x) override;

  void project(Field& x) override { project(x.host()); }
  void project(Vector& x);
  void restrict(Field& gradient) const override {
    if (places_) places_->restrict(gradient.host());
  }
  double slope(const Field& gradient, const Field& step) const override;

  int number() override;
  ScalarMatrix matrix() override;
  double inertia_weight() const override { return stage_.c_a; }
  const BlockMatrix& rest_hessian() override;
  std::vector<Mat3> rotations(const Field& x) const override;
  /// Whether solving with the constant matrix never raises the energy.
  bool is_projective() const;

  /// The elastic energies count `factor` times, until the next stage.
  void stiffen(double factor) override { stiffening_ = factor; }
  /// By the traces of the Hessians.
  double softness() override;

  /// The mean velocity error that a gradient stands for, m/s.
  double velocity_error(const Vector& gradient) const;

  const Stage& stage() const { return stage_; }
  const std::vector<std::unique_ptr<StageTerm>>& stage_terms() const { return stage_terms_; }
  /// Those that act on one part of the model at a time.
  const std::vector<std::unique_ptr<Contact>>& contacts() const { return contacts_; }
  const std::vector<StageTerm*>& contact_terms() const { return contact_terms_; }
  /// Null where all places are feasible.
  FeasiblePlaces* feasible_places() const { return places_; }
  /// Spent on contacts since it was last asked for; part of the times of others.
  double take_contact_seconds() { return std::exchange(contact_seconds_, 0); }

  /// The gradient of the model's potentials, with the entries of scripted vertices.
  Vector potential_gradient(const Vector& x);
  /// Adds the gradient of the stage's terms: damping, attachments, contacts.
  void add_stage_gradient(const Vector& x, Vector& gradient);
  /// Energies of the contributions of model.terms[term] at the point last evaluated.
  std::span<const double> energies_of(size_t term) const;

 private:
  static constexpr double kAnything = std::numeric_limits<double>::infinity();

  Change evaluate(const Vector& x, Vector* gradient, double enough);
  void clear_reference();
  /// Whether x is the point last evaluated, with nothing left out.
  bool is_last(const Vector& x) const { return last_.whole && equal(x, last_.x); }
  void evaluate_inertia(const Vector& x, Vector* gradient);
  bool is_elastic(size_t k) const { return k < model_.terms.size() && model_.terms[k].is_elastic(); }
  void add_contact(const Contact& prototype);
  void measure_anew(const Contact& contact, const Vector& x);
  void zero_fixed(Vector& gradient) const;
  void add_inertia();
  Vector rest_places() const;
  bool same_hessian_as(const Stage& stage) const;
  void add_elastic_hessian(const Vector& x, Definiteness definiteness);
  void evaluate_stiffened(const Vector& x, Vector* gradient);
  bool is_contact(size_t k) const { return k >= parts_.size() - contact_terms_.size(); }
  void evaluate_contacts(const Vector& x, Vector* gradient, double enough);
  void evaluate_apart(const Vector& x, double enough);
  void add_kept(Vector& gradient) const;
  /// Of the energies from the reference.
  double difference() const;
  void evaluate_part(size_t k, const Vector& x, Vector* gradient);

  const Model& model_;
  ResidualNorm norm_;
  StretchRange range_;
  double stiffening_ = 1;
  std::optional<double> elastic_trace_;  ///< of the Hessian at rest
  double free_mass_ = 0;                 ///< of the vertices that no script holds
  Stage stage_;
  std::vector<std::unique_ptr<StageTerm>> stage_terms_;
  std::vector<std::unique_ptr<Contact>> contacts_;
  std::vector<StageTerm*> contact_terms_;        ///< their energies
  std::vector<const Contact*> contact_of_term_;  ///< whose each is
  FeasiblePlaces* places_ = nullptr;             ///< of one of them
  double contact_seconds_ = 0;
  std::vector<Potential*> parts_;  ///< all terms, then all stage terms, then all contact terms
  std::vector<const ConstantProxy*> constant_parts_;
  bool projective_parts_ = true;   ///< whether all of them are
  std::vector<Index> part_start_;  ///< where each part's contributions begin; inertia comes first
  std::vector<char> fixed_;
  UnknownLayout layout_;
  Field metric_;
  Vector energies_, reference_;
  bool is_reference_ =
      false;             ///< the point last evaluated, whose energies have become those of the reference
  double roundoff_ = 0;  ///< of all parts
  double noise_ = 0;
  bool from_zero_ = true;  ///< the next value is the first of a stage
  /// The point last evaluated and its gradients, of the model's potentials and of the stage's terms.
  struct {
    bool whole = false;  ///< nothing was left out
    Vector x, potential, stage;
  } last_;
  std::optional<BlockMatrix> hessian_;          ///< made when first asked for
  bool constant_hessian_ = false;               ///< of all parts: the same in all stages alike of a step
  bool hessian_holds_ = false;                  ///< the matrix made last is that of this stage, wherever x is
  std::optional<BlockMatrix> consistent_mass_;  ///< of a consistent mass matrix; likewise

  /// What the constant matrix depends on; those met last come first.
  struct Known {
    int number;
    double c_a, c_v;
    std::vector<char> fixed;
  };
  std::vector<Known> matrices_;
  int matrices_met_ = 0;
};

}  // namespace pliant
