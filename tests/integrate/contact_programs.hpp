#pragma once

// Schemes that are corrected by contact programs, for tests.

#include "integrate/contact_scenes.hpp"
#include "pliant/integrate/contact_program.hpp"
#include "pliant/integrate/schemes.hpp"
#include "pliant/integrate/side_by_side.hpp"

namespace pliant::testing {

inline Obstacle program_ground(double friction = 0) {
  Obstacle plane = half_space(Vec3::UnitY());
  plane.way = ContactWay::program;
  plane.friction = friction;
  return plane;
}

inline std::unique_ptr<Scheme> predictor(const Model& model, const std::string& name) {
  return step_parts(model, [&](const Model& part) {
    return make_scheme({.name = name}, part, contact_solver(), Programs::left_to_other);
  });
}

inline std::unique_ptr<Scheme> corrected(const Model& model, const std::string& name = "sdirk2",
                                         const ContactProgram::Options& options = {}) {
  return std::make_unique<ContactProgram>(model, predictor(model, name), options);
}

/// Bodies that touch each other do so in a program too.
inline void let_bodies_touch(ContactScene& scene, double friction = 0) {
  std::vector<SelfCollision::Collider> colliders;
  for (const Body& body : scene.model.bodies) colliders.push_back({body.rest, body.first_vertex});
  scene.model.program_contacts = std::make_unique<SelfCollision>(
      colliders,
      SelfCollision::Options{Vector::Constant(scene.model.mass.size(), 1e6), friction, false, true});
}

}  // namespace pliant::testing
