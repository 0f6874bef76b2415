#include "pliant/picture/studio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace pliant {

namespace {

using Vec2f = Eigen::Vector2f;
using Vec3f = Eigen::Vector3f;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Sums of cross products, which weigh each face by its area.
std::vector<Vec3f> vertex_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> sums(mesh.vertices.size(), Vec3::Zero());
  for (const auto& triangle : mesh.triangles) {
    const Vec3& a = mesh.vertices[size_t(triangle[0])];
    const Vec3& b = mesh.vertices[size_t(triangle[1])];
    const Vec3& c = mesh.vertices[size_t(triangle[2])];
    const Vec3 area = (b - a).cross(c - a);
    for (const int vertex : triangle) sums[size_t(vertex)] += area;
  }
  std::vector<Vec3f> normals;
  normals.reserve(sums.size());
  for (const Vec3& sum : sums) normals.push_back(sum.stableNormalized().cast<float>());
  return normals;
}

float smooth_step(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

Sample sample(int i) { return sobol_point(static_cast<std::uint32_t>(i)); }

// Directions with a density proportional to the cosine of their angle to the normal.
Vec3f cosine_direction(const Vec3f& normal, const Sample& place) {
  Vec3f x, y;
  complete_frame(normal, x, y);
  const Vec2f disc = to_disc(place);
  return disc.x() * x + disc.y() * y + std::sqrt(std::max(0.0F, 1 - disc.squaredNorm())) * normal;
}

// The mean of max(0, normal . direction) over a light that reaches `spread` to each side of a direction with
// that cosine.
float facing_light(float cosine, float spread) {
  if (cosine >= spread) return cosine;
  return cosine <= -spread ? 0 : (cosine + spread) * (cosine + spread) / (4 * spread);
}

}  // namespace

Studio::Studio(std::span<const Drawable> drawables, const RenderSettings& settings)
    : lighting_(settings.camera),
      origin_(settings.bounds.isEmpty() ? Vec3(0, 0, 0) : Vec3(settings.bounds.center())),
      radius_(settings.bounds.isEmpty() ? 1 : static_cast<float>(settings.bounds.diagonal().norm() / 2)),
      lift_(2e-4F * radius_),
      pixel_size_(static_cast<float>(2 * std::tan(settings.camera.field_of_view * std::numbers::pi / 360)) /
                  static_cast<float>(settings.height)),
      image_center_(0.5F * static_cast<float>(settings.width), 0.5F * static_cast<float>(settings.height)),
      has_ground_(settings.ground.has_value() && settings.camera.eye.y() > *settings.ground),
      ground_height_(static_cast<float>(settings.ground.value_or(0) - origin_.y())),
      edges_(settings.edges),
      eye_((settings.camera.eye - origin_).cast<float>()),
      axes_(settings.camera.axes().cast<float>()) {
  for (const Drawable& drawable : drawables) {
    auto& vertices = vertices_.emplace_back();
    vertices.reserve(drawable.mesh.vertices.size());
    for (const Vec3& vertex : drawable.mesh.vertices) {
      vertices.push_back((vertex - origin_).cast<float>());
      if (vertex.allFinite()) box_.extend(vertices.back());
    }
    triangles_.push_back(drawable.mesh.triangles);
    meshes_.push_back({to_linear(drawable.color), vertex_normals(drawable.mesh)});
  }
  scene_ = std::make_unique<RayScene>(vertices_, triangles_);
}

Ray Studio::camera_ray(float x, float y) const {
  const float right = pixel_size_ * (x - image_center_.x());
  const float up = pixel_size_ * (image_center_.y() - y);
  return {eye_, (axes_ * Vec3f(right, up, -1)).normalized()};
}

Vec2f Studio::project(const Vec3f& point) const {
  const Vec3f local = axes_.transpose() * (point - eye_);
  return image_center_ + Vec2f(local.x(), -local.y()) / (-local.z() * pixel_size_);
}

float Studio::ground_distance(const Ray& ray) const {
  if (!has_ground_ || ray.direction.y() > -1e-6F) return kInfinity;
  return (ground_height_ - ray.origin.y()) / ray.direction.y();
}

