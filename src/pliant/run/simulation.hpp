#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pliant/setup/assembly.hpp"

namespace pliant {

struct Simulation;

/// Bodies that tear while time runs.
class Tearing {
 public:
  virtual ~Tearing() = default;
  /// To be called after each step: true where something has torn, and the model, the state and the scheme of
  /// the simulation are others now.
  virtual bool after_step(Simulation& simulation) = 0;
  /// Puts what has torn so far into the state.
  virtual void save(State& state) const = 0;
  /// Takes it from there, out of the state, and makes model and scheme anew. Throws InputError where the
  /// state is damaged.
  virtual void restore(Simulation& simulation) = 0;
  /// Of each vertex of a body, its number in the body at the start.
  virtual const std::vector<int>& origin(size_t body) const = 0;
};

/// A model, its state and the scheme that moves it, with the plan of frames. What `build(scene)` makes and
/// `run` runs; or what a program has put together:
///
///     Simulation simulation(builder.build());
///     simulation.frames = 48;
///     run(simulation, {.folder = "out/mine"});
struct Simulation : Assembly {
  Simulation() = default;
  explicit Simulation(Assembly made) : Assembly(std::move(made)) {}

  std::string name = "model";
  std::string scene_text;  ///< the scene as it runs, every default filled in (TOML); empty without a scene
  std::unique_ptr<Tearing> tearing;  ///< none where nothing tears
  double frame_rate = 24;            ///< Hz
  int frames = 0;                    ///< to compute after frame 0, the start
  int steps_per_frame = 1;
  bool stop_on_failure = false;
  unsigned long long seed = 0;
};

}  // namespace pliant
