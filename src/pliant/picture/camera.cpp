#include "pliant/picture/camera.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace pliant {

namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kAzimuth = 32 * kDegree;    // from z towards x
constexpr double kElevation = 17 * kDegree;  // above the horizon
constexpr double kMargin = 1.16;             // room around the subject, for its shadow too

Mat3 axes_looking_back_along(const Vec3& backward) {
  const Vec3 z = backward.normalized();
  const Vec3 up = std::abs(z.y()) < 0.9999 ? Vec3::UnitY() : Vec3(0, 0, -1);
  Mat3 axes;
  axes.col(0) = up.cross(z).normalized();
  axes.col(1) = z.cross(axes.col(0));
  axes.col(2) = z;
  return axes;
}

}  // namespace

Mat3 Camera::axes() const { return axes_looking_back_along(eye - target); }

Vec3 Camera::project(const Vec3& point) const {
  const Vec3 local = axes().transpose() * (point - eye);
  const double scale = -local.z() * std::tan(field_of_view * kDegree / 2);
  return {local.x() / scale, local.y() / scale, -local.z()};
}

CameraFit::CameraFit(double aspect, double field_of_view)
    : aspect_(aspect),
      field_of_view_(field_of_view),
      axes_(axes_looking_back_along({std::sin(kAzimuth) * std::cos(kElevation), std::sin(kElevation),
                                     std::cos(kAzimuth) * std::cos(kElevation)})),
      nearest_(-std::numeric_limits<double>::infinity()),
      farthest_(std::numeric_limits<double>::infinity()) {
  support_.fill(-std::numeric_limits<double>::infinity());
}

// A point at (x, y, z) of the camera's axes is in the picture of an eye at (a, b, c) if |y - b| <= k (c - z)
// and |x - a| <= k aspect (c - z), with k the tangent of half the field of view: four linear conditions, of
// which only the largest left-hand sides matter.
void CameraFit::include(const Vec3& point) {
  if (!point.allFinite()) return;
  const double k = std::tan(field_of_view_ * kDegree / 2) / kMargin;
  const Vec3 p = axes_.transpose() * point;
  const std::array<double, 4> reach = {p.x() + k * aspect_ * p.z(), -p.x() + k * aspect_ * p.z(),
                                       p.y() + k * p.z(), -p.y() + k * p.z()};
  for (size_t i = 0; i < 4; ++i) support_[i] = std::max(support_[i], reach[i]);
  nearest_ = std::max(nearest_, p.z());
  farthest_ = std::min(farthest_, p.z());
}

Camera CameraFit::camera() const {
  if (farthest_ > nearest_) return {{0, 0, 1}, {0, 0, 0}, field_of_view_};
  const double k = std::tan(field_of_view_ * kDegree / 2) / kMargin;
  const double enough_for_width = (support_[0] + support_[1]) / (2 * k * aspect_);
  const double enough_for_height = (support_[2] + support_[3]) / (2 * k);
  const double a = (support_[0] - support_[1]) / 2;
  const double b = (support_[2] - support_[3]) / 2;
  double c = std::max(enough_for_width, enough_for_height);
  if (c - nearest_ < 1e-9 * (1 + std::abs(nearest_))) c = nearest_ + 1;  // a single point
  Camera camera;
  camera.eye = axes_ * Vec3(a, b, c);
  camera.target = axes_ * Vec3(a, b, (nearest_ + farthest_) / 2);
  camera.field_of_view = field_of_view_;
  return camera;
}

Camera fit_camera(std::span<const Vec3> points, double aspect, double field_of_view) {
  CameraFit fit(aspect, field_of_view);
  for (const Vec3& point : points) fit.include(point);
  return fit.camera();
}

}  // namespace pliant
