#pragma once

#include <Eigen/Geometry>
#include <span>

#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// The point of a triangle closest to another one.
struct ClosestPoint {
  enum class Feature { face, edge, corner };

  double squared_distance = 0;
  Vec3 point = Vec3::Zero();
  Vec3 weights = Vec3::Zero();  ///< of the three corners
  Feature feature = Feature::face;
  int which = 0;  ///< of the corners: the closest one itself, the one opposite to the closest edge
  int triangle = -1;
};

/// Weights are between 0 and 1 also where the triangle has no area; the closest feature is then never its
/// face.
ClosestPoint closest_point(const Vec3& to, const Vec3& a, const Vec3& b, const Vec3& c);

/// The solid angle of a triangle seen from a point, signed, in radians (Van Oosterom and Strackee 1983).
double solid_angle(const Vec3& from, const Vec3& a, const Vec3& b, const Vec3& c);

/// A tree of boxes over triangles in space, for questions about the nearest and about how often they wind
/// around a point. Keeps a copy of the mesh; never changes; may be asked from many threads at once.
class TriangleTree {
 public:
  explicit TriangleTree(TriangleMesh mesh);

  const TriangleMesh& mesh() const { return mesh_; }
  /// Of all triangles; of two equally close the one with the lower number.
  ClosestPoint closest(const Vec3& point) const;
  /// How often the surface goes around a point: 1 inside and 0 outside of a closed surface, something in
  /// between near holes. Far triangles are taken together (Barill and others 2018, Fast winding numbers),
  /// which changes it by about a hundredth.
  double winding_number(const Vec3& point) const;

 private:
  struct Node {
    Eigen::AlignedBox3d box;
    int first, last;      ///< places in order_: [first, last)
    int second_child;     ///< the first one follows; -1 for a leaf
    Vec3 centre, normal;  ///< mean place, and sum of normals times areas
    double radius;        ///< of a ball around the centre that holds all
  };

  int build(int first, int last);
  std::array<Vec3, 3> corners(int triangle) const;

  TriangleMesh mesh_;
  std::vector<int> order_;
  std::vector<Vec3> middles_;
  std::vector<Node> nodes_;
};

}  // namespace pliant
