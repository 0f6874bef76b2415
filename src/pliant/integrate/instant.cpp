#include "pliant/integrate/instant.hpp"

namespace pliant {

Stage instant(const State& step_start, double dt, double time, const Vector& x, const Vector& v) {
  Stage stage;
  stage.time = time;
  stage.x_a = x;
  stage.c_v = 1;
  stage.x_v = x - v;
  stage.x_step = step_start.x;
  stage.time_step = step_start.time;
  stage.time_end = step_start.time + dt;
  return stage;
}

bool changes_hold(const Model& model, double t, double dt) {
  return !model.scripts.empty() && model.fixed_dofs(t) != model.fixed_dofs(t + dt);
}

}  // namespace pliant
