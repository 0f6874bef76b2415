#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pliant/minimize/descend.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant {

/// A key of a scene that takes the values between two numbers.
struct SweptKey {
  std::string key;  ///< as in an override, body.0.start.stretch.0
  double from = 0, to = 1;
};

/// A question about a scene: how many iterations does its first step need, for two swept keys, some lengths
/// of the step and some solvers?
struct BasinQuestion {
  std::filesystem::path scene;
  std::vector<std::string> overrides = {};
  SweptKey across, up;
  std::vector<double> steps;  ///< s
  std::vector<std::string> methods;
  int pixels = 64;  ///< along each side
};

/// What happened at a pixel.
struct BasinPixel {
  int iterations = 0;
  Status status = Status::converged;
};

/// The answer for one solver and one step: pixels from left to right and from the top down, each for the
/// values at its middle.
struct BasinMap {
  std::string method;
  double step = 0;  ///< s
  std::vector<BasinPixel> pixels;

  Index converged() const;
  int most_iterations() const;  ///< of those that converged
  double mean_iterations() const;
};

/// The scene of one pixel, counted from the upper left.
Scene basin_scene(const BasinQuestion& question, int column, int row);

/// Solver by solver, step by step. The same for any number of threads. Throws InputError where the scene or a
/// key is wrong.
std::vector<BasinMap> basin_maps(const BasinQuestion& question);

}  // namespace pliant
