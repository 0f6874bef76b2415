#pragma once

#include "pliant/potential/capabilities.hpp"
#include "pliant/potential/potential.hpp"
#include "pliant/potential/stencils.hpp"

namespace pliant {

/// Gravity: Phi = -sum m_i g . x_i, one contribution a vertex. Not bounded below by itself, but with the
/// inertia of a stage it is.
class Gravity final : public Potential, public ConstantProxy, public ConstantHessian, public Stencils {
 public:
  Gravity(Vector mass, const Vec3& acceleration) : mass_(std::move(mass)), g_(acceleration) {}

  Index contributions() const override { return mass_.size(); }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override;
  void add_hessian(const Vector&, Definiteness, BlockMatrix&) const override {}
  void add_proxy(const StretchRange&, ScalarMatrix&) const override {}
  bool is_projective() const override { return true; }
  std::unique_ptr<Potential> sub_model(const SubModel& sub_model) const override;

  /// A vertex; its rest record is its mass and the acceleration.
  const StencilKind& kind() const override;
  Index stencils() const override { return mass_.size(); }
  void copy_stencil(Index stencil, int* vertices, double* rest) const override;

 private:
  Vector mass_;
  Vec3 g_;
};

}  // namespace pliant
