#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "pliant/contact/constraints.hpp"
#include "pliant/minimize/objective.hpp"
#include "pliant/system/hot_spots.hpp"
#include "pliant/system/model.hpp"

namespace pliant {

/// How the size of a gradient is measured for the stopping test.
enum class ResidualNorm {
  velocity,  ///< s sqrt(g^T M^-1 g / sum M) in m/s, s the stage's length: the mean velocity error; knows
             ///< neither mesh size nor units
  gradient   ///< |g| in N, as in gast-2014
};

/// The problem of one stage: E(x) = c_a/2 |x - x_a|^2_M + Phi(x) + terms that depend on the stage, over the
/// vertices that no script holds. Scripted vertices stand where their script says at the stage's time.
/// Obstacles that are constraints make it E(P(x)), with P the projection to the feasible set.
class StageObjective final : public Objective {
 public:
  StageObjective(const Model& model, ResidualNorm norm, const StretchRange& range = {});

  /// Takes up a stage. x must have been through `place_scripted` before it is evaluated.
  void begin(const Stage& stage);
  /// Makes the elastic energies count `factor` times, until the next stage. Places that move alone in `relax`
  /// do not see it.
  void stiffen(double factor) { stiffening_ = factor; }
  /// How many times weaker at rest the elastic energies are than all that holds vertices back, by the traces
  /// of the Hessians.
  double softness();
  /// Measures values from zero again.
  void clear_reference();
  void place_scripted(Vector& x) const { model_.apply_scripts(stage_.time, stage_.holding(), x, nullptr); }
  /// Where scripts and constraints allow it.
  void make_feasible(Vector& x) {
    place_scripted(x);
    project(x);
  }

  Index size() const override { return 3 * model_.mass.size(); }
  double evaluate(const Vector& x, Vector* gradient) override;
  void give_up_above(double value) override { enough_ = value; }
  void set_reference() override;
  double noise() const override { return noise_; }
  double reference_noise() const override { return reference_noise_; }
  const BlockMatrix& hessian(const Vector& x, Definiteness definiteness) override;
  int proxy_number() override;
  ScalarMatrix proxy() override;
  double inertia_weight() const override { return stage_.c_a; }
  const BlockMatrix& rest_hessian() override;
  std::vector<Mat3> turns(const Vector& x) const override;
  /// Whether solving with it never raises the energy.
  bool is_projective() const;
  std::span<const char> fixed() const override { return fixed_; }
  double residual(const Vector& gradient) const override;
  const Vector& metric() const override { return metric_; }
  double longest_step() const override { return 1e3 * model_.diameter; }
  /// Solids that no script holds follow the rotation of the step; planar bodies, whose z is held, do not.
  void bend(const Vector& x, Vector& step) const override;

  Relaxation relax(const Vector& gradient, Vector& x) override;

  void register_active_set(const Vector& x, Vector& gradient) override;
  /// The constraints alone, which hold the same energies. Returns how many vertices are newly held.
  Index label_constraints(const Vector& x, Vector& gradient);
  double renewed() const override { return renewed_; }
  void restrict(Vector& gradient) const override { constraints_.restrict(gradient); }
  void project(Vector& x) override;
  double slope(const Vector& gradient, const Vector& step) const override;

  const Stage& stage() const { return stage_; }
  const std::vector<std::unique_ptr<StageTerm>>& stage_terms() const { return stage_terms_; }
  const std::vector<std::unique_ptr<ContactTerm>>& contact_terms() const { return contact_terms_; }
  const Constraints& constraints() const { return constraints_; }
  /// Spent on contacts since it was last asked for; part of the times of others.
  double take_contact_seconds() { return std::exchange(contact_seconds_, 0); }

  /// The gradient of the model's potentials, with the entries of scripted vertices.
  Vector potential_gradient(const Vector& x);
  /// Adds the gradient of the stage's terms: damping, attachments, contacts.
  void add_stage_gradient(const Vector& x, Vector& gradient);
  /// Energies of the contributions of model.terms[term] at the point last evaluated.
  std::span<const double> energies_of(size_t term) const;

 private:
  double velocity_error(const Vector& gradient) const;
  void evaluate_inertia(const Vector& x, Vector* gradient);
  bool is_elastic(size_t k) const {
    return k < model_.terms.size() && model_.terms[k].kind == Term::Kind::elastic;
  }
  void renew_contacts(const Vector& x, Vector& gradient, ContactTerm::Renewal& all);
  void zero_fixed(Vector& gradient) const;
  void add_inertia();
  Vector rest_places() const;
  bool same_hessian_as(const Stage& stage) const;
  void add_elastic_hessian(const Vector& x, Definiteness definiteness);
  void evaluate_stiffened(const Vector& x, Vector* gradient);
  bool is_contact(size_t k) const { return k >= parts_.size() - contact_terms_.size(); }
  void evaluate_contacts(const Vector& x, Vector* gradient);
  void evaluate_apart(const Vector& x);
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
  std::vector<std::unique_ptr<ContactTerm>> contact_terms_;
  Constraints constraints_;
  double contact_seconds_ = 0;
  double renewed_ = 0;             ///< share of the contacts that are new in this iteration
  std::vector<Potential*> parts_;  ///< all terms, then all stage terms, then all contact terms
  std::vector<Index> part_start_;  ///< where each part's contributions begin; inertia comes first
  std::vector<char> fixed_;
  Vector metric_;
  Vector energies_, reference_;
  bool is_reference_ =
      false;  ///< the point last evaluated, whose energies have become those of the reference
  double enough_ = std::numeric_limits<double>::infinity();  ///< see give_up_above
  double roundoff_ = 0;                                      ///< of all parts
  double noise_ = 0, reference_noise_ = 0;
  /// The point last evaluated and its gradients, of the model's potentials and of the stage's terms.
  struct {
    bool whole = false;  ///< nothing was left out
    Vector x, potential, stage;
  } last_;
  std::optional<BlockMatrix> hessian_;  ///< made when first asked for
  bool constant_hessian_ = false;       ///< of all parts: the same in all stages alike of a step
  bool hessian_holds_ = false;          ///< the matrix made last is that of this stage, wherever x is
  std::optional<BlockMatrix> spread_;   ///< of a consistent mass matrix; likewise
  HotSpots hot_spots_;

  /// What the constant matrix depends on; those met last come first.
  struct ProxyOf {
    int number;
    double c_a, c_v;
    std::vector<char> fixed;
  };
  std::vector<ProxyOf> proxies_;
  int proxies_met_ = 0;
};

}  // namespace pliant
