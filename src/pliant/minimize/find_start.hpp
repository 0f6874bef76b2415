#pragma once

#include <limits>
#include <span>

#include "pliant/minimize/descend.hpp"

namespace pliant {

/// Where a descent may begin.
struct Guesses {
  /// The best informed comes last. Held unknowns are where they shall be.
  std::span<const Field> all;
  /// A point where E is finite, held unknowns where they were before; null where none is known.
  const Field* safe = nullptr;
  /// The residual of the forces that it would take to stay there; infinite where that is not known.
  double to_stay = std::numeric_limits<double>::infinity();
};

/// Finds the point that a descent begins at: the lowest of the guesses. Where one is infinite or forces there
/// would throw far, the safe point is another; where all are infinite, it is approached from there.
class StartFinder {
 public:
  struct Constants {
    double close = 100;         ///< tolerances; a guess whose residual is below needs no rival
    double far = 1000;          ///< times as much force as it takes to stay: a guess went too far
    int approaches = 200;       ///< steps from the safe point to a finite one
    double exactly = 1e-4;      ///< as if close to the minimum: the direction is worth some effort
    double little = 1e-10;      ///< of the longest step, for differences
    double least_share = 1e-9;  ///< of a way, that is tried
    double roundoff = 1e-12;    ///< of a way: so little short of its end is at its end
  };

  StartFinder(Objective& objective, Direction& direction, Outcome& counts)
      : objective_(objective),
        set_(dynamic_cast<FeasibleSet*>(&objective)),
        direction_(direction),
        counts_(counts) {}

  /// Of the guesses, each reached from the safe point as far as the objective's limit lets. Sets x, and the
  /// rest of what is known there; false where all are infinite. `rivals` says whether the safe point, and
  /// more guesses than the last, are looked at.
  bool choose(const Guesses& guesses, double tolerance, bool rivals, bool may_go_too_far, Field& x);
  /// From the safe point, where no guess is finite; false if there is no way.
  bool approach(const Guesses& guesses, Field& x);
  const SearchPoint& known() const { return best_; }

 private:
  bool consider(const Field& guess, const Guesses& guesses, Field& x);
  bool consider_safe(const Guesses& guesses, Field& x);
  double evaluate(const Field& x, Field* gradient);
  void hold(const Guesses& guesses, Field& x) const;
  void add_push(const Field& x, const Field& way, Field& gradient);
  bool shorten(const Field& from, Field& way);
  bool go_while_finite(const Guesses& guesses, Field& way, Field& x);

  Objective& objective_;
  FeasibleSet* set_;
  Direction& direction_;
  Outcome& counts_;
  Constants constants_;
  bool found_ = false;
  SearchPoint best_, tried_;  ///< of the best, x is with the caller
};

}  // namespace pliant
