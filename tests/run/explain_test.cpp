#include "pliant/run/explain.hpp"

namespace pliant::explain_test {
namespace {

StepReport failed(Status status, double residual) {
  StepReport report;
  report.outcome.status = status;
  report.outcome.iterations = 40;
  report.outcome.linear_solves = 40;
  report.outcome.residual = residual;
  report.worst = {"torus", 17, 45, 12.5};
  return report;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Explain, NamesBodyElementAndForce) {
  const std::string text = explain(failed(Status::stalled, 1), 1e-3, "newton-cg");
  EXPECT_TRUE(says(text, "12.5 N, is at vertex 17 of body \"torus\", in its element 45")) << text;
}

TEST(Explain, LeavesOutAPlaceThatIsNotKnown) {
  StepReport report = failed(Status::stalled, 1);
  report.worst = {};
  EXPECT_FALSE(says(explain(report, 1e-3, "newton-cg"), "vertex"));
}

TEST(Explain, StatesResidualAndTolerance) {
  const std::string text = explain(failed(Status::iteration_limit, 0.25), 1e-3, "newton-cg");
  EXPECT_TRUE(says(text, "residual of 0.25 (tolerance 0.001")) << text;
}

TEST(Explain, IterationLimitAdvisesMoreIterations) {
  const std::string text = explain(failed(Status::iteration_limit, 1), 1e-3, "newton-cg");
  EXPECT_TRUE(says(text, "iteration limit was reached after 40 iterations")) << text;
  EXPECT_TRUE(says(text, "solver.max_iterations")) << text;
}

TEST(Explain, StalledBlamesTheLineSearch) {
  const std::string text = explain(failed(Status::stalled, 1), 1e-3, "newton-cg");
  EXPECT_TRUE(says(text, "line search found no lower energy")) << text;
  EXPECT_TRUE(says(text, "time.steps_per_frame")) << text;
}

TEST(Explain, AdvisesALooserToleranceOnlyWhereItWouldHelp) {
  EXPECT_TRUE(says(explain(failed(Status::stalled, 2e-3), 1e-3, "newton-cg"), "looser solver.tolerance"));
  EXPECT_FALSE(says(explain(failed(Status::stalled, 2), 1e-3, "newton-cg"), "looser solver.tolerance"));
}

TEST(Explain, NonFiniteNumbersAreNamed) {
  const std::string text = explain(failed(Status::not_finite, 1), 1e-3, "newton-cg");
  EXPECT_TRUE(says(text, "was not a finite number")) << text;
  EXPECT_FALSE(says(text, "residual")) << "of a scheme that solves nothing";
  StepReport report = failed(Status::not_finite, 1);
  report.outcome.first_residual = 2;
  EXPECT_TRUE(says(explain(report, 1e-3, "newton-cg"), "after 40 iterations at a residual of 1 "));
}

TEST(Explain, LinearSolverFailuresAreCounted) {
  StepReport report = failed(Status::stalled, 1);
  report.outcome.linear_failures = 4;
  const std::string text = explain(report, 1e-3, "newton-cholesky");
  EXPECT_TRUE(says(text, "4 of 40 linear solves missed their tolerance")) << text;
  EXPECT_TRUE(says(text, "another solver.method")) << text;
}

TEST(Explain, AContactProgramSaysWhatStoppedIt) {
  StepReport report = failed(Status::stalled, 1e-4);
  report.contacts.correction = Correction::too_large;
  EXPECT_TRUE(says(explain(report, 1e-3, "newton-cg"), "Use coarser surfaces"));
  report.contacts.correction = Correction::contradictory;
  EXPECT_TRUE(says(explain(report, 1e-3, "newton-cg"), "contradict each other"));
  report.contacts.correction = Correction::inaccurate;
  EXPECT_TRUE(says(explain(report, 1e-3, "newton-cg"), "not solved to its tolerance. Try"));
  report.contacts.correction_error = 0.03;
  EXPECT_TRUE(says(explain(report, 1e-3, "newton-cg"), "wrong by 0.03 of their size"));
}

TEST(Explain, PlainNewtonIsToldOfTheSafeguardedOne) {
  const std::string text = explain(failed(Status::not_finite, 1), 1e-3, "newton-plain");
  EXPECT_TRUE(says(text, "solver.method = \"newton-cg\"")) << text;
}

}  // namespace
}  // namespace pliant::explain_test
