#pragma once

#include <limits>
#include <string>

#include "pliant/system/model.hpp"
#include "pliant/system/state.hpp"

namespace pliant {

/// The stage of a moment in a step at which places and velocities are known: for forces there.
Stage instant(const State& step_start, double dt, double time, const Vector& x, const Vector& v);

/// A history of one number a dof in State::arrays. One that is not to be used any more is infinite: parts of
/// a model that are stepped side by side forget theirs one by one.
class History {
 public:
  explicit History(std::string name) : name_(std::move(name)) {}

  /// Null where there is none.
  const Vector* find(const State& state) const;
  void keep(Vector values, State& state) const { state.arrays[name_] = std::move(values); }
  void forget(State& state) const {
    state.arrays[name_].setConstant(state.x.size(), std::numeric_limits<double>::infinity());
  }

 private:
  std::string name_;
};

/// Whether a step from t to t + dt ends with other vertices held than it begins with.
bool changes_hold(const Model& model, double t, double dt);

}  // namespace pliant
