#pragma once

#include <memory>

#include "pliant/linear/secant_pairs.hpp"
#include "pliant/minimize/initial_matrix.hpp"

namespace pliant {

/// Limited-memory BFGS (liu-2018, algorithm 4): the initial matrix, corrected by what the last `window` steps
/// have shown. With a window of zero it is the initial matrix alone. Where contacts come and go the past says
/// less: of the steps only the share is kept that the contacts are old ones (section 7.3).
class Lbfgs final : public Direction {
 public:
  Lbfgs(int window, std::unique_ptr<InitialMatrix> initial) : window_(window), initial_(std::move(initial)) {}

  DirectionReport compute(Objective& objective, const DirectionQuery& query, Field& step) override;
  void learn(const Field& step, const Field& before, const Field& after) override;
  bool learns() const override { return window_ > 0; }

 private:
  std::vector<double> first_loop(const Field& gradient);
  std::vector<double> second_loop(const std::vector<double>& zeta, const Field& step) const;

  int window_;
  std::unique_ptr<InitialMatrix> initial_;
  bool usable_ = false;  ///< the initial matrix, in this descent
  SecantPairs pairs_;
  Field rest_;
};

/// A cheap direction far from the minimum and Newton's near it (liu-2018, section 5.3).
class Switching final : public Direction {
 public:
  /// From where the residual is below `near` on, `close` is asked.
  Switching(double near, std::unique_ptr<Direction> far, std::unique_ptr<Direction> close)
      : near_(near), far_(std::move(far)), close_(std::move(close)) {}

  DirectionReport compute(Objective& objective, const DirectionQuery& query, Field& step) override {
    if (query.iteration == 1) far_asked_ = close_asked_ = 0;
    const bool near = query.residual < near_;
    Direction& asked = near ? *close_ : *far_;
    // Each counts its own iterations, so that it takes up the descent when it is first asked.
    DirectionQuery own = query;
    own.iteration = near ? ++close_asked_ : ++far_asked_;
    const DirectionReport report = asked.compute(objective, own, step);
    preconditioner_ = asked.preconditioner();
    return report;
  }
  void learn(const Field& step, const Field& before, const Field& after) override {
    if (far_asked_ > 0) far_->learn(step, before, after);
  }
  bool learns() const override { return far_->learns(); }

 private:
  double near_;
  std::unique_ptr<Direction> far_, close_;
  int far_asked_ = 0, close_asked_ = 0;  ///< times in this descent
};

}  // namespace pliant
