#include "pliant/integrate/bdf2.hpp"

#include <cmath>

namespace pliant {

namespace {
constexpr const char *kPlacesBefore = "x_before", *kVelocitiesBefore = "v_before",
                     *kTimeBefore = "time_before";
constexpr const char* kBdf2History[] = {kPlacesBefore, kVelocitiesBefore, kTimeBefore};
}  // namespace

std::span<const char* const> Bdf2::history() const { return kBdf2History; }

std::optional<Plan> Bdf2::next(const State& start, double dt, std::span<const Answer> so_far) const {
  if (so_far.empty()) return Plan::begin(start, dt, dt / 2, false);
  if (so_far.size() == 2) return {};
  const std::optional<double> time = start.kept_number(kTimeBefore);
  const Vector *x = start.kept(kPlacesBefore), *v = start.kept(kVelocitiesBefore);
  const bool usable = time && x && v && std::abs(start.time - *time - dt) < 1e-6 * dt;
  const double length = usable ? 2 * dt / 3 : dt;
  const Vector u = usable ? Vector((4 * start.x - *x) / 3) : start.x;
  const Vector w = usable ? Vector((4 * start.v - *v) / 3) : start.v;
  Plan plan{.stage = stage_at(start, dt, start.time + dt)};
  plan.stage.c_v = 1 / length;
  plan.stage.x_v = u;
  plan.stage.c_a = 1 / (length * length);
  plan.stage.x_a = u + length * w;
  plan.acts = 1 / plan.stage.c_v;
  return plan;
}

void Bdf2::combine(const State& start, double, std::span<const Answer> answers, State& end) const {
  end.x = answers.back().x;
  end.v = answers.back().u;
  end.keep(kPlacesBefore, start.x);
  end.keep(kVelocitiesBefore, start.v);
  end.keep_number(kTimeBefore, start.time);
}

}  // namespace pliant
