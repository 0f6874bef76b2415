#pragma once

#include "pliant/minimize/safeguard.hpp"
#include "pliant/system/stage_objective.hpp"

namespace pliant {

/// Replaces the step of the vertices begin to end by one that leads to where they get if they follow its
/// rotation: on a circle instead of along its tangent, which a stiff body can follow only a little way. At
/// most one radian; longer steps are shortened first.
void follow_rotation(const Vector& mass, Index begin, Index end, const Vector& x, Vector& step);

/// A descent that takes long creeps: most often a stiff body turns, and of a straight step only a little
/// leads on. Steps of solids that no script holds follow their rotation, where they still lead downhill.
class FollowingRotations final : public Safeguard {
 public:
  struct Constants {
    int from = 20;             ///< iterations, after which a descent creeps
    double least_slope = 0.1;  ///< share of the straight step's slope that must be left
  };
  FollowingRotations(const Model& model, const StageObjective& objective)
      : model_(model), objective_(objective) {}
  std::string_view name() const override { return "rotations"; }
  void shape(int iterations, const SearchPoint& here, Field& step) override;

 private:
  const Model& model_;
  const StageObjective& objective_;
  Constants constants_;
  Field followed_;
};

}  // namespace pliant
