#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "pliant/integrate/instant.hpp"
#include "pliant/integrate/scheme.hpp"

namespace pliant {

/// What comes next in a step.
struct Plan {
  enum class Task {
    begin,     ///< the step's start is looked at, for the account and for a guess
    evaluate,  ///< forces, where the stage has its places and velocities
    solve      ///< the minimum of the stage's objective
  };
  Task task = Task::solve;
  Stage stage;
  double booked = 0;  ///< so long the account takes things to go as they do there, s
  double acts = 0;    ///< how long a force in the stage acts on the velocities of the end, s
  Vector push = {};   ///< the acceleration that a guess sets out with; that of the start's forces where empty
  bool forces = true;  ///< whether the answer needs accelerations; of `begin`

  static Plan begin(const State& start, double dt, double booked, bool forces) {
    return {.task = Task::begin,
            .stage = instant(start, dt, start.time, start.x, start.v),
            .booked = booked,
            .forces = forces};
  }
};

/// What became of it.
struct Answer {
  Vector x;
  Vector u;  ///< velocities: of a stage that was solved c_v (x - x_v)
  Vector a;  ///< accelerations: of such a stage c_a (x - x_a), less what constraints give where stages book
};

/// A scheme whose steps are a few minimisations: which stage comes next, and what the answers make of the
/// step. Arithmetic on vectors, whatever they are places of; StepDriver does all else.
class StageScheme {
 public:
  virtual ~StageScheme() = default;
  virtual std::string_view name() const = 0;
  virtual int order() const = 0;
  virtual Demands offers() const = 0;
  /// The share of the step that the account takes to go as its end, besides what stages book. Where it is not
  /// zero, velocities need not be the sum of what the booked forces give.
  virtual double booked_at_end() const { return 0; }
  /// What it keeps in State::arrays from step to step. It is forgotten after contact, where a step fails and
  /// where vertices are held or released: `next` then finds none and begins anew.
  virtual std::span<const char* const> history() const { return {}; }

  /// None where the step is done.
  virtual std::optional<Plan> next(const State& start, double dt, std::span<const Answer> so_far) const = 0;
  /// Places, velocities and history of the end, whose time is there already.
  virtual void combine(const State& start, double dt, std::span<const Answer> answers, State& end) const = 0;
  /// How far off that may be, for schemes with an estimate.
  virtual std::optional<StepError> error(double, std::span<const Answer>) const { return {}; }
};

}  // namespace pliant
