#pragma once

#include <random>
#include <string_view>

#include "pliant/mesh/box.hpp"
#include "pliant/potential/solid.hpp"

namespace pliant {

/// A cube of 64^3 cells, 1.57 million elements and 824 thousand unknowns, every vertex a little out of place,
/// with its energy.
struct Cube {
  static constexpr int kCells = 64;
  TetMesh mesh = make_box({.size = {1, 1, 1}, .cells = {kCells, kCells, kCells}, .tets_per_cell = 6});
  std::unique_ptr<Potential> solid;
  BlockPattern pattern;
  Vector x;

  explicit Cube(std::string_view material) : solid(make_solid(material, mesh, 0, lame(1e5, 0.4))) {
    std::vector<std::pair<int, int>> edges;
    solid->add_pattern(edges);
    pattern = BlockPattern(static_cast<int>(mesh.vertices.size()), edges, mesh.vertices);
    solid->attach(pattern);
    std::mt19937_64 generator(1);
    std::uniform_real_distribution<double> uniform(-0.1 / kCells, 0.1 / kCells);
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

  /// The one that all benchmarks of a material share: building it takes longer than measuring it.
  static const Cube& of(std::string_view material) {
    static const Cube fixed_corotated("fixed-corotated"), stable_neo_hookean("stable-neo-hookean");
    return material == "fixed-corotated" ? fixed_corotated : stable_neo_hookean;
  }
};

}  // namespace pliant
