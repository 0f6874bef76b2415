#pragma once

#include "pliant/linear/block_jacobi.hpp"
#include "pliant/minimize/objective.hpp"

namespace pliant {

/// What a direction is asked: where, the gradient there, its size and the size aimed at.
struct DirectionQuery {
  const Field& x;
  const Field& gradient;
  double residual;
  double tolerance;
  int iteration = 1;                 ///< of the descent, from 1
  double renewed = 0;                ///< share of the contacts that were none in the iteration before
  double length = 1;                 ///< that the last step was taken with, a share of the whole
  const FeasibleSet* set = nullptr;  ///< that x must stay in
};

struct DirectionReport {
  int linear_solves = 0;
  int cg_iterations = 0;
  bool indefinite = false;
  bool downhill = false;  ///< solves with a definite matrix: downhill, whatever its angle with the gradient
  bool inexact = false;   ///< the linear solver stopped short of its tolerance
  bool failed = false;    ///< no usable direction; the descent falls back on the preconditioned gradient
  double assembly_seconds = 0;
  double linear_seconds = 0;
};

/// Says where to look for the next point.
class Direction {
 public:
  virtual ~Direction() = default;

  /// Sets `step`, the full step from query.x. It holds the one that the iteration before took, if there was
  /// one.
  virtual DirectionReport compute(Objective& objective, const DirectionQuery& query, Field& step) = 0;

  /// Says what a step led to: gradients at two points, with the constraints of the first.
  virtual void learn(const Field& step, const Field& before, const Field& after) {
    static_cast<void>(step);
    static_cast<void>(before);
    static_cast<void>(after);
  }
  virtual bool learns() const { return false; }

  /// The norm in which steps and gradients are compared, made by the last `compute`.
  const BlockJacobi& preconditioner() const { return preconditioner_; }

  /// How many times stiffer than the inertia alone the free unknowns are, by the last `compute`.
  double stiffness_ratio(const Objective& objective) const;

 protected:
  BlockJacobi preconditioner_;
};

}  // namespace pliant
