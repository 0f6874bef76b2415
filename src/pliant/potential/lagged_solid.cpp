#include "pliant/potential/lagged_solid.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/vector_ops.hpp"

namespace pliant {

void LaggedSolid::begin_stage(const Stage& stage) {
  if (x_step_.size() == stage.x_step.size() && x_step_ == stage.x_step) return;
  x_step_ = stage.x_step;
  if (!K_) K_.emplace(*pattern_);
  K_->set_zero();
  for (const auto& body : elastic_) body->add_hessian(x_step_, Definiteness::none, *K_);
  measure(x_step_);
  gradient_ = last_.gradient;
}

void LaggedSolid::measure(const Vector& x) const {
  if (last_.x.size() == x.size() && last_.x == x) return;
  last_.x = x;
  last_.gradient.setZero(x.size());
  last_.energy = 0;
  for (const auto& body : elastic_) {
    std::vector<double> energies(static_cast<size_t>(body->contributions()));
    body->evaluate(x, energies, &last_.gradient);
    last_.energy += sum(energies.data(), std::ssize(energies));
  }
}

void LaggedSolid::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  moved_ = x - x_step_;
  K_->multiply(moved_, force_);
  parallel_chunks(contributions(), 4096, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      energies[i] = 0;
      for (Index d = 3 * i; d < 3 * i + 3; ++d) {
        energies[i] += moved_[d] * (gradient_[d] + 0.5 * force_[d]);
        if (gradient) (*gradient)[d] += gradient_[d] + force_[d];
      }
    }
  });
}

void LaggedSolid::add_hessian(const Vector&, Definiteness, BlockMatrix& hessian) const {
  hessian.add_scaled(*K_, 1);
}

double LaggedSolid::stored(const Vector& x, double) const {
  measure(x);
  return last_.energy;
}

std::unique_ptr<StageTerm> LaggedSolid::stage_sub_model(const SubModel& sub_model) const {
  std::vector<std::shared_ptr<Potential>> parts;
  for (const auto& body : elastic_)
    if (std::shared_ptr<Potential> part = body->sub_model(sub_model)) parts.push_back(std::move(part));
  return parts.empty() ? nullptr : std::make_unique<LaggedSolid>(std::move(parts));
}

}  // namespace pliant
