#include "pliant/integrate/step_control.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace pliant {

namespace {

constexpr const char* kNextLength = "step_length";
constexpr double kShortest = 1e-6;  ///< of `longest`: then a step is kept, however large its error
/// Of a step to the next, and to itself taken again.
constexpr double kSafely = 0.9, kMostShorter = 0.2, kMostLonger = 4;
/// A step that is not cured by being halved more often is kept as it was at first, and has failed.
constexpr int kMostFailures = 8;
/// Likewise where a contact finds it too long.
constexpr int kMostHalvings = 20;

/// Work that came to nothing.
void count(const Outcome& rejected, Outcome& whole) {
  whole.count(rejected);
  whole.iterations += rejected.iterations;
}

/// The second half of a step after the first.
void append(const StepReport& next, StepReport& whole) {
  whole.outcome.add(next.outcome);
  whole.energies = next.energies;
  whole.work.add(next.work);
  whole.contacts.add(next.contacts);
  whole.contacts.count = next.contacts.count;  // at the end
  whole.contacts.forces = next.contacts.forces;
  whole.verdict = std::max(whole.verdict, next.verdict);
  if (whole.worst.vertex < 0) whole.worst = next.worst;
}

}  // namespace

double StepControl::mean_error(const Vector& x, const Vector& v, double dt) const {
  double of_x = 0, of_v = 0;
  for (Index d = 0; d < x.size(); ++d) {
    of_x += model_.mass[d / 3] * x[d] * x[d];
    of_v += model_.mass[d / 3] * v[d] * v[d];
  }
  return std::sqrt(std::max(of_x, dt * dt * of_v) / model_.mass.sum());
}

StepControl::Trial StepControl::take_once(const State& state, double dt) {
  Trial trial{.state = state, .report = {}};
  trial.report = scheme_.step(trial.state, dt);
  if (trial.report.verdict != Verdict::backward_euler || !options_.backward_euler) return trial;
  if (!backward_euler_) backward_euler_ = options_.backward_euler();
  const Outcome rejected = trial.report.outcome;
  trial.state = state;
  trial.report = backward_euler_->step(trial.state, dt);
  count(rejected, trial.report.outcome);
  // What the scheme remembers is not of this step.
  for (auto& [name, array] : trial.state.arrays)
    if (array.of == EntryOf::vertex) array.forget_all();
  return trial;
}

StepReport StepControl::step(State& state, double dt) { return step(state, dt, 0); }

StepReport StepControl::step(State& state, double dt, int halvings) {
  Trial trial = take_once(state, dt);
  StepReport& report = trial.report;
  if (report.verdict == Verdict::keep || halvings == kMostHalvings) {
    if (report.verdict != Verdict::keep && !has_failed(report.outcome.status))
      report.outcome.status = Status::iteration_limit;
    state = std::move(trial.state);
    return report;
  }
  StepReport whole = step(state, dt / 2, halvings + 1);
  // Where no length was short enough the rest is not cut up in vain.
  const bool in_vain = whole.verdict != Verdict::keep;
  append(step(state, dt / 2, in_vain ? kMostHalvings : halvings + 1), whole);
  count(report.outcome, whole.outcome);
  return whole;
}

StepControl::Trial StepControl::take(const State& state, double dt) {
  Trial trial = take_once(state, dt);
  if (trial.report.verdict != Verdict::keep) return trial;
  if (const auto& estimate = trial.report.error) {
    trial.error = mean_error(estimate->x, estimate->v, dt);
    trial.power = estimate->power;
    return trial;
  }
  const State coarse = std::move(trial.state);
  const Outcome of_coarse = trial.report.outcome;
  const bool coarse_corrected = trial.report.contacts.corrected;
  trial.state = state;
  trial.report = step(trial.state, dt / 2);
  append(step(trial.state, dt / 2), trial.report);
  count(of_coarse, trial.report.outcome);
  const int order = coarse_corrected || trial.report.contacts.corrected ? 1 : std::max(1, scheme_.order());
  trial.power = order + 1;
  trial.error = mean_error(trial.state.x - coarse.x, trial.state.v - coarse.v, dt) / (std::pow(2, order) - 1);
  return trial;
}

StepReport StepControl::advance(State& state, double until) {
  const double left = until - state.time;
  double length = state.kept_number(kNextLength).value_or(left / 16);
  Outcome rejected;
  int failures = 0;
  std::optional<Trial> first_failure;
  const auto finish = [&](Trial& trial, double next_length) {
    trial.state.keep_number(kNextLength, std::max(next_length, kShortest * options_.longest));
    count(rejected, trial.report.outcome);
    state = std::move(trial.state);
    return std::move(trial.report);
  };
  const auto reject = [&](const Trial& trial) { count(trial.report.outcome, rejected); };
  while (true) {
    // The rest is shared out evenly, so that no tiny step remains.
    const double dt = length >= left ? left : left / std::ceil(left / length);
    Trial trial = take(state, dt);
    if (has_failed(trial.report.outcome.status) || trial.report.verdict != Verdict::keep) {
      if (++failures > kMostFailures) {
        reject(trial);
        // A longer one may get past what shorter ones do not.
        const double first_dt = first_failure->state.time - state.time;
        Status& status = first_failure->report.outcome.status;
        if (!has_failed(status)) status = Status::iteration_limit;
        return finish(*first_failure, kMostLonger * first_dt);
      }
      if (first_failure)
        reject(trial);
      else
        first_failure = std::move(trial);
      length = 0.5 * dt;
      continue;
    }
    const double factor =
        trial.error > 0 ? std::clamp(kSafely * std::pow(options_.tolerance / trial.error, 1.0 / trial.power),
                                     kMostShorter, kMostLonger)
                        : kMostLonger;
    if (trial.error <= options_.tolerance || dt <= kShortest * options_.longest) {
      if (first_failure) reject(*first_failure);
      // A step that was cut short at the end says little about longer ones.
      const double next = dt < length ? std::max(length, factor * dt) : factor * dt;
      return finish(trial, factor < 1 ? factor * dt : next);
    }
    reject(trial);
    length = std::min(factor, kSafely) * dt;
  }
}

}  // namespace pliant
