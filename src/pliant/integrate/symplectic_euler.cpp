#include "pliant/integrate/symplectic_euler.hpp"

namespace pliant {

std::optional<Plan> SymplecticEuler::next(const State& start, double dt,
                                          std::span<const Answer> so_far) const {
  if (!so_far.empty()) return {};
  return Plan{
      .task = Plan::Task::evaluate, .stage = instant(start, dt, start.time, start.x, start.v), .booked = dt};
}

void SymplecticEuler::combine(const State&, double dt, std::span<const Answer> answers, State& end) const {
  end.v += dt * answers[0].a;
  end.x += dt * end.v;
}

}  // namespace pliant
