#pragma once

#include "pliant/integrate/stage_scheme.hpp"

namespace pliant {

/// The second backward differentiation formula: one minimisation a step, second order, with the state before
/// as history,
///   y1 = (4 y0 - y_before) / 3 + (2 dt / 3) y1', for positions and velocities.
/// It starts with a step of backward Euler, y1 = y0 + dt y1', and does so again after contact, where vertices
/// are held or released, and where the step changes.
class Bdf2 final : public StageScheme {
 public:
  std::string_view name() const override { return "bdf2"; }
  int order() const override { return 2; }
  Demands offers() const override { return {.ends_with_stage = true, .stages_only = true}; }
  double booked_at_end() const override { return 0.5; }
  std::span<const char* const> history() const override;
  std::optional<Plan> next(const State& start, double dt, std::span<const Answer> so_far) const override;
  void combine(const State& start, double dt, std::span<const Answer> answers, State& end) const override;
};

}  // namespace pliant
