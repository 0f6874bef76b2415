#pragma once

#include <string>
#include <vector>

#include "pliant/integrate/account.hpp"
#include "pliant/integrate/scheme.hpp"
#include "pliant/potential/springs.hpp"
#include "pliant/system/stage_solver.hpp"

namespace pliant {

/// Schemes that move vertices as if nothing held them and then put springs to their lengths, instead of
/// minimising an energy (liu-2018, section 4.3). For bodies of springs; vertices that scripts move do not
/// give way.
enum class PositionWay {
  pbd,              ///< one spring after another (Mueller et al. 2007, Eq. 4.21)
  xpbd,             ///< the same with a compliance (Macklin et al. 2016), close to backward Euler
  step_and_project  ///< all springs at once, linearised (Goldenthal et al. 2007, Eq. 4.17)
};

constexpr std::string_view name(PositionWay way) {
  return way == PositionWay::pbd ? "pbd" : way == PositionWay::xpbd ? "xpbd" : "step-and-project";
}

class PositionBased final : public Scheme {
 public:
  struct Options {
    PositionWay way = PositionWay::xpbd;
    int iterations = 10;
    double stiffness = 1;  ///< of pbd, from 0 to 1: what part of its error a spring loses in a step
  };

  /// Throws InputError where something elastic is not made of springs.
  PositionBased(const Model& model, const Options& options);

  Stage first_stage(const State& state, double dt) override;
  int order() const override { return 1; }

 private:
  StepReport advance(State& state, double dt) override;
  void collect_springs();
  void color_springs();
  void correct(double dt, Vector& x);
  void correct_all(Vector& x);
  double longest_error(const Vector& x) const;

  const Model& model_;
  Options options_;
  StageObjective objective_;
  PotentialsAt potentials_;
  std::vector<SpringAt> springs_;  ///< colour by colour: those of one share no vertex
  std::vector<Index> color_start_;
  std::vector<double> mobility_;  ///< 1 / mass; 0 where a script holds
  std::vector<double> multipliers_;
};

/// What it says of a body that it cannot move.
std::string is_not_of_springs(const std::string& body);

}  // namespace pliant
