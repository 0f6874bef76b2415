#include "pliant/minimize/lbfgs.hpp"

#include <cmath>

#include "pliant/base/timer.hpp"

namespace pliant {

void Lbfgs::learn(const Field& step, const Field& before, const Field& after) {
  const SecantPairs::Learned learned = pairs_.measure(step, before, after, rest_);
  // Curvature that is not clearly positive would make the matrix indefinite.
  constexpr double kLeast = 1e-8;
  if (!(learned.curvature > kLeast * std::sqrt(learned.steps) * std::sqrt(learned.changes))) return;
  initial_->learn(step, rest_);
  pairs_.keep();
  if (pairs_.count() > window_) pairs_.forget_oldest();
}

/// The first of the two loops of algorithm 4. The products that they need follow from those with the first
/// vector of each and from those of pairs with each other, which do not change.
std::vector<double> Lbfgs::first_loop(const Field& gradient) {
  const Index count = pairs_.count();
  std::vector<double> zeta = pairs_.steps_with(gradient);
  for (Index i = count - 1; i >= 0; --i) {
    for (Index newer = i + 1; newer < count; ++newer) zeta[i] -= zeta[newer] * pairs_.product(newer, i);
    zeta[i] /= pairs_.product(i, i);
  }
  return zeta;
}

std::vector<double> Lbfgs::second_loop(const std::vector<double>& zeta, const Field& step) const {
  std::vector<double> back = pairs_.changes_with(step);
  for (Index i = 0; i < pairs_.count(); ++i) {
    for (Index older = 0; older < i; ++older) back[i] += back[older] * pairs_.product(i, older);
    back[i] = zeta[i] - back[i] / pairs_.product(i, i);
  }
  return back;
}

DirectionReport Lbfgs::compute(Objective& objective, const DirectionQuery& query, Field& step) {
  DirectionReport report;
  if (query.iteration == 1) {
    pairs_.clear();
    usable_ = initial_->begin(objective, query, report);
    if (usable_)
      initial_->assign(objective, preconditioner_);
    else
      preconditioner_.assign(objective.metric());
  }
  if (!usable_) {
    report.failed = true;
    return report;
  }
  const auto worth = static_cast<Index>(std::lround(window_ * (1 - query.renewed)));
  while (pairs_.count() > worth) pairs_.forget_oldest();
  const ScopedTimer timer(report.linear_seconds);
  report.linear_solves = 1;
  report.downhill = true;
  const bool any = pairs_.count() > 0;
  const std::vector<double> zeta = first_loop(query.gradient);
  if (any) {
    std::vector<double> away = zeta;
    for (double& factor : away) factor = -factor;
    pairs_.add_changes(away, query.gradient, rest_);
  }
  initial_->solve(any ? rest_ : query.gradient, step, report);
  pairs_.add_steps_and_turn(second_loop(zeta, step), objective.fixed(), step);
  if (query.set) query.set->restrict(step);
  return report;
}

}  // namespace pliant
