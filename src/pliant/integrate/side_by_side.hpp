#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "pliant/integrate/scheme.hpp"
#include "pliant/system/model.hpp"

namespace pliant {

/// Makes the scheme of one model.
using SchemeMaker = std::function<std::unique_ptr<Scheme>(const Model&)>;

/// A scheme for each component of a model that no energy couples with the rest. Such components have nothing
/// to do with each other: each takes its steps as if it were alone, bit by bit, to the tolerance by itself.
/// Of State::arrays each has what is of its vertices and what is of the whole.
class SideBySide final : public Scheme {
 public:
  SideBySide(const Model& model, std::vector<SubModel> components, const SchemeMaker& make);

  Stage first_stage(const State& state, double dt) override;
  int order() const override { return components_.front().scheme->order(); }

 private:
  /// In the report energies, work and counts are sums; iterations, residuals and status are those of the
  /// component where they are worst. Seconds share out the time of all, since components are stepped at the
  /// same time.
  StepReport advance(State& state, double dt) override;
  struct Component {
    SubModel of;  ///< its vertices in the whole
    std::unique_ptr<Model> model;
    std::unique_ptr<Scheme> scheme;
    State state;  ///< after the last step
    StepReport report;
    double seconds = 0;  ///< of the last step
  };
  void put_forces(const Component& component, Index size, StepReport& report) const;
  void put_error(const Component& component, Index size, StepReport& report) const;
  /// A place in a component as one of the whole.
  WorstPlace in_whole(const Component& component) const;

  const Model& model_;
  std::vector<Component> components_;
};

/// The scheme that `make` makes of the whole model, or of its components to step side by side where it has
/// several.
std::unique_ptr<Scheme> step_components(const Model& model, const SchemeMaker& make);

}  // namespace pliant
