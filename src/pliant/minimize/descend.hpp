#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string_view>

#include "pliant/minimize/direction.hpp"
#include "pliant/minimize/line_search.hpp"
#include "pliant/minimize/objective.hpp"
#include "pliant/minimize/safeguard.hpp"

namespace pliant {

/// How a descent ended, from good to bad. `as_asked` took the iterations that it was given and was not
/// expected to converge in them.
enum class Status { converged, converged_to_roundoff, as_asked, stalled, iteration_limit, not_finite };

std::string_view name(Status status);
inline bool is_converged(Status status) {
  return status == Status::converged || status == Status::converged_to_roundoff;
}

inline bool has_failed(Status status) { return status > Status::as_asked; }

struct DescentOptions {
  double tolerance = 1e-3;  ///< tau, in the unit of Objective::residual
  int max_iterations = 500;
  int iterations = 0;  ///< where positive: so many and no more, converged or not
  int max_near_walls = std::numeric_limits<int>::max();  ///< iterations after infinite values are first met
  int min_iterations = 1;  ///< taken even where the guess already passes (gast-2014, section 3.1)
  double kappa = 1e-2;     ///< how far from perpendicular to the gradient a direction must be
  bool checks = true;      ///< downhill, not too long; off for plain Newton
  bool monotone =
      false;  ///< without checks: every step leads lower by itself, so that the last point is the best
  std::span<Safeguard* const> safeguards = {};  ///< where there are checks
  /// Told each point, with the number of iterations that led to it.
  std::function<void(int iterations, const Field& x)> watch = nullptr;
};

/// What a descent did, and where its time went.
struct Outcome {
  Status status = Status::iteration_limit;
  int iterations = 0;
  int linear_solves = 0;
  int local_solves = 0;  ///< in a few unknowns only, see Safeguard::propose; not among the linear solves
  int cg_iterations = 0;
  int evaluations = 0;        ///< of the objective
  int indefinite = 0;         ///< iterations whose matrix was indefinite, or taken as such
  int fallbacks = 0;          ///< iterations that used the preconditioned gradient instead
  bool met_infinity = false;  ///< while searching along a direction
  int linear_failures = 0;    ///< linear solves that missed their tolerance or gave no answer
  double first_residual = 0;
  double residual = 0;
  double assembly_seconds = 0;
  double linear_seconds = 0;
  double search_seconds = 0;

  /// Adds what a direction did.
  void count(const DirectionReport& report);
  /// Adds a descent that came after this one, as part of the same task: the worst status counts.
  void add(const Outcome& next);
  /// Goes on with a descent of the same problem that came after this one: the last status counts.
  void go_on(const Outcome& next);
  /// Adds the work of another descent, but for its iterations.
  void count(const Outcome& other);
};

/// Minimises from x, which ends as the best point found: the nine steps of gast-2014, section 3.1. The one
/// loop behind every solver; a solver is a choice of direction and line search. Where the point x is known
/// already and the objective's reference is there, it can be given: its gradient and the noise of its value.
Outcome descend(Objective& objective, Direction& direction, LineSearch& search, const DescentOptions& options,
                Field& x, const SearchPoint* known = nullptr);

}  // namespace pliant
