#pragma once

#include <functional>
#include <limits>
#include <memory>

#include "pliant/integrate/scheme.hpp"
#include "pliant/system/model.hpp"

namespace pliant {

/// Takes steps again that are not to be kept: with a shorter one where the error is larger than asked for, or
/// a contact finds it too long, and by backward Euler where a contact asks for that.
class StepControl {
 public:
  struct Options {
    /// The mean error of positions that a step may make, m; infinite where lengths are not chosen by errors.
    double tolerance = std::numeric_limits<double>::infinity();
    double longest = 0;  ///< no step is tried first that is shorter than a millionth of it, s
    std::function<std::unique_ptr<Scheme>()> backward_euler = {};  ///< makes that scheme; it may be empty
  };
  /// Model and scheme must outlive this.
  StepControl(const Model& model, Scheme& scheme, Options options)
      : model_(model), scheme_(scheme), options_(std::move(options)) {}

  /// A step of that length, in one or, where contacts find it too long, in several parts. One that is too
  /// long however short it is has failed.
  StepReport step(State& state, double dt);

  /// Takes a step that does not go beyond the time `until`, and ends there where it is the last one. Its
  /// length is chosen so that it makes no larger error than asked for. Schemes that estimate their error
  /// themselves are asked; of others a step is compared with two of half the length, which are kept. The
  /// length to try next is part of the state.
  ///
  /// A step whose error is too large, or that does not converge, is taken again with a shorter one; in the
  /// report the work of all is counted. Where shorter ones do not converge either, the first try is kept and
  /// has failed, and the next step is longer, so that time goes on.
  StepReport advance(State& state, double until);

 private:
  struct Trial {
    State state;
    StepReport report;
    double error = 0;  ///< m
    int power = 2;     ///< of the step that it falls with
  };
  Trial take_once(const State& state, double dt);
  Trial take(const State& state, double dt);
  StepReport step(State& state, double dt, int halvings);
  double mean_error(const Vector& x, const Vector& v, double dt) const;

  const Model& model_;
  Scheme& scheme_;
  Options options_;
  std::unique_ptr<Scheme> backward_euler_;  ///< made when first asked for
};

}  // namespace pliant