SurfacePoint Studio::look(const Ray& ray) const {
  RayHit hit;
  const float to_ground = ground_distance(ray);
  if (scene_->nearest(ray, hit) && hit.distance < to_ground) return point_on_mesh(ray, hit);
  SurfacePoint point;
  point.direction = ray.direction;
  if (to_ground == kInfinity) return point;
  point.surface = SurfacePoint::kGround;
  point.position = ray.origin + to_ground * ray.direction;
  point.position.y() = ground_height_;
  point.start = point.position + lift_ * Vec3f::UnitY();
  point.normal = Vec3f::UnitY();
  point.albedo = {0.83F, 0.84F, 0.85F};
  return point;
}

SurfacePoint Studio::point_on_mesh(const Ray& ray, const RayHit& hit) const {
  const Mesh& mesh = meshes_[size_t(hit.mesh)];
  const auto& triangle = triangles_[size_t(hit.mesh)][size_t(hit.triangle)];
  const std::array<float, 3> weight = {1 - hit.u - hit.v, hit.u, hit.v};
  std::array<Vec3f, 3> corner, corner_normal;
  for (size_t k = 0; k < 3; ++k) {
    corner[k] = vertices_[size_t(hit.mesh)][size_t(triangle[k])];
    corner_normal[k] = mesh.normals[size_t(triangle[k])];
  }
  Vec3f face = (corner[1] - corner[0]).cross(corner[2] - corner[0]).normalized();
  if (face.dot(ray.direction) > 0) {  // seen from inside
    face = -face;
    for (Vec3f& normal : corner_normal) normal = -normal;
  }
  SurfacePoint point;
  point.surface = hit.mesh + 1;
  point.direction = ray.direction;
  point.position = weight[0] * corner[0] + weight[1] * corner[1] + weight[2] * corner[2];
  point.normal = weight[0] * corner_normal[0] + weight[1] * corner_normal[1] + weight[2] * corner_normal[2];
  const float length = point.normal.norm();
  point.normal = length > 1e-6F ? Vec3f(point.normal / length) : face;
  // Rays start from the curved surface that the normals pretend there is, or else each facet shadows its
  // neighbours where the light grazes them (Hanika, Hacking the shadow terminator, Ray Tracing Gems II,
  // 2021).
  point.start = point.position + lift_ * face;
  for (size_t k = 0; k < 3; ++k) {
    const float below = std::min(0.0F, corner_normal[k].dot(point.position - corner[k]));
    point.start -= weight[k] * below * corner_normal[k];
  }
  point.albedo = mesh.color;
  if (edges_) point.albedo *= 1 - line_darkness(hit, point.position);
  return point;
}

// Lines of the same width on the image everywhere, that fade where triangles get too small for them.
float Studio::line_darkness(const RayHit& hit, const Vec3f& position) const {
  constexpr float kHalfWidth = 0.6F;
  constexpr float kStrength = 0.6F;
  const auto& triangle = triangles_[size_t(hit.mesh)][size_t(hit.triangle)];
  std::array<Vec2f, 3> corner;
  for (size_t k = 0; k < 3; ++k) corner[k] = project(vertices_[size_t(hit.mesh)][size_t(triangle[k])]);
  const Vec2f here = project(position);
  float to_line = kInfinity;
  float longest = 0;
  for (size_t k = 0; k < 3; ++k) {
    const Vec2f side = corner[(k + 1) % 3] - corner[k];
    const Vec2f offset = here - corner[k];
    const float length = std::max(1e-6F, side.norm());
    to_line = std::min(to_line, std::abs(side.x() * offset.y() - side.y() * offset.x()) / length);
    longest = std::max(longest, length);
  }
  const Vec2f a = corner[1] - corner[0];
  const Vec2f b = corner[2] - corner[0];
  const float smallest_height = std::abs(a.x() * b.y() - a.y() * b.x()) / longest;
  return kStrength * smooth_step(2, 7, smallest_height) *
         (1 - smooth_step(kHalfWidth - 0.5F, kHalfWidth + 0.5F, to_line));
}

