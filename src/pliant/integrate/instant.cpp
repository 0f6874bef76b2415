#include "pliant/integrate/instant.hpp"

namespace pliant {

Stage stage_at(const State& step_start, double dt, double time) {
  Stage stage;
  stage.time = time;
  stage.x_step = step_start.x;
  stage.time_step = step_start.time;
  stage.time_end = step_start.time + dt;
  return stage;
}

Stage instant(const State& step_start, double dt, double time, const Vector& x, const Vector& v) {
  Stage stage = stage_at(step_start, dt, time);
  stage.x_a = x;
  stage.c_v = 1;
  stage.x_v = x - v;
  return stage;
}

}  // namespace pliant
