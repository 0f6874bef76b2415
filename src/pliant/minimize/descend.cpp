#include "pliant/minimize/descend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "pliant/base/timer.hpp"
#include "pliant/base/vector_ops.hpp"

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
          Vector& x)
      : objective_(objective), direction_(direction), search_(search), options_(options), x_(x) {}

  Outcome run(const Vector* gradient) {
    if (!start(gradient)) return finish(Status::not_finite);
    while (true) {
      objective_.register_active_set(here_.x, here_.gradient);
      if (options_.watch) options_.watch(out_.iterations, here_.x);
      if (small_enough()) return finish(Status::converged);
      if (options_.iterations > 0 && out_.iterations == options_.iterations) return finish(Status::as_asked);
      if (all_used()) return finish(Status::iteration_limit);
      if (lost_in_noise()) return finish(Status::converged_to_roundoff);
      if (relax()) {
        objective_.register_active_set(here_.x, here_.gradient);
        if (small_enough()) return finish(Status::converged);
      }
      ++out_.iterations;
      fell_back_ = false;
      const bool usable = compute_step();
      if (!usable && !options_.safeguards) return finish(Status::stalled);
      if (options_.safeguards) {
        make_downhill(usable);
        clamp_length();
        follow_curves();
      }
      here_.slope = dot(here_.gradient, step_);
      if (!search()) return finish(small_enough() ? Status::converged : failed_search_);
      take_step();
    }
  }

 private:
  bool all_used() const {
    return out_.iterations == options_.max_iterations ||
           (out_.met_infinity && out_.iterations - met_infinity_at_ >= options_.max_near_walls);
  }

  bool start(const Vector* gradient) {
    here_.x = x_;
    double value = 0;
    if (gradient) {
      here_.gradient = *gradient;
    } else {
      objective_.project(here_.x);
      ++out_.evaluations;
      value = objective_.evaluate(here_.x, &here_.gradient);
      objective_.set_reference();
    }
    out_.residual = out_.first_residual = objective_.residual(here_.gradient);
    return value < std::numeric_limits<double>::infinity() && std::isfinite(out_.residual);
  }

  bool small_enough() {
    out_.residual = objective_.residual(here_.gradient);
    if (out_.iterations == 0) out_.first_residual = out_.residual;
    if (!options_.safeguards && !options_.monotone && out_.residual < best_residual_) {
      best_residual_ = out_.residual;
      best_x_ = here_.x;
    }
    return out_.residual < options_.tolerance && out_.iterations >= options_.min_iterations;
  }

  bool compute_step() {
    const DirectionReport report =
        direction_.compute(objective_,
                           {here_.x, here_.gradient, out_.residual, options_.tolerance, out_.iterations,
                            objective_.renewed(), last_length_},
                           step_);
    downhill_ = report.downhill;
    out_.count(report);
    return !report.failed && all_finite(step_);
  }

  void use_preconditioned_gradient() {
    direction_.preconditioner().solve(here_.gradient, step_);
    step_ = -step_;
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
    return options_.safeguards && steps_in_noise_ >= kPatience && within_roundoff();
  }

  /// Whether roundoff explains all the gradient that is left: unknowns that are wrong in their last digit
  /// change it by about as much. Where a matrix is so stiff that the inertia drowns in it (an element that is
  /// nearly a point) they may change it by anything, which explains nothing.
  bool within_roundoff() {
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon(), kFew = 10;
    if (kEpsilon * direction_.stiffness_ratio(objective_) > 1) return false;
    scratch_ = kEpsilon * here_.x;
    direction_.preconditioner().multiply(scratch_, change_);
    const std::span<const char> fixed = objective_.fixed();
    for (Index d = 0; d < std::ssize(fixed); ++d)
      if (fixed[d]) change_[d] = 0;
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
      step_ = -step_;
    else
      use_preconditioned_gradient();
  }

  /// No vertex moves further than the objective allows; the direction stays.
  void clamp_length() {
    const double longest = longest_vertex(step_);
    if (longest > objective_.longest_step()) scale(objective_.longest_step() / longest, step_);
  }

  /// A descent this long creeps: most often a stiff body turns, and of a straight step only a little leads
  /// on.
  void follow_curves() {
    if (out_.iterations <= kLong) return;
    scratch_ = step_;
    objective_.bend(here_.x, scratch_);
    constexpr double kLeast = 0.1;  // of the slope must be left
    if (dot(here_.gradient, scratch_) < kLeast * dot(here_.gradient, step_)) step_.swap(scratch_);
  }

  /// Where no lower point is found along the step, the preconditioned gradient gets a try before giving up.
  bool search() {
    const ScopedTimer timer(out_.search_seconds);
    SearchReport report = search_once();
    if (!report.accepted && options_.safeguards && !fell_back_ && !within_roundoff()) {
      use_preconditioned_gradient();
      clamp_length();
      here_.slope = dot(here_.gradient, step_);
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
    const SearchReport report = search_.search(objective_, here_, step_, next_);
    out_.evaluations += report.evaluations;
    if (report.met_infinity && !out_.met_infinity) met_infinity_at_ = out_.iterations;
    out_.met_infinity |= report.met_infinity;
    return report;
  }

  void take_step() {
    steps_in_noise_ = next_.value > -objective_.noise() ? steps_in_noise_ + 1 : 0;
    if (direction_.learns()) {
      add_scaled(-1, here_.x, next_.x, scratch_);
      copy(next_.gradient, change_);
      objective_.restrict(change_);
      direction_.learn(scratch_, here_.gradient, change_);
    }
    last_length_ = fell_back_ ? 0 : next_.alpha;
    go_to_next();
  }

  void go_to_next() {
    std::swap(here_, next_);
    objective_.set_reference();
    here_.value = 0;
  }

  /// In a long descent most of the gradient often sits in a few places; to wait for these costs the whole as
  /// many iterations as they need.
  bool relax() {
    if (!options_.relax || out_.iterations <= kLong) return false;
    const ScopedTimer timer(out_.search_seconds);
    next_.x = here_.x;
    const Relaxation relaxation = objective_.relax(here_.gradient, next_.x);
    out_.local_solves += relaxation.linear_solves;
    if (!relaxation.moved) return false;
    objective_.project(next_.x);
    ++out_.evaluations;
    next_.value = objective_.evaluate(next_.x, &next_.gradient);
    if (!(next_.value < 0)) return false;
    go_to_next();
    return true;
  }

  Outcome finish(Status status) {
    out_.status = status;
    x_ = here_.x;
    // With a line search the last point is the lowest one; without, an earlier one may have come closer.
    if (!is_converged(status) && best_x_.size() > 0) {
      x_ = best_x_;
      out_.residual = best_residual_;
    }
    return out_;
  }

  static constexpr int kLong = 20;  ///< iterations after which a descent creeps

  Objective& objective_;
  Direction& direction_;
  LineSearch& search_;
  const DescentOptions& options_;
  Vector& x_;
  Outcome out_;
  SearchPoint here_, next_;
  Vector step_, scratch_, change_;
  bool downhill_ = false;    ///< the direction is, by construction
  bool fell_back_ = false;   ///< in this iteration
  int met_infinity_at_ = 0;  ///< iteration, the first time
  int steps_in_noise_ = 0;
  double last_length_ =
      1;  ///< of the step that led here, a share of the one computed; 0 where that was of no use
  double lowest_residual_ = std::numeric_limits<double>::infinity();
  Vector best_x_;
  double best_residual_ = std::numeric_limits<double>::infinity();
  Status failed_search_ = Status::stalled;
};

}  // namespace

Outcome descend(Objective& objective, Direction& direction, LineSearch& search, const DescentOptions& options,
                Vector& x, const Vector* gradient) {
  return Descent(objective, direction, search, options, x).run(gradient);
}

}  // namespace pliant
