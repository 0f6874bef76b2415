#pragma once

#include <span>

#include "pliant/meshing/stuffing.hpp"
#include "pliant/spatial/shape.hpp"

namespace pliant {

/// How well a tetrahedron is shaped: its volume against the squares of its edges, 1 for a regular one,
/// negative for an inverted one.
double mean_ratio(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// Moves vertices around badly shaped tetrahedra to where the worst of them is better. Those on the surface
/// of the shape stay on it, and on their side of its sharp edges; `fixed` ones stay where they are.
/// Tetrahedra marked in `spare` do not count.
class Relocator {
 public:
  Relocator(const Shape& shape, Stuffing& stuffing);

  void run(const std::vector<char>& fixed, const std::vector<char>& spare);

 private:
  double worst_around(int vertex) const;
  double reach(int vertex) const;
  bool improve(int vertex, double step, double& worst);
  bool back_to_face(int vertex, const Vec3& normal);
  std::span<const int> around(int vertex) const {
    return {incident_.data() + start_[vertex], incident_.data() + start_[vertex + 1]};
  }

  const Shape& shape_;
  std::vector<Vec3>& x_;
  const std::vector<std::array<int, 4>>& tets_;
  const std::vector<char>& on_surface_;
  std::vector<int> start_, incident_;  ///< tetrahedra around vertices
  std::vector<char> spare_;
};

}  // namespace pliant
