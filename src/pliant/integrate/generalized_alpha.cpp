#include "pliant/integrate/generalized_alpha.hpp"

#include <cmath>

namespace pliant {

namespace {
constexpr const char *kAcceleration = "acceleration", *kAccelerationTime = "time_before";
constexpr const char* kAlphaHistory[] = {kAcceleration, kAccelerationTime};
}  // namespace

AlphaWeights AlphaWeights::of(double rho) {
  AlphaWeights w;
  w.alpha_m = (2 * rho - 1) / (rho + 1);
  w.alpha_f = rho / (rho + 1);
  w.gamma = 0.5 - w.alpha_m + w.alpha_f;
  w.beta = (1 - w.alpha_m + w.alpha_f) * (1 - w.alpha_m + w.alpha_f) / 4;
  return w;
}

std::span<const char* const> GeneralizedAlpha::history() const { return kAlphaHistory; }

GeneralizedAlpha::Start GeneralizedAlpha::at_start(const State& start, double dt) const {
  const Vector* kept = start.kept(kAcceleration);
  const std::optional<double> before = start.kept_number(kAccelerationTime);
  if (!kept || !before) return {};
  const double ratio = dt / (start.time - *before);
  return {kept, ratio, w_.alpha_m != w_.alpha_f && !(std::abs(ratio - 1) < 1e-6)};
}

Vector GeneralizedAlpha::Start::acceleration(std::span<const Answer> answers) const {
  if (!forces) return *kept;
  const Vector& now = answers[0].a;
  return kept ? Vector(now + ratio * (*kept - now)) : now;
}

/// With u1 = (x - alpha_f u0) / (1 - alpha_f), the unknown x being u at t_n+1 - alpha_f dt, both
///   a1 = (u1 - u0 - dt v0 - dt^2 (1/2 - beta) a0) / (beta dt^2) and v1 = v0 + dt ((1 - gamma) a0 + gamma a1)
/// are linear in x, and so are their means with the values of the start.
std::optional<Plan> GeneralizedAlpha::next(const State& start, double dt,
                                           std::span<const Answer> so_far) const {
  const Start begin = at_start(start, dt);
  if (so_far.empty()) return Plan::begin(start, dt, dt / 2, begin.forces);
  if (so_far.size() == 2) return {};
  const Vector a0 = begin.acceleration(so_far);
  const double share = 1 - w_.alpha_f;
  // Where a1 = 0.
  const Vector coast = start.x + share * (dt * start.v + dt * dt * (0.5 - w_.beta) * a0);
  Plan plan{.stage = stage_at(start, dt, start.time + share * dt)};
  Stage& stage = plan.stage;
  stage.delay = (w_.alpha_m - w_.alpha_f) * dt;
  stage.c_a = (1 - w_.alpha_m) / (share * w_.beta * dt * dt);
  stage.x_a = coast - (w_.alpha_m / stage.c_a) * a0;
  stage.c_v = w_.gamma / (w_.beta * dt);
  stage.x_v = coast - (1 / stage.c_v) * (start.v + share * dt * (1 - w_.gamma) * a0);
  plan.acts = w_.gamma * dt / (1 - w_.alpha_m);
  plan.push = a0;
  return plan;
}

void GeneralizedAlpha::combine(const State& start, double dt, std::span<const Answer> answers,
                               State& end) const {
  const Vector a0 = at_start(start, dt).acceleration(answers);
  end.x = (answers.back().x - w_.alpha_f * start.x) / (1 - w_.alpha_f);
  const Vector a1 = (end.x - start.x - dt * start.v - dt * dt * (0.5 - w_.beta) * a0) / (w_.beta * dt * dt);
  end.v = start.v + dt * ((1 - w_.gamma) * a0 + w_.gamma * a1);
  end.keep(kAcceleration, a1);
  end.keep_number(kAccelerationTime, start.time);
}

}  // namespace pliant
