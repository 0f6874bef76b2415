#pragma once

// The contacts of a model's obstacles, for tests that put models together by hand.

#include "pliant/contact/constraints.hpp"
#include "pliant/contact/contact_springs.hpp"
#include "pliant/contact/penalty.hpp"
#include "pliant/integrate/contact_program.hpp"
#include "pliant/integrate/friction_after_step.hpp"
#include "pliant/integrate/post_process.hpp"

namespace pliant::testing {

/// Those that are energies; `stiffness` is that of penalties and springs against each vertex.
inline void add_pushing_contacts(Model& model, const Vector& stiffness) {
  auto& contacts = model.contacts;
  const auto any = [&](ContactWay way) { return !obstacles_of(model.obstacles, way).empty(); };
  if (any(ContactWay::penalty))
    contacts.push_back(std::make_unique<ObstaclePenalty>(model.obstacles, stiffness));
  if (any(ContactWay::springs))
    contacts.push_back(std::make_unique<ContactSprings>(model.obstacles, stiffness));
}

/// Those that come after energies, when all of them are there.
inline void add_other_contacts(Model& model) {
  auto& contacts = model.contacts;
  if (!obstacles_of(model.obstacles, ContactWay::constraint).empty())
    contacts.push_back(std::make_unique<Constraints>(model.obstacles));
  const auto rubs = [](const auto& contact) { return contact->rubs(); };
  if (std::any_of(contacts.begin(), contacts.end(), rubs))
    contacts.push_back(std::make_unique<FrictionAfterStep>());
  if (!obstacles_of(model.obstacles, ContactWay::post_process).empty())
    contacts.push_back(std::make_unique<PostProcess>(model.obstacles));
  if (!obstacles_of(model.obstacles, ContactWay::program).empty())
    contacts.push_back(std::make_unique<ContactProgram>(model, ContactProgram::Options{}));
}

inline void add_contacts(Model& model) {
  add_pushing_contacts(model, Vector::Constant(model.mass.size(), 1e6));
  add_other_contacts(model);
}

}  // namespace pliant::testing
