#include "pliant/integrate/runge_kutta.hpp"

#include <algorithm>

namespace pliant {

Demands RungeKutta::offers() const {
  const bool accurate = tableau_.is_stiffly_accurate();
  return {.ends_with_stage = accurate, .stages_only = accurate && tableau_.diagonal(0) != 0};
}

std::optional<Plan> RungeKutta::next(const State& start, double dt, std::span<const Answer> so_far) const {
  const size_t i = so_far.size();
  if (i == tableau_.stages()) return {};
  // y_n + h sum_j<i a_ij Y_j (equation 9), of places and of velocities.
  Vector u = start.x, v = start.v;
  for (size_t j = 0; j < i; ++j) {
    if (tableau_.a[i][j] == 0) continue;
    u += (dt * tableau_.a[i][j]) * so_far[j].u;
    v += (dt * tableau_.a[i][j]) * so_far[j].a;
  }
  const double time = start.time + tableau_.c[i] * dt, length = tableau_.diagonal(i) * dt;
  if (length == 0)
    return Plan{
        .task = Plan::Task::evaluate, .stage = instant(start, dt, time, u, v), .booked = tableau_.b[i] * dt};
  Plan plan{.stage = stage_at(start, dt, time), .booked = tableau_.b[i] * dt, .acts = length};
  plan.stage.c_v = 1 / length;
  plan.stage.c_a = 1 / (length * length);
  plan.stage.x_a = u + length * v;
  plan.stage.x_v = std::move(u);
  if (i > 0) plan.push = so_far.back().a;
  return plan;
}

/// Of a stiffly accurate scheme the last stage is the end.
void RungeKutta::combine(const State&, double dt, std::span<const Answer> answers, State& end) const {
  if (tableau_.is_stiffly_accurate()) {
    end.x = answers.back().x;
    end.v = answers.back().u;
    return;
  }
  for (size_t i = 0; i < answers.size(); ++i) {
    end.x += dt * tableau_.b[i] * answers[i].u;
    end.v += dt * tableau_.b[i] * answers[i].a;
  }
}

/// The difference to the answer of the embedded weights.
std::optional<StepError> RungeKutta::error(double dt, std::span<const Answer> answers) const {
  if (tableau_.embedded.empty()) return {};
  const Index size = answers[0].u.size();
  StepError error{Vector::Zero(size), Vector::Zero(size),
                  std::min(tableau_.order, tableau_.embedded_order) + 1};
  for (size_t i = 0; i < answers.size(); ++i) {
    const double weight = dt * (tableau_.b[i] - tableau_.embedded[i]);
    error.x += weight * answers[i].u;
    error.v += weight * answers[i].a;
  }
  return error;
}

}  // namespace pliant
