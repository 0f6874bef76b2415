#pragma once

#include "pliant/integrate/scheme.hpp"
#include "pliant/system/model.hpp"

namespace pliant {

/// Chooses the length of steps so that none makes a larger error than asked for. Schemes that estimate their
/// error themselves are asked; of others a step is compared with two of half the length, which are kept.
/// The length to try next is part of the state.
class StepControl {
 public:
  /// `tolerance` is the mean error of positions that a step may make, m; no step is tried first that is
  /// shorter than a millionth of `longest`, s. Model and scheme must outlive this.
  StepControl(const Model& model, Scheme& scheme, double tolerance, double longest)
      : model_(model), scheme_(scheme), tolerance_(tolerance), longest_(longest) {}

  /// Takes a step that does not go beyond the time `until`, and ends there where it is the last one. A step
  /// whose error is too large, or that does not converge, is taken again with a shorter one; in the report
  /// the work of all is counted. Where shorter ones do not converge either, the first try is kept and has
  /// failed, and the next step is longer, so that time goes on.
  StepReport advance(State& state, double until);

 private:
  struct Trial {
    State state;
    StepReport report;
    double error = 0;  ///< m
    int power = 2;     ///< of the step that it falls with
  };
  Trial take(const State& state, double dt);
  double mean_error(const Vector& x, const Vector& v, double dt) const;

  const Model& model_;
  Scheme& scheme_;
  double tolerance_, longest_;
};

}  // namespace pliant
