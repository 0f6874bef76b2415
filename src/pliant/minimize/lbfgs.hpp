#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "pliant/linear/constant_factor.hpp"
#include "pliant/minimize/direction.hpp"

namespace pliant {

/// What stands for the Hessian before a descent has learned anything of it.
class InitialMatrix {
 public:
  virtual ~InitialMatrix() = default;
  /// Takes up a descent, whose first question is `query`; false where the matrix is of no use.
  virtual bool begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) = 0;
  /// Sets the norm of steps and gradients.
  virtual void assign(Objective& objective, BlockJacobi& preconditioner) const = 0;
  virtual void solve(const Vector& b, Vector& x) = 0;
};

/// The constant matrix of the objective, factored once for each one there is (liu-2018, Eq. 7.11).
class ConstantMatrix final : public InitialMatrix {
 public:
  bool begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) override;
  void assign(Objective& objective, BlockJacobi& preconditioner) const override;
  void solve(const Vector& b, Vector& x) override { current_->factor.solve(b, x); }

 private:
  struct Factored {
    int number;
    ConstantFactor factor;
    Vector diagonal;  ///< three a vertex
  };
  std::deque<std::unique_ptr<Factored>> factored_;  ///< the one used last comes first
  Factored* current_ = nullptr;
};

/// Limited-memory BFGS (liu-2018, algorithm 4): the initial matrix, corrected by what the last `window` steps
/// have shown. With a window of zero it is the initial matrix alone.
class Lbfgs final : public Direction {
 public:
  Lbfgs(int window, std::unique_ptr<InitialMatrix> initial) : window_(window), initial_(std::move(initial)) {}

  DirectionReport compute(Objective& objective, const DirectionQuery& query, Vector& step) override;
  void learn(const Vector& step, const Vector& before, const Vector& after) override;
  bool learns() const override { return window_ > 0; }

 private:
  /// A step and how it changed the gradient. In single precision: a direction need not be exact, and they are
  /// read twice an iteration.
  struct Pair {
    std::vector<float> step, change;
    double product = 0;  ///< of the two
    double factor = 0;   ///< in the recursion
  };

  int window_;
  std::unique_ptr<InitialMatrix> initial_;
  std::deque<Pair> pairs_;  ///< the latest comes last
  Vector rest_;
};

/// A cheap direction far from the minimum and Newton's near it (liu-2018, section 5.3).
class Switching final : public Direction {
 public:
  /// From where the residual is below `near` on, `close` is asked.
  Switching(double near, std::unique_ptr<Direction> far, std::unique_ptr<Direction> close)
      : near_(near), far_(std::move(far)), close_(std::move(close)) {}

  DirectionReport compute(Objective& objective, const DirectionQuery& query, Vector& step) override {
    Direction& asked = query.residual < near_ ? *close_ : *far_;
    const DirectionReport report = asked.compute(objective, query, step);
    preconditioner_ = asked.preconditioner();
    return report;
  }
  void learn(const Vector& step, const Vector& before, const Vector& after) override {
    far_->learn(step, before, after);
  }
  bool learns() const override { return far_->learns(); }

 private:
  double near_;
  std::unique_ptr<Direction> far_, close_;
};

}  // namespace pliant
