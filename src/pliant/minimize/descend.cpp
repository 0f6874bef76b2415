#include "pliant/minimize/descend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "pliant/base/timer.hpp"

namespace pliant {

std::string_view name(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::converged_to_roundoff:
      return "converged-to-roundoff";
    case Status::as_asked:
      return "as-asked";
    case Status::stalled:
      return "stalled";
    case Status::iteration_limit:
      return "iteration-limit";
    case Status::not_finite:
      return "not-finite";
  }
  return "unknown";
}

void Outcome::count(const DirectionReport& report) {
  linear_solves += report.linear_solves;
  cg_iterations += report.cg_iterations;
  indefinite += report.indefinite;
  linear_failures += report.failed || report.inexact;
  assembly_seconds += report.assembly_seconds;
  linear_seconds += report.linear_seconds;
}

void Outcome::count(const Outcome& other) {
  linear_solves += other.linear_solves;
  local_solves += other.local_solves;
  cg_iterations += other.cg_iterations;
  evaluations += other.evaluations;
  indefinite += other.indefinite;
  fallbacks += other.fallbacks;
  linear_failures += other.linear_failures;
  assembly_seconds += other.assembly_seconds;
  linear_seconds += other.linear_seconds;
  search_seconds += other.search_seconds;
  met_infinity |= other.met_infinity;
}

void Outcome::go_on(const Outcome& next) {
  status = next.status;
  iterations += next.iterations;
  residual = next.residual;
  count(next);
}

void Outcome::add(const Outcome& next) {
  status = std::max(status, next.status);  // ordered from good to bad
  iterations += next.iterations;
  if (!(next.first_residual <= first_residual)) first_residual = next.first_residual;
  if (!(next.residual <= residual)) residual = next.residual;  // so that no NaN is passed over
  count(next);
}

namespace {

/// The state of one descent; each member function is a step of gast-2014, section 3.1.
class Descent {
 public:
  Descent(Objective& objective, Direction& direction, LineSearch& search, const DescentOptions& options,
          Field& x)
      : objective_(objective),
        set_(dynamic_cast<FeasibleSet*>(&objective)),
        direction_(direction),
        search_(search),
        options_(options),
        x_(x) {}

  Outcome run(const SearchPoint* known) {
    if (!start(known)) return finish(Status::not_finite);
    while (true) {
      begin_iteration();
      if (options_.watch) options_.watch(out_.iterations, here_.x);
      if (small_enough()) return finish(Status::converged);
      if (options_.iterations > 0 && out_.iterations == options_.iterations) return finish(Status::as_asked);
      if (all_used()) return finish(Status::iteration_limit);
      if (lost_in_noise()) return finish(Status::converged_to_roundoff);
      if (take_proposals()) {
        begin_iteration();
        if (small_enough()) return finish(Status::converged);
      }
      ++out_.iterations;
      fell_back_ = false;
      const bool usable = compute_step();
      if (!usable && !options_.checks) return finish(Status::stalled);
      if (options_.checks) {
        make_downhill(usable);
        clamp_length();
        for (Safeguard* safeguard : options_.safeguards) safeguard->shape(out_.iterations, here_, step_);
      }
      if (!search()) return finish(small_enough() ? Status::converged : failed_search_);
      take_step();
    }
  }

 private:
  bool all_used() const {
    return out_.iterations == options_.max_iterations ||
           (out_.met_infinity && out_.iterations - met_infinity_at_ >= options_.max_near_walls);
  }

  bool start(const SearchPoint* known) {
    copy(x_, here_.x);
    if (known) {
      copy(known->gradient, here_.gradient);
      here_.noise = known->noise;
    } else {
      if (set_) set_->project(here_.x);
      ++out_.evaluations;
      here_.value = objective_.evaluate(here_.x, &here_.gradient).difference;
      here_.noise = objective_.set_reference();
    }
    out_.residual = out_.first_residual = objective_.residual(here_.gradient);
    return std::exchange(here_.value, 0) < std::numeric_limits<double>::infinity() &&
           std::isfinite(out_.residual);
  }

