#pragma once

#include <memory>
#include <optional>

#include "pliant/potential/capabilities.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

/// Lagged Rayleigh damping (gast-2014, section 4.2): c_v/2 (x - x_v)^T (beta D) (x - x_v), where D is the
/// elastic Hessian, made definite, at the start of the step. Freezing D keeps the objective's second
/// derivative simple and the force dissipative; it makes any scheme first order in the damping. A stage
/// without velocities, c_v = 0, has no damping, and D is not made for it.
class StiffnessDamping final : public StageTerm, public ConstantProxy, public ConstantHessian {
 public:
  /// Of all bodies with one coefficient: the matrix D spans the whole model. `elastic` must outlive this;
  /// `beta` in s.
  StiffnessDamping(std::vector<const Potential*> elastic, double beta)
      : elastic_(std::move(elastic)), beta_(beta) {}

  Index contributions() const override { return pattern_->rows(); }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override;
  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override;
  void add_proxy(const StretchRange& range, ScalarMatrix& proxy) const override;
  bool is_projective() const override { return beta_ == 0; }
  void add_pattern(std::vector<std::pair<int, int>>& edges) const override;
  void attach(const BlockPattern& pattern) override {
    pattern_ = &pattern;
    for (const auto& part : own_) part->attach(pattern);
  }

  std::unique_ptr<StageTerm> clone() const override { return std::make_unique<StiffnessDamping>(*this); }
  std::unique_ptr<StageTerm> stage_sub_model(const SubModel& sub_model) const override;
  void begin_stage(const Stage& stage) override;
  double stiffness() const override { return 0; }  // it is elasticity
  std::string_view energy() const override { return {}; }
  double stored(const Vector&, double) const override { return 0; }
  Power power(const Vector& x, const Vector& v, const Interval& during) const override;

 private:
  std::vector<const Potential*> elastic_;
  std::vector<std::shared_ptr<Potential>> own_;  ///< what `elastic_` refers to in a sub-model
  double beta_;
  const BlockPattern* pattern_ = nullptr;
  std::optional<BlockMatrix> D_;  ///< made with the first stage that needs it: prototypes have none
  double c_v_ = 0;
  Vector x_v_;
  Vector x_step_;                 ///< where D is that of
  mutable Vector moved_, force_;  ///< work space of evaluate
};

/// Mass damping: c_v/2 sum alpha_i m_i |x_i - x_v,i|^2, a drag on every motion.
class MassDamping final : public StageTerm, public ConstantProxy, public ConstantHessian {
 public:
  /// alpha_i m_i of every vertex in kg/s, zero where it does not act.
  explicit MassDamping(Vector coefficients) : coefficients_(std::move(coefficients)) {}

  Index contributions() const override { return coefficients_.size(); }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override;
  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override;
  void add_proxy(const StretchRange& range, ScalarMatrix& proxy) const override;
  bool is_projective() const override { return true; }

  std::unique_ptr<StageTerm> clone() const override { return std::make_unique<MassDamping>(*this); }
  std::unique_ptr<StageTerm> stage_sub_model(const SubModel& sub_model) const override;
  void begin_stage(const Stage& stage) override;
  double stiffness() const override { return 3 * c_v_ * coefficients_.sum(); }
  std::string_view energy() const override { return {}; }
  double stored(const Vector&, double) const override { return 0; }
  Power power(const Vector& x, const Vector& v, const Interval& during) const override;

 private:
  Vector coefficients_;
  double c_v_ = 0;
  Vector x_v_;
};

}  // namespace pliant
