// Schemes of stages are arithmetic on vectors: here they move a weight on a spring without any model, by a
// driver of a few lines that solves each stage exactly.
#include "pliant/integrate/stage_scheme.hpp"

#include "pliant/integrate/schemes.hpp"
#include "test_names.hpp"

namespace pliant::stage_scheme_test {
namespace {

constexpr double kStiffness = 4, kSpeed = 2;  // of a weight of 1 kg: N/m, rad/s

std::vector<std::string> schemes_of_stages() {
  std::vector<std::string> names;
  for (const SchemeKind& kind : scheme_kinds())
    if (make_stage_scheme({.name = std::string(kind.name)})) names.emplace_back(kind.name);
  return names;
}

Answer take(const Plan& plan) {
  const Stage& stage = plan.stage;
  if (plan.task != Plan::Task::solve) return {stage.x_a, stage.x_a - stage.x_v, -kStiffness * stage.x_a};
  const Vector x = stage.c_a / (stage.c_a + kStiffness) * stage.x_a;  // where c_a (x - x_a) = -k x
  return {x, stage.c_v * (x - stage.x_v), stage.c_a * (x - stage.x_a)};
}

void step(const StageScheme& scheme, State& state, double dt) {
  std::vector<Answer> answers;
  while (const auto plan = scheme.next(state, dt, answers)) answers.push_back(take(*plan));
  State end = state;
  end.time = state.time + dt;
  scheme.combine(state, dt, answers, end);
  state = end;
}

class OfStages : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Schemes, OfStages, ::testing::ValuesIn(schemes_of_stages()),
                         [](const auto& parameter) { return testing::as_test_name(parameter.param); });

TEST_P(OfStages, NeedNoModel) {
  const auto scheme = make_stage_scheme({.name = GetParam()});
  const auto error = [&](int steps) {
    State state{.time = 0, .x = Vec3(1, 0, -2), .v = Vec3(0, 1, 0.5), .arrays = {}};
    const Vector x = std::cos(kSpeed) * state.x + std::sin(kSpeed) / kSpeed * state.v;
    for (int i = 0; i < steps; ++i) step(*scheme, state, 1.0 / steps);
    return (state.x - x).norm();
  };
  const int steps = scheme->order() > 3 ? 50 : 400;
  EXPECT_GT(std::log2(error(steps) / error(2 * steps)), scheme->order() - 0.2);
}

TEST_P(OfStages, NeedNothingButTheStateToGoOn) {
  State state{.time = 0, .x = Vec3(1, 0, -2), .v = Vec3(0, 1, 0.5), .arrays = {}};
  State again = state;
  const auto scheme = make_stage_scheme({.name = GetParam()});
  for (int i = 0; i < 5; ++i) {
    step(*scheme, state, 0.1);
    step(*make_stage_scheme({.name = GetParam()}), again, 0.1);
  }
  EXPECT_EQ(state, again);
  for (const auto& [name, array] : state.arrays) {
    const std::span<const char* const> history = scheme->history();
    EXPECT_NE(std::find(history.begin(), history.end(), name), history.end()) << name << " is not named";
  }
}

}  // namespace
}  // namespace pliant::stage_scheme_test