  void begin_iteration() { renewed_ = objective_.begin_iteration(here_.x, here_.gradient).share(); }

  bool small_enough() {
    out_.residual = objective_.residual(here_.gradient);
    if (out_.iterations == 0) out_.first_residual = out_.residual;
    if (!options_.checks && !options_.monotone && out_.residual < best_residual_) {
      best_residual_ = out_.residual;
      copy(here_.x, best_x_);
    }
    return out_.residual < options_.tolerance && out_.iterations >= options_.min_iterations;
  }

  bool compute_step() {
    const DirectionReport report =
        direction_.compute(objective_,
                           {here_.x, here_.gradient, out_.residual, options_.tolerance, out_.iterations,
                            renewed_, last_length_, set_},
                           step_);
    downhill_ = report.downhill;
    out_.count(report);
    return !report.failed && all_finite(step_);
  }

  void use_preconditioned_gradient() {
    direction_.preconditioner().solve(here_.gradient, step_);
    negate(step_, step_);
    fell_back_ = true;
    ++out_.fallbacks;
  }

  /// Steps whose gain cannot be measured are worth taking while they bring the gradient down, and no longer.
  bool lost_in_noise() {
    if (out_.residual < 0.5 * lowest_residual_) {
      lowest_residual_ = out_.residual;
      steps_in_noise_ = 0;
    }
    constexpr int kPatience = 5;
    return options_.checks && steps_in_noise_ >= kPatience && within_roundoff();
  }

  /// Whether roundoff explains all the gradient that is left: unknowns that are wrong in their last digit
  /// change it by about as much. Where a matrix is so stiff that the inertia drowns in it (an element that is
  /// nearly a point) they may change it by anything, which explains nothing.
  bool within_roundoff() {
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon(), kFew = 10;
    if (kEpsilon * direction_.stiffness_ratio(objective_) > 1) return false;
    copy(here_.x, scratch_);
    scale(kEpsilon, scratch_);
    direction_.preconditioner().multiply(scratch_, change_);
    clear_where(objective_.fixed(), change_);
    return objective_.residual(here_.gradient) <= kFew * objective_.residual(change_);
  }

  /// Angles are measured in the preconditioner's norm, which does not depend on units or on the mesh. Where
  /// the matrix is definite hardly any angle is asked for: in a stiff body good directions are nearly
  /// perpendicular to the gradient.
  void make_downhill(bool usable) {
    if (!usable) return use_preconditioned_gradient();
    const auto [slope, steps, gradients] = products(step_, here_.gradient);
    const double share = (downhill_ ? 1e-4 : 1) * options_.kappa;
    // Most are downhill by any norm, and this one is quicker.
    if (downhill_ && slope < -share * std::sqrt(steps) * std::sqrt(gradients)) return;
    const double gradient_length = std::sqrt(direction_.preconditioner().solve(here_.gradient, scratch_));
    const double step_length = std::sqrt(direction_.preconditioner().multiply(step_, scratch_));
    if (gradient_length == 0) return;
    const double least = share * step_length * gradient_length;
    if (slope < -least) return;
    if (slope > least)
      negate(step_, step_);
    else
      use_preconditioned_gradient();
  }

  /// No block moves further than the objective allows; the direction stays.
  void clamp_length() {
    const double longest = longest_block(step_);
    if (longest > objective_.longest_step()) scale(objective_.longest_step() / longest, step_);
  }

  /// Where no lower point is found along the step, the preconditioned gradient gets a try before giving up.
  bool search() {
    const ScopedTimer timer(out_.search_seconds);
    SearchReport report = search_once();
    if (!report.accepted && options_.checks && !fell_back_ && !within_roundoff()) {
      use_preconditioned_gradient();
      clamp_length();
      report = search_once();
    }
    if (report.accepted && !(next_.value < std::numeric_limits<double>::infinity())) {
      failed_search_ = Status::not_finite;
      return false;
    }
    if (!report.accepted)
      failed_search_ = within_roundoff() ? Status::converged_to_roundoff : Status::stalled;
    return report.accepted;
  }

