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

/// What a scheme makes of a model without the contacts that act on all bodies after the step.
inline std::unique_ptr<Scheme> predictor(Model& model, const std::string& name) {
  std::vector<std::unique_ptr<Contact>> all = std::exchange(model.contacts, {});
  for (const auto& contact : all)
    if (contact->couples() != Couples::bodies_after_the_step)
      model.contacts.push_back(contact->clone_contact());
  auto scheme = step_components(
      model, [&](const Model& part) { return make_joint_scheme({.name = name}, part, contact_solver()); });
  model.contacts = std::move(all);
  return scheme;
}

inline std::unique_ptr<Scheme> corrected(const Model& model, const std::string& name = "sdirk2") {
  return step_components(
      model, [&](const Model& part) { return make_joint_scheme({.name = name}, part, contact_solver()); });
}

/// With one program of these options, for obstacles alone.
inline std::unique_ptr<Scheme> corrected(Model& model, const std::string& name,
                                         const ContactProgram::Options& options) {
  std::erase_if(model.contacts,
                [](const auto& contact) { return contact->couples() == Couples::bodies_after_the_step; });
  model.contacts.push_back(std::make_unique<ContactProgram>(model, options));
  return corrected(model, name);
}

/// Bodies that touch each other do so in a program too.
inline void let_bodies_touch(ContactScene& scene, double friction = 0) {
  Model& model = scene.model;
  std::vector<SelfCollision::Collider> colliders;
  for (const Body& body : model.bodies) colliders.push_back({body.rest, body.first_vertex});
  std::erase_if(model.contacts,
                [](const auto& contact) { return contact->couples() == Couples::bodies_after_the_step; });
  model.contacts.push_back(std::make_unique<ContactProgram>(
      model, ContactProgram::Options{},
      std::make_unique<SelfCollision>(
          colliders,
          SelfCollision::Options{Vector::Constant(model.mass.size(), 1e6), friction, false, true})));
}

}  // namespace pliant::testing
