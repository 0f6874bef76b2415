#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pliant/base/types.hpp"
#include "pliant/kernel/definiteness.hpp"
#include "pliant/kernel/stretch_range.hpp"
#include "pliant/linear/block_matrix.hpp"
#include "pliant/potential/sub_model.hpp"

namespace pliant {

struct Interval;

/// Under which names energies are booked. A term may have one of its own, which gets a column of its own in
/// steps.csv.
inline constexpr char kElasticEnergy[] = "elastic", kGravitationalEnergy[] = "gravitational",
                      kAttachmentEnergy[] = "attachment", kContactEnergy[] = "contact";

/// One term of the potential energy, a function of the positions x alone. It knows neither the time step nor
/// the solver.
///
/// The energy is reported in many small contributions (one an element, say) instead of one total: the
/// difference of two energies is then summed contribution by contribution, which keeps its digits when the
/// total is large.
///
/// What only some can do is a capability beside it: see capabilities.hpp and stencils.hpp.
class Potential {
 public:
  virtual ~Potential() = default;

  /// How many contributions `evaluate` writes.
  virtual Index contributions() const = 0;

  /// Writes the energy of each contribution (which may be +infinity) and, where `gradient` is given, adds
  /// dPhi/dx to it.
  virtual void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const = 0;

  /// How far roundoff may put the sum of the energies wrong, J, besides a few roundoffs of each.
  virtual double roundoff() const { return 0; }

  /// Adds the second derivative at x, its negative eigenvalues treated as `definiteness` says.
  virtual void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const = 0;

  /// Pairs of different vertices that share a block of the Hessian; the diagonal is always there, and what
  /// touches is added without being announced.
  virtual void add_pattern(std::vector<std::pair<int, int>>&) const {}

  /// Called once, when the pattern of the whole model is known, to look up where such blocks go.
  virtual void attach(const BlockPattern&) {}

  /// All that changes with the free vertices of a sub-model, as a potential of the sub-model's vertices, not
  /// attached yet; null where nothing does.
  virtual std::unique_ptr<Potential> sub_model(const SubModel& sub_model) const = 0;
};

/// A stage of a time step: how acceleration and velocity follow from the unknown positions x at time t,
/// a(x) = c_a (x - x_a) and v(x) = c_v (x - x_v).
struct Stage {
  double time = 0;
  double c_a = 0;
  Vector x_a;
  double c_v = 0;
  Vector x_v;
  Vector x_step;         ///< positions at the start of the step
  double time_step = 0;  ///< time at the start of the step
  double time_end = 0;   ///< time at the end of the step: who is released before is free in all its stages
  double delay = 0;      ///< the acceleration is that of so long before `time`, s

  /// The moment whose scripts hold vertices in this stage.
  double holding() const { return std::max(time, time_end); }

  /// The same stage of a sub-model of the model.
  Stage of(const SubModel& sub_model) const {
    return {
        time,     c_a,  sub_model.taken(x_a), c_v, sub_model.taken(x_v), sub_model.taken(x_step), time_step,
        time_end, delay};
  }
};

/// A term that also depends on the stage: damping, moving targets. `begin_stage` is the only call that may
/// change it. A model keeps prototypes; whoever solves stages works on clones.
class StageTerm : public Potential {
 public:
  /// Energy that goes through the term at an instant, W.
  struct Power {
    double supplied = 0;    ///< brought in from outside, by moving a target or an obstacle
    double dissipated = 0;  ///< taken out for good
  };

  virtual std::unique_ptr<StageTerm> clone() const = 0;
  virtual std::unique_ptr<StageTerm> stage_sub_model(const SubModel& sub_model) const = 0;
  std::unique_ptr<Potential> sub_model(const SubModel& sub_model) const override {
    return stage_sub_model(sub_model);
  }
  virtual void begin_stage(const Stage& stage) = 0;

  /// The first key after t of what moves it from outside, s.
  virtual double next_key(double) const { return std::numeric_limits<double>::infinity(); }

  /// How strongly it holds vertices besides the model's own elasticity: the trace of its Hessian, N/m.
  virtual double stiffness() const = 0;

  /// Under which name what it stores is booked; empty where it never stores any, as damping.
  virtual std::string_view energy() const = 0;

  /// Energy stored in the term at positions x and time t.
  virtual double stored(const Vector& x, double t) const = 0;
  /// At the stage's time, where the vertices are at x and move with v; what is moved from outside moves as it
  /// does in the mean of `during`.
  virtual Power power(const Vector& x, const Vector& v, const Interval& during) const = 0;
};

}  // namespace pliant
