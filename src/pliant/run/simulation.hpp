#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "pliant/integrate/scheme.hpp"
#include "pliant/system/model.hpp"

namespace pliant {

/// A model, its state and the scheme that moves it, with the plan of frames. What `build(scene)` makes and
/// `run` runs.
struct Simulation {
  std::string name;
  std::string scene_text;  ///< the scene as it runs, every default filled in (TOML)
  std::unique_ptr<Model> model;
  State state;
  std::unique_ptr<Scheme> scheme;
  double frame_rate = 24;  ///< Hz
  int frames = 0;          ///< to compute after frame 0, the start
  int steps_per_frame = 1;
  std::optional<double> step_tolerance;  ///< with it steps are as long as it allows, see StepControl; m
  std::string scheme_name, solver_name;
  double tolerance = 0;
  bool stop_on_failure = false;
  unsigned long long seed = 0;
};

}  // namespace pliant
