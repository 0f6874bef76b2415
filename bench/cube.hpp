#pragma once

#include <random>

#include "pliant/geometry/box.hpp"
#include "pliant/potential/solid.hpp"

namespace pliant {

/// A deformed cube of about 100,000 elements with its energy and Hessian.
struct Cube {
  TetMesh mesh = make_box({.size = {1, 1, 1}, .cells = {27, 27, 27}});
  std::unique_ptr<Potential> solid = make_solid("fixed-corotated", mesh, 0, lame(1e5, 0.4));
  BlockPattern pattern;
  Vector x;

  Cube() {
    std::vector<std::pair<int, int>> edges;
    solid->add_pattern(edges);
    pattern = BlockPattern(static_cast<int>(mesh.vertices.size()), std::move(edges));
    solid->attach(pattern);
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> uniform(-0.005, 0.005);
    x.resize(3 * std::ssize(mesh.vertices));
    for (size_t i = 0; i < mesh.vertices.size(); ++i)
      for (int k = 0; k < 3; ++k) x[3 * i + k] = mesh.vertices[i][k] + uniform(generator);
  }

  /// The Hessian, made definite, plus a mass matrix as of a step of 1/24 s.
  BlockMatrix matrix() const {
    BlockMatrix matrix(pattern);
    solid->add_hessian(x, Definiteness::clamp, matrix);
    matrix.add_diagonal(inertia());
    return matrix;
  }
  Vector inertia() const {
    return Vector::Constant(x.size(), 1000.0 / static_cast<double>(mesh.vertices.size()) * 24 * 24);
  }
};

}  // namespace pliant
