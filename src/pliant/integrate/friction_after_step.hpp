#pragma once

#include "pliant/contact/contact.hpp"

namespace pliant {

/// Coulomb friction of all that the contacts of the solve press against each other, see `apply_friction`.
/// Comes after them in a model.
class FrictionAfterStep final : public Contact {
 public:
  std::unique_ptr<Contact> clone_contact() const override { return std::make_unique<FrictionAfterStep>(); }
  std::unique_ptr<Contact> contact_sub_model(const SubModel&) const override { return nullptr; }
  std::unique_ptr<Contact> contact_component(const SubModel&) const override { return clone_contact(); }
  bool slows_what_rubs() const override { return true; }
  void after_step(StepEnd& end) override;
};

}  // namespace pliant
