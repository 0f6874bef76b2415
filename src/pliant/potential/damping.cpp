#include "pliant/potential/damping.hpp"

#include <algorithm>

#include "pliant/base/parallel.hpp"
#include "pliant/base/vector_ops.hpp"

namespace pliant {

void StiffnessDamping::add_pattern(std::vector<std::pair<int, int>>& edges) const {
  for (const Potential* elastic : elastic_) elastic->add_pattern(edges);
}

void StiffnessDamping::begin_stage(const Stage& stage) {
  // Where velocities play no part, D is not needed; that of another step stays, with its place.
  if (stage.c_v != 0 && (x_step_.size() != stage.x_step.size() || x_step_ != stage.x_step)) {
    x_step_ = stage.x_step;
    if (!D_) D_.emplace(*pattern_);
    D_->set_zero();
    for (const Potential* elastic : elastic_) elastic->add_hessian(x_step_, Definiteness::clamp, *D_);
  }
  c_v_ = stage.c_v;
  x_v_ = stage.x_v;
}

void StiffnessDamping::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  if (c_v_ == 0) {
    std::fill(energies.begin(), energies.end(), 0.0);
    return;
  }
  moved_ = x - x_v_;
  D_->multiply(moved_, force_);
  const double factor = c_v_ * beta_;
  parallel_chunks(contributions(), 4096, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const double *d = moved_.data() + 3 * i, *f = force_.data() + 3 * i;
      energies[i] = 0.5 * factor * (d[0] * f[0] + d[1] * f[1] + d[2] * f[2]);
      if (gradient)
        for (int k = 0; k < 3; ++k) (*gradient)[3 * i + k] += factor * f[k];
    }
  });
}

void StiffnessDamping::add_hessian(const Vector&, Definiteness, BlockMatrix& hessian) const {
  if (c_v_ != 0) hessian.add_scaled(*D_, c_v_ * beta_);
}

void StiffnessDamping::add_proxy(const StretchRange& range, ScalarMatrix& proxy) const {
  ScalarMatrix of_elastic(proxy.pattern());
  for (const Potential* elastic : elastic_)
    if (const auto* constant = dynamic_cast<const ConstantProxy*>(elastic))
      constant->add_proxy(range, of_elastic);
  proxy.add_scaled(of_elastic, c_v_ * beta_);
}

StageTerm::Power StiffnessDamping::power(const Vector&, const Vector& v, const Interval&) const {
  if (c_v_ == 0) return {};
  D_->multiply(v, force_);
  return {.dissipated = beta_ * dot(force_, v)};
}

void MassDamping::begin_stage(const Stage& stage) {
  c_v_ = stage.c_v;
  x_v_ = stage.x_v;
}

void MassDamping::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  parallel_chunks(contributions(), 4096, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const double factor = c_v_ * coefficients_[i];
      double squared = 0;
      for (int k = 0; k < 3; ++k) {
        const double moved = x[3 * i + k] - x_v_[3 * i + k];
        squared += moved * moved;
        if (gradient) (*gradient)[3 * i + k] += factor * moved;
      }
      energies[i] = 0.5 * factor * squared;
    }
  });
}

void MassDamping::add_hessian(const Vector&, Definiteness, BlockMatrix& hessian) const {
  for (int i = 0; i < contributions(); ++i)
    for (int k = 0; k < 3; ++k)
      hessian.block(hessian.pattern().diagonal(i))[4 * k] += c_v_ * coefficients_[i];
}

void MassDamping::add_proxy(const StretchRange&, ScalarMatrix& proxy) const {
  for (int i = 0; i < contributions(); ++i) proxy.add_diagonal(i, c_v_ * coefficients_[i]);
}

StageTerm::Power MassDamping::power(const Vector&, const Vector& v, const Interval&) const {
  Power power;
  for (Index d = 0; d < v.size(); ++d) power.dissipated += coefficients_[d / 3] * v[d] * v[d];
  return power;
}

std::unique_ptr<StageTerm> StiffnessDamping::stage_sub_model(const SubModel& sub_model) const {
  auto made = std::make_unique<StiffnessDamping>(std::vector<const Potential*>{}, beta_);
  for (const Potential* elastic : elastic_) {
    std::shared_ptr<Potential> part = elastic->sub_model(sub_model);
    if (!part) continue;
    made->elastic_.push_back(part.get());
    made->own_.push_back(std::move(part));
  }
  if (made->own_.empty()) return nullptr;
  return made;
}

std::unique_ptr<StageTerm> MassDamping::stage_sub_model(const SubModel& sub_model) const {
  Vector coefficients(std::ssize(sub_model.vertices));
  for (Index i = 0; i < coefficients.size(); ++i) coefficients[i] = coefficients_[sub_model.vertices[i]];
  if (coefficients.isZero(0)) return nullptr;
  return std::make_unique<MassDamping>(std::move(coefficients));
}

}  // namespace pliant
