#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "pliant/potential/capabilities.hpp"
#include "pliant/potential/solid.hpp"

namespace pliant {

/// Corotated linear elasticity with the rotation of each element fixed at the start of the step
/// (loschner-2020, section 5.3, after Mueller and Gross 2004). What is left is quadratic, so that it is the
/// same as its expansion there: g . (x - x_n) + 1/2 (x - x_n)^T K (x - x_n), one product with a matrix
/// instead of elements. A rotation within the step is not seen, which adds or takes energy.
class LaggedSolid final : public StageTerm, public ConstantProxy, public ConstantHessian {
 public:
  /// Of all bodies: the matrix K spans the whole model. `elastic` are the energies at the start of steps,
  /// with the second derivative at fixed rotation.
  explicit LaggedSolid(std::vector<std::shared_ptr<Potential>> elastic) : elastic_(std::move(elastic)) {}

  Index contributions() const override { return pattern_->rows(); }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override;
  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override;
  void add_proxy(const StretchRange& range, ScalarMatrix& proxy) const override {
    for (const auto& body : elastic_) dynamic_cast<const ConstantProxy&>(*body).add_proxy(range, proxy);
  }
  bool is_projective() const override { return false; }
  void add_pattern(std::vector<std::pair<int, int>>& edges) const override {
    for (const auto& body : elastic_) body->add_pattern(edges);
  }
  void attach(const BlockPattern& pattern) override {
    pattern_ = &pattern;
    for (const auto& body : elastic_) body->attach(pattern);
  }

  std::unique_ptr<StageTerm> clone() const override { return std::make_unique<LaggedSolid>(*this); }
  std::unique_ptr<StageTerm> stage_sub_model(const SubModel& sub_model) const override;
  void begin_stage(const Stage& stage) override;
  double stiffness() const override { return 0; }  // it is elasticity
  std::string_view energy() const override { return kElasticEnergy; }
  double stored(const Vector& x, double) const override;
  Power power(const Vector&, const Vector&, const Interval&) const override { return {}; }

 private:
  void measure(const Vector& x) const;

  std::vector<std::shared_ptr<Potential>> elastic_;
  const BlockPattern* pattern_ = nullptr;
  std::optional<BlockMatrix> K_;  ///< made with the first stage: prototypes have none
  Vector x_step_, gradient_;      ///< at the start of the step
  mutable Vector moved_, force_;  ///< work space of evaluate

  /// Where the energy was measured last: the end of one step is the start of the next.
  mutable struct {
    Vector x, gradient;
    double energy = 0;
  } last_;
};

inline constexpr std::string_view kLaggedCorotated = "lagged-corotated";  ///< in scenes

/// The energy that a LaggedSolid is made of.
std::shared_ptr<Potential> make_lagged_corotated(const SolidRest& rest, const Lame& lame);

}  // namespace pliant
