#pragma once

#include <span>
#include <vector>

#include "pliant/base/parallel.hpp"
#include "pliant/contact/contact_point.hpp"
#include "pliant/integrate/scheme.hpp"
#include "pliant/system/model.hpp"

namespace pliant {

/// The end of a step, for contacts that act on it.
struct StepEnd {
  const Model& model;
  const State& before;
  State& after;
  StepReport& report;                        ///< energies and work are those of `after`
  std::span<const char> fixed;               ///< dofs that nothing may move
  const std::vector<ContactPoint>& pressed;  ///< where contacts of the solve press at the end
  FunctionRef<Energies()> measure;           ///< of `after` as it is now

  double length() const { return after.time - before.time; }
};

}  // namespace pliant
