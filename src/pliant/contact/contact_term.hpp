#pragma once

#include "pliant/contact/contact.hpp"

namespace pliant {

/// A contact that is one term of the energy: zero where nothing touches, never negative.
class ContactTerm : public StageTerm, public Contact {
 public:
  virtual std::unique_ptr<ContactTerm> clone_term() const = 0;
  virtual std::unique_ptr<ContactTerm> term_sub_model(const SubModel& sub_model) const = 0;
  std::unique_ptr<StageTerm> clone() const final { return clone_term(); }
  std::unique_ptr<StageTerm> stage_sub_model(const SubModel& sub_model) const final {
    return term_sub_model(sub_model);
  }
  std::unique_ptr<Contact> clone_contact() const final { return clone_term(); }
  std::unique_ptr<Contact> contact_sub_model(const SubModel& sub_model) const final {
    return term_sub_model(sub_model);
  }

  std::unique_ptr<Contact> contact_component(const SubModel& sub_model) const final {
    return term_sub_model(sub_model);
  }

  std::vector<StageTerm*> energies() final { return {this}; }
  double stiffness() const override { return 0; }  // where nothing touches
  std::string_view energy() const override { return kContactEnergy; }
};

}  // namespace pliant
