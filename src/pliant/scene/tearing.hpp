#pragma once

#include <memory>
#include <vector>

#include "pliant/linear/kept_factor.hpp"
#include "pliant/mesh/tear.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant {

/// Takes out of the bodies of a scene what is stretched further than their material bears (liu-2018, section
/// 8.4), after each step: the bodies, the model and the scheme are then others. The mass of what has gone
/// goes with it.
class SceneTearing final : public Tearing {
 public:
  /// `kept` may be null: then each solver starts anew after a tear.
  SceneTearing(const Scene& scene, std::shared_ptr<KeptFactor> kept);

  bool after_step(Simulation& simulation) override;
  void save(State& state) const override;
  void restore(Simulation& simulation) override;
  const std::vector<int>& origin(size_t body) const override { return origin_[body]; }

 private:
  /// Of a body of the scene as it is now.
  TornMesh torn(size_t body, const double* positions) const;
  void put(size_t body, TornMesh torn);
  /// Makes model and scheme anew, for that state.
  void rebuild(Simulation& simulation, State state) const;

  const std::vector<TetMesh> intact_;  ///< rest meshes of the start
  Scene now_;
  std::vector<std::vector<int>> origin_;  ///< of each vertex of each body, its number in the intact mesh
  std::shared_ptr<KeptFactor> kept_;
};

/// Whether the scene has bodies that tear.
bool tears(const SceneKeys& keys);

}  // namespace pliant
