#include "pliant/system/following_rotations.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace pliant {

void follow_rotation(const Vector& mass, Index begin, Index end, const Vector& x, Vector& step) {
  double total = 0;
  Vec3 center = Vec3::Zero(), shift = Vec3::Zero();
  for (Index i = begin; i < end; ++i) {
    total += mass[i];
    center += mass[i] * x.segment<3>(3 * i);
    shift += mass[i] * step.segment<3>(3 * i);
  }
  center /= total;
  shift /= total;
  Mat3 inertia = Mat3::Zero();
  Vec3 spin = Vec3::Zero();
  for (Index i = begin; i < end; ++i) {
    const Vec3 r = x.segment<3>(3 * i) - center, p = step.segment<3>(3 * i);
    inertia += mass[i] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    spin += mass[i] * r.cross(p);
  }
  // A line of vertices has no spin about itself, nor any inertia.
  inertia += 1e-9 * inertia.trace() * Mat3::Identity();
  const Vec3 rotation = inertia.inverse() * spin;
  const double angle = rotation.norm();
  if (!(angle > 0) || !std::isfinite(angle)) return;
  const double share = std::min(1.0, 1 / angle);
  const Mat3 R = Eigen::AngleAxisd(share * angle, rotation / angle).toRotationMatrix();
  for (Index i = begin; i < end; ++i) {
    const Vec3 r = x.segment<3>(3 * i) - center, p = step.segment<3>(3 * i);
    const Vec3 strain = p - shift - rotation.cross(r);
    step.segment<3>(3 * i) = share * shift + R * (r + share * strain) - r;
  }
}

/// Planar bodies, whose z is held, do not follow.
void FollowingRotations::shape(int iterations, const SearchPoint& here, Field& step) {
  if (iterations <= constants_.from) return;
  copy(step, followed_);
  const Mask fixed = objective_.fixed();
  for (const Body& body : model_.bodies) {
    const Index begin = body.first_vertex, end = begin + std::ssize(body.rest.vertices);
    if (std::find(fixed.begin() + 3 * begin, fixed.begin() + 3 * end, true) == fixed.begin() + 3 * end)
      follow_rotation(model_.mass, begin, end, here.x.host(), followed_.host());
  }
  if (dot(here.gradient, followed_) < constants_.least_slope * dot(here.gradient, step)) step.swap(followed_);
}

}  // namespace pliant
