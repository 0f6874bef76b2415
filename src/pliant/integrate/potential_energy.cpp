#include "pliant/integrate/potential_energy.hpp"

#include "pliant/base/vector_ops.hpp"
#include "pliant/integrate/instant.hpp"

namespace pliant {

PotentialEnergy::PotentialEnergy(const Model& model, const State& state) : model_(model) {
  Stage stage = stage_at(state, 0, state.time);
  stage.x_a = stage.x_v = state.x;
  const std::vector<char> fixed = model.fixed_dofs(state.time);
  for (const Term& term : model.terms) parts_.push_back(term.potential.get());
  for (const auto& prototype : model.stage_terms) {
    if (prototype->energy().empty()) continue;
    stage_terms_.push_back(prototype->clone());
    stage_terms_.back()->begin_stage(stage);
    parts_.push_back(stage_terms_.back().get());
  }
  for (const auto& prototype : model.contacts) {
    if (prototype->couples() == Couples::bodies_after_the_step) continue;
    contacts_.push_back(prototype->clone_contact());
    Contact& contact = *contacts_.back();
    for (StageTerm* term : contact.energies()) {
      term->begin_stage(stage);
      parts_.push_back(term);
    }
    contact.begin({stage, fixed, model.diameter});
    Vector unused = Vector::Zero(state.x.size());
    if (contact.is_found_anew()) contact.begin_iteration(state.x, unused);
  }
}

double PotentialEnergy::evaluate(const Vector& x, Vector* gradient) const {
  if (gradient) gradient->setZero(x.size());
  double energy = 0;
  std::vector<double> contributions;
  for (const Potential* part : parts_) {
    contributions.assign(static_cast<size_t>(part->contributions()), 0);
    part->evaluate(x, contributions, gradient);
    energy += sum(contributions.data(), std::ssize(contributions));
  }
  return energy;
}

BlockMatrix PotentialEnergy::hessian(const Vector& x, Definiteness definiteness) const {
  BlockMatrix matrix(model_.pattern);
  matrix.set_zero();
  for (const Potential* part : parts_) part->add_hessian(x, definiteness, matrix);
  return matrix;
}

}  // namespace pliant