  SearchReport search_once() {
    const double longest = objective_.limit(here_.x, step_);
    if (!(longest > 0)) return {};
    here_.slope = dot(here_.gradient, step_);
    const SearchReport report = search_.search({objective_, set_, here_, step_, longest}, next_);
    out_.evaluations += report.evaluations;
    if (report.met_infinity && !out_.met_infinity) met_infinity_at_ = out_.iterations;
    out_.met_infinity |= report.met_infinity;
    return report;
  }

  void take_step() {
    steps_in_noise_ = next_.value > -next_.noise ? steps_in_noise_ + 1 : 0;
    if (direction_.learns()) {
      add_scaled(-1, here_.x, next_.x, scratch_);
      copy(next_.gradient, change_);
      if (set_) set_->restrict(change_);
      direction_.learn(scratch_, here_.gradient, change_);
    }
    last_length_ = fell_back_ ? 0 : next_.alpha;
    go_to_next();
  }

  void go_to_next() {
    std::swap(here_, next_);
    here_.noise = objective_.set_reference();
    here_.value = 0;
  }

  /// Points that safeguards know of are taken where they are lower.
  bool take_proposals() {
    if (!options_.checks) return false;
    const ScopedTimer timer(out_.search_seconds);
    bool taken = false;
    for (Safeguard* safeguard : options_.safeguards) taken |= take_proposal(*safeguard);
    return taken;
  }

  bool take_proposal(Safeguard& safeguard) {
    const Safeguard::Proposal proposal = safeguard.propose(out_.iterations, here_, next_.x);
    out_.local_solves += proposal.linear_solves;
    if (!proposal.made) return false;
    add_scaled(-1, here_.x, next_.x, scratch_);
    const double longest = objective_.limit(here_.x, scratch_);
    if (std::isfinite(longest)) add_scaled(std::min(1.0, longest), scratch_, here_.x, next_.x);
    if (set_) set_->project(next_.x);
    ++out_.evaluations;
    next_.value = objective_.evaluate(next_.x, &next_.gradient).difference;
    if (!(next_.value < 0)) return false;
    go_to_next();
    return true;
  }

  Outcome finish(Status status) {
    out_.status = status;
    // With a line search the last point is the lowest one; without, an earlier one may have come closer.
    const bool was_better = !is_converged(status) && !best_x_.empty();
    copy(was_better ? best_x_ : here_.x, x_);
    if (was_better) out_.residual = best_residual_;
    return out_;
  }

  Objective& objective_;
  FeasibleSet* set_;
  Direction& direction_;
  LineSearch& search_;
  const DescentOptions& options_;
  Field& x_;
  Outcome out_;
  SearchPoint here_, next_;
  Field step_, scratch_, change_;
  double renewed_ = 0;       ///< share of the contacts that are new in this iteration
  bool downhill_ = false;    ///< the direction is, by construction
  bool fell_back_ = false;   ///< in this iteration
  int met_infinity_at_ = 0;  ///< iteration, the first time
  int steps_in_noise_ = 0;
  double last_length_ =
      1;  ///< of the step that led here, a share of the one computed; 0 where that was of no use
  double lowest_residual_ = std::numeric_limits<double>::infinity();
  Field best_x_;
  double best_residual_ = std::numeric_limits<double>::infinity();
  Status failed_search_ = Status::stalled;
};

}  // namespace

Outcome descend(Objective& objective, Direction& direction, LineSearch& search, const DescentOptions& options,
                Field& x, const SearchPoint* known) {
  return Descent(objective, direction, search, options, x).run(known);
}

}  // namespace pliant
