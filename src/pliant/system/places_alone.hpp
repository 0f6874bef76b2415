#pragma once

#include <span>
#include <vector>

#include "pliant/minimize/safeguard.hpp"
#include "pliant/system/stage_objective.hpp"

namespace pliant {

/// Finds the places of a model where most of a gradient sits, and moves them alone. In a long descent a body
/// snaps in a few places at a time: there the directions for the whole are short, and the whole would wait as
/// many iterations as they need.
class PlacesAlone final : public Safeguard {
 public:
  struct Constants {
    int from = 20;        ///< iterations, after which a descent creeps
    double hot = 100;     ///< times the mean, of the squared velocity error
    int rings = 2;        ///< of vertices around
    double most = 0.03;   ///< of the vertices: more are no place
    double enough = 0.3;  ///< of the mean velocity error, to be left in a place
    int iterations = 30;  ///< in a place; what is left over is found again
    double sigma = 0.1;   ///< of its solver
  };
  PlacesAlone(const Model& model, const StageObjective& objective) : model_(model), objective_(objective) {}
  std::string_view name() const override { return "places"; }
  /// They see the problem as it is.
  bool serves_detours() const override { return false; }
  Proposal propose(int iterations, const SearchPoint& here, Field& x) override;

  /// Sub-models with all vertices that hold far more of the gradient than others, and some around them; no
  /// two sub-models share an element with free vertices of both. None where these are not few.
  std::vector<SubModel> find(const Vector& gradient);

  /// Moves the free vertices of all sub-models to where the stage's objective is lower, the others stand
  /// still. Returns how many linear systems that took.
  int move(const std::vector<SubModel>& sub_models, const Vector& gradient, Vector& x) const;

 private:
  int move(const SubModel& sub_model, const std::vector<char>& fixed, double tolerance, Vector& x) const;
  void list_neighbours();
  std::span<const int> neighbours(int vertex) const {
    return {neighbours_.data() + start_[vertex], neighbours_.data() + start_[vertex + 1]};
  }
  std::vector<SubModel> split(const std::vector<int>& region, std::vector<int>& sub_model_of) const;

  const Model& model_;
  const StageObjective& objective_;
  Constants constants_;
  std::vector<int> start_, neighbours_;  ///< of each vertex, those that share an element with it
};

}  // namespace pliant
