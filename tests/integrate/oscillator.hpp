#pragma once

// A point on a hardening spring, driven and damped: M u'' = -k1 u - k3 u^3 - D u' + F cos(w t), along x.

#include <cmath>

#include "pliant/integrate/schemes.hpp"
#include "pliant/potential/damping.hpp"
#include "pliant/system/model.hpp"

namespace pliant::testing {

struct OscillatorOptions {
  double mass = 2, damping = 0.3, k1 = 5, k3 = 3, force = 0.5, frequency = 2;
};

class HardSpring final : public Potential {
 public:
  HardSpring(double k1, double k3) : k1_(k1), k3_(k3) {}
  Index contributions() const override { return 1; }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override {
    const double u = x[0], uu = u * u;
    energies[0] = uu * (k1_ / 2 + k3_ / 4 * uu);
    if (gradient) (*gradient)[0] += u * (k1_ + k3_ * uu);
  }
  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override {
    const double k = k1_ + 3 * k3_ * x[0] * x[0];
    hessian.block(hessian.pattern().diagonal(0))[0] +=
        definiteness == Definiteness::none ? k : std::max(k, 0.0);
  }
  std::unique_ptr<Potential> sub_model(const SubModel&) const override { return nullptr; }

 private:
  double k1_, k3_;
};

class Drive final : public StageTerm {
 public:
  Drive(double force, double frequency) : force_(force), frequency_(frequency) {}
  Index contributions() const override { return 1; }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override {
    energies[0] = -now_ * x[0];
    if (gradient) (*gradient)[0] -= now_;
  }
  void add_hessian(const Vector&, Definiteness, BlockMatrix&) const override {}
  std::unique_ptr<StageTerm> clone() const override { return std::make_unique<Drive>(*this); }
  std::unique_ptr<StageTerm> stage_sub_model(const SubModel&) const override { return nullptr; }
  void begin_stage(const Stage& stage) override { now_ = force_ * std::cos(frequency_ * stage.time); }
  double stiffness() const override { return 0; }
  std::string_view energy() const override { return {}; }
  double stored(const Vector&, double) const override { return 0; }
  Power power(const Vector&, const Vector& v, const Interval&) const override {
    return {.supplied = now_ * v[0]};
  }

 private:
  double force_, frequency_, now_ = 0;
};

struct Oscillator {
  Model model;
  State state;

  explicit Oscillator(const OscillatorOptions& o = {}) {
    model.mass = Vector::Constant(1, o.mass);
    model.terms.push_back({"point", kElasticEnergy, std::make_unique<HardSpring>(o.k1, o.k3)});
    model.stage_terms.push_back(std::make_unique<MassDamping>(Vector::Constant(1, o.damping)));
    model.stage_terms.push_back(std::make_unique<Drive>(o.force, o.frequency));
    model.finish();
    model.diameter = 1;
    state.x = Vec3(1, 0, 0);
    state.v = Vec3(-0.5, 0, 0);
  }
};

}  // namespace pliant::testing
