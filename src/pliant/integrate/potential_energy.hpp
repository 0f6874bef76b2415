#pragma once

#include <memory>
#include <vector>

#include "pliant/kernel/definiteness.hpp"
#include "pliant/system/model.hpp"
#include "pliant/system/state.hpp"

namespace pliant {

/// All that holds energy at one moment as a function of the positions: the model's terms, attachments whose
/// targets stand still, contacts that are energies. Neither inertia nor what only takes energy out; no
/// coordinate is held. For people who study it.
///
/// Contacts that are found anew in each iteration are those found at the positions of the state.
class PotentialEnergy {
 public:
  /// The model must outlive it.
  PotentialEnergy(const Model& model, const State& state);

  /// J; where `gradient` is given it is set, N.
  double evaluate(const Vector& x, Vector* gradient) const;
  /// N/m.
  BlockMatrix hessian(const Vector& x, Definiteness definiteness) const;

 private:
  const Model& model_;
  std::vector<std::unique_ptr<StageTerm>> stage_terms_;
  std::vector<std::unique_ptr<Contact>> contacts_;
  std::vector<const Potential*> parts_;
};

}  // namespace pliant
