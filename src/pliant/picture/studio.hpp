#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <span>
#include <vector>

#include "pliant/picture/lighting.hpp"
#include "pliant/picture/ray_scene.hpp"
#include "pliant/picture/renderer.hpp"

namespace pliant {

/// A visible point, in coordinates whose origin is the middle of the bounds.
struct SurfacePoint {
  static constexpr int kBackground = -1;
  static constexpr int kGround = 0;  ///< and 1, 2, ... are the drawables

  int surface = kBackground;
  Eigen::Vector3f position;
  Eigen::Vector3f start;   ///< where rays to the lights start: lifted off the surface
  Eigen::Vector3f normal;  ///< towards the viewer
  Eigen::Vector3f albedo;
  Eigen::Vector3f direction;  ///< of the camera ray
};

/// What the rays to the lights have found out: how much of the key light is seen, and the light of the sky.
struct Illumination {
  float key = 1;
  Eigen::Vector3f sky = Eigen::Vector3f::Ones();
};

/// Everything in front of the camera for one picture. Answers the three questions of a renderer: what is seen
/// along a ray, which light gets there, and what that looks like. Illumination varies slowly over a surface,
/// unlike what it looks like, so it may be averaged between the second question and the third.
class Studio {
 public:
  Studio(std::span<const Drawable> drawables, const RenderSettings& settings);

  /// The ray through a place of the image, in pixels from the upper left corner.
  Ray camera_ray(float x, float y) const;
  /// The size of a pixel at a distance.
  float pixel_size(float distance) const { return pixel_size_ * distance; }
  const Eigen::Vector3f& eye() const { return eye_; }

  SurfacePoint look(const Ray& ray) const;
  /// Follows the rays first_ray ... first_ray + rays - 1 of a fixed sequence to each of the lights.
  Illumination gather(const SurfacePoint& point, int first_ray, int rays) const;
  Eigen::Vector3f appearance(const SurfacePoint& point, const Illumination& illumination) const;

 private:
  struct Mesh {
    Eigen::Vector3f color;
    std::vector<Eigen::Vector3f> normals;
  };

  SurfacePoint point_on_mesh(const Ray& ray, const RayHit& hit) const;
  float line_darkness(const RayHit& hit, const Eigen::Vector3f& position) const;
  Eigen::Vector2f project(const Eigen::Vector3f& point) const;
  float ground_distance(const Ray& ray) const;
  bool key_may_be_hidden(const Eigen::Vector3f& point) const;
  float visible_key(const SurfacePoint& point, int first_ray, int rays) const;
  Eigen::Vector3f visible_sky(const SurfacePoint& point, int first_ray, int rays) const;
  Eigen::Vector3f ground_appearance(const SurfacePoint& point, const Illumination& illumination) const;

  Lighting lighting_;
  Vec3 origin_;
  float radius_;      ///< half the diagonal of the bounds
  float lift_;        ///< how far rays start above the surface they leave
  float pixel_size_;  ///< at distance 1
  Eigen::Vector2f image_center_;
  bool has_ground_;
  float ground_height_;
  bool edges_;
  Eigen::Vector3f eye_;
  Eigen::Matrix3f axes_;
  Eigen::AlignedBox3f box_;  ///< of this picture's meshes
  std::vector<std::vector<Eigen::Vector3f>> vertices_;
  std::vector<std::vector<std::array<int, 3>>> triangles_;
  std::vector<Mesh> meshes_;
  std::unique_ptr<RayScene> scene_;
};

}  // namespace pliant