Illumination Studio::gather(const SurfacePoint& point, int first_ray, int rays) const {
  if (point.surface == SurfacePoint::kBackground) return {};
  return {visible_key(point, first_ray, rays), visible_sky(point, first_ray, rays)};
}

// Whether the sphere around the meshes touches the cone from the point to the key light.
bool Studio::key_may_be_hidden(const Vec3f& point) const {
  if (box_.isEmpty()) return false;
  const Vec3f to_center = box_.center() - point;
  const float along = to_center.dot(lighting_.key_direction());
  const float aside = std::sqrt(std::max(0.0F, to_center.squaredNorm() - along * along));
  return aside < 1.05F * (box_.diagonal().norm() / 2 + lighting_.key_spread() * std::max(0.0F, along));
}

float Studio::visible_key(const SurfacePoint& point, int first_ray, int rays) const {
  if (point.normal.dot(lighting_.key_direction()) <= -lighting_.key_spread()) return 0;
  if (point.surface == SurfacePoint::kGround && !key_may_be_hidden(point.start)) return 1;
  float possible = 0;
  float visible = 0;
  for (int i = 0; i < rays; ++i) {
    const Vec3f light = lighting_.key_direction(sample(first_ray + i));
    const float facing = point.normal.dot(light);
    if (facing <= 0) continue;
    possible += facing;
    if (!scene_->occluded({point.start, light}, kInfinity)) visible += facing;
  }
  return possible > 0 ? visible / possible : 0;
}

// For the ground this is the part of the sky that is seen. Elsewhere, what goes down meets the ground, which
// is bright unless it is so near that the point itself shades it.
Vec3f Studio::visible_sky(const SurfacePoint& point, int first_ray, int rays) const {
  const bool on_ground = point.surface == SurfacePoint::kGround;
  if (on_ground && (box_.isEmpty() || box_.squaredExteriorDistance(point.start) > radius_ * radius_))
    return Vec3f::Ones();
  Vec3f sum = Vec3f::Zero();
  for (int i = 0; i < rays; ++i) {
    const Ray ray = {point.start, cosine_direction(point.normal, sample(first_ray + i))};
    if (scene_->occluded(ray, radius_)) continue;
    const float to_ground = on_ground ? kInfinity : ground_distance(ray);
    const float bounce =
        to_ground == kInfinity ? 1 : 0.25F + 0.6F * smooth_step(0, 0.6F * radius_, to_ground);
    sum += on_ground ? Vec3f(Vec3f::Ones()) : Vec3f(bounce * lighting_.sky(ray.direction));
  }
  return sum / static_cast<float>(rays);
}

Vec3f Studio::appearance(const SurfacePoint& point, const Illumination& illumination) const {
  if (point.surface == SurfacePoint::kBackground) return lighting_.background(point.direction);
  if (point.surface == SurfacePoint::kGround) return ground_appearance(point, illumination);
  constexpr float kGloss = 0.16F;
  constexpr float kSharpness = 30;
  const Vec3f& light = lighting_.key_direction();
  const float facing = facing_light(point.normal.dot(light), lighting_.key_spread());
  const Vec3f key = illumination.key * facing * lighting_.key_color();
  const float halfway = std::max(0.0F, point.normal.dot((light - point.direction).normalized()));
  const float grazing = std::pow(1 - std::clamp(-point.normal.dot(point.direction), 0.0F, 1.0F), 4.0F);
  return point.albedo.cwiseProduct(key + illumination.sky) + kGloss * std::pow(halfway, kSharpness) * key +
         0.10F * grazing * illumination.sky;
}

// A bright floor that shadows darken and that passes into the background without a seam.
Vec3f Studio::ground_appearance(const SurfacePoint& point, const Illumination& illumination) const {
  const Vec3f background = lighting_.background(point.direction);
  const float away = std::hypot(point.position.x(), point.position.z()) / radius_;
  const Vec3f shade = illumination.key * Vec3f(0.60F, 0.59F, 0.575F) +
                      illumination.sky.cwiseProduct(Vec3f(0.40F, 0.41F, 0.425F));
  const Vec3f lit = point.albedo.cwiseProduct(shade);
  return lit + smooth_step(1.5F, 9, away) * (background - lit);
}

}  // namespace pliant
