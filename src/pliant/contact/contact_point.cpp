#include "pliant/contact/contact_point.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {

ContactPoint contact_with(const PlacedObstacle& obstacle, int vertex, const Vec3& x, const Vec3& normal,
                          double force) {
  ContactPoint contact;
  contact.vertices[0] = vertex;
  contact.weights[0] = 1;
  contact.normal = normal;
  contact.force = force;
  contact.friction = obstacle.obstacle().friction;
  contact.velocity = obstacle.velocity(x);
  return contact;
}

FrictionWork apply_friction(std::span<const ContactPoint> contacts, const Vector& mass,
                            std::span<const char> fixed, double dt, Vector& v) {
  FrictionWork work;
  for (const ContactPoint& contact : contacts) {
    if (contact.friction == 0 || contact.force == 0) continue;
    Vec3 sliding = -contact.velocity;
    Vec3 lightness = Vec3::Zero();  // 1 / effective mass
    Vec3 held = contact.velocity;   // of what does not give way
    for (int k = 0; k < ContactPoint::kMost && contact.vertices[k] >= 0; ++k) {
      const Index vertex = contact.vertices[k];
      const double w = contact.weights[k];
      sliding += w * v.segment<3>(3 * vertex);
      for (int c = 0; c < 3; ++c)
        if (fixed[3 * vertex + c])
          held[c] -= w * v[3 * vertex + c];
        else
          lightness[c] += w * w / mass[vertex];
    }
    // Where only some directions are free, the force acts along these alone.
    const Vec3 along = contact.normal.cwiseProduct((lightness.array() > 0).cast<double>().matrix());
    const double share = along.norm();
    if (share == 0) continue;
    sliding = sliding.cwiseProduct((lightness.array() > 0).cast<double>().matrix());
    sliding -= along.dot(sliding) / (share * share) * along;
    const double speed = sliding.norm();
    // Fixed dofs make a place heavier in some directions than in others; with the lightest of them no impulse
    // is too large.
    const double lightest = lightness.maxCoeff();
    if (speed == 0 || lightest == 0) continue;
    const double impulse = std::min(speed / lightest, contact.friction * dt * share * contact.force);
    const Vec3 j = -impulse / speed * sliding;
    double gained = 0;
    for (int k = 0; k < ContactPoint::kMost && contact.vertices[k] >= 0; ++k) {
      const Index vertex = contact.vertices[k];
      for (int c = 0; c < 3; ++c) {
        double& velocity = v[3 * vertex + c];
        if (fixed[3 * vertex + c]) continue;
        const double change = contact.weights[k] * j[c] / mass[vertex];
        gained += mass[vertex] * change * (velocity + 0.5 * change);
        velocity += change;
      }
    }
    work.gained += gained;
    work.most_seen = std::max(work.most_seen, gained - j.dot(held));
  }
  return work;
}

}  // namespace pliant
