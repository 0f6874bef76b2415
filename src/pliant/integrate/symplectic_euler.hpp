#pragma once

#include "pliant/integrate/stage_scheme.hpp"

namespace pliant {

/// Explicit: velocities by the forces at the start of the step, then places by the new velocities (liu-2018,
/// Eq. 3.23 and 3.24). Keeps energy over long times, for steps that are short enough.
class SymplecticEuler final : public StageScheme {
 public:
  std::string_view name() const override { return "symplectic-euler"; }
  int order() const override { return 1; }
  Demands offers() const override { return {}; }
  std::optional<Plan> next(const State& start, double dt, std::span<const Answer> so_far) const override;
  void combine(const State& start, double dt, std::span<const Answer> answers, State& end) const override;
};

}  // namespace pliant
