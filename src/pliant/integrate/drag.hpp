#pragma once

#include <memory>
#include <vector>

#include "pliant/integrate/scheme.hpp"
#include "pliant/system/model.hpp"

namespace pliant {

/// How fast a body loses speed, 1/s, besides by forces (liu-2018, section 8.6).
struct Drag {
  double ether = 0;     ///< of all its motion
  double internal = 0;  ///< of all but its rigid motion (Mueller et al. 2007, section 3.5)
};

/// Takes speed from bodies before each step of another scheme: over a step of length dt the share
/// exp(-rate dt) is left. First order in time.
class Dragged final : public Scheme {
 public:
  /// A drag for each body of the model, which must outlive this.
  Dragged(const Model& model, std::vector<Drag> drags, std::unique_ptr<Scheme> scheme)
      : model_(model), drags_(std::move(drags)), scheme_(std::move(scheme)) {}

  int order() const override { return 1; }
  Stage first_stage(const State& state, double dt) override;

 private:
  StepReport advance(State& state, double dt) override;
  StepWork slow_down(State& state, double dt) const;

  const Model& model_;
  std::vector<Drag> drags_;
  std::unique_ptr<Scheme> scheme_;
};

}  // namespace pliant
