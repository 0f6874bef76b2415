#pragma once

#include <algorithm>

#include "pliant/minimize/objective.hpp"

namespace pliant {

/// Where a soft material is pressed against its wall by far stronger forces, the minimum is close to the wall
/// in many elements, and a direct descent runs into one of them after the other. As in interior point methods
/// the way there leads through the minima of easier problems: the material counts more than it should, then
/// less and less so.
class Walls {
 public:
  struct Constants {
    int most_stages = 8;  ///< of a detour
    int patience = 50;    ///< iterations of a descent that has met a wall, and of each stage
    double fall = 10;     ///< of the stiffening from stage to stage
  };

  /// Without the capability, or switched off, there is no detour.
  Walls(Objective& objective, bool used)
      : stiffening_(used ? dynamic_cast<Stiffening*>(&objective) : nullptr) {}

  /// Whether what has walls is softer than the rest.
  bool soft() { return stiffening_ && stiffening_->softness() > 1; }
  /// Iterations that a direct descent may take after it met a wall, of so many.
  int patience(int all) { return soft() ? constants_.patience : all; }

  /// For the way to a first finite point.
  void stiffen() {
    if (stiffening_) stiffening_->stiffen(std::max(1.0, stiffening_->softness()));
  }
  void relax() {
    if (stiffening_) stiffening_->stiffen(1);
  }

  /// Of the detour, the true problem not counted.
  int stages();
  /// The stage that so many others follow.
  void stiffen_for(int left);

  const Constants& constants() const { return constants_; }

 private:
  Stiffening* stiffening_;
  Constants constants_;
};

}  // namespace pliant
