#pragma once

#include <random>

#include "pliant/mesh/box.hpp"
#include "pliant/mesh/tet_mesh.hpp"

namespace pliant::testing {

inline TetMesh cube(int cells) { return make_box({Vec3(1, 1, 1), {cells, cells, cells}, 5}); }

inline Vector positions(const TetMesh& mesh) {
  Vector x(3 * std::ssize(mesh.vertices));
  for (size_t i = 0; i < mesh.vertices.size(); ++i) x.segment<3>(3 * i) = mesh.vertices[i];
  return x;
}

inline Vector random_vector(Index size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  return Vector::NullaryExpr(size, [&](Index) { return uniform(random); });
}

}  // namespace pliant::testing
