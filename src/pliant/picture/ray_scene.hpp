#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

struct Ray {
  Eigen::Vector3f origin;
  Eigen::Vector3f direction;  ///< unit length
};

/// What a ray met first: triangle `triangle` of mesh `mesh` at the barycentric coordinates (1 - u - v, u, v).
struct RayHit {
  float distance;
  int mesh;
  int triangle;
  float u;
  float v;
};

/// Triangle meshes arranged so that rays find them fast. Single precision: give it meshes near the origin.
class RayScene {
 public:
  explicit RayScene(std::span<const std::vector<Eigen::Vector3f>> vertices,
                    std::span<const std::vector<std::array<int, 3>>> triangles);
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  /// False when the ray meets nothing.
  bool nearest(const Ray& ray, RayHit& hit) const;

  /// Whether something stands in the way within `distance`.
  bool occluded(const Ray& ray, float distance) const;

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace pliant
