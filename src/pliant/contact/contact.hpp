#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "pliant/contact/contact_point.hpp"
#include "pliant/kernel/definiteness.hpp"
#include "pliant/minimize/objective.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

struct StepEnd;  // integrate/step_end.hpp

/// What a contact asks of those who step, and what these have to offer.
struct Demands {
  bool ends_with_stage = false;  ///< the last stage is the end of the step: what holds there holds after it
  bool stages_only = false;      ///< all that it asks of forces is the answer of a stage
};

/// What a contact couples.
enum class Couples {
  nothing,               ///< each body has its own
  bodies_in_the_solve,   ///< any may touch any other: they are solved for together
  bodies_after_the_step  ///< bodies step by themselves; the contact acts on all of them when they have
};

/// What a contact thinks of a step that it was in; the later, the stronger.
enum class Verdict {
  keep,
  shorter,        ///< take it again with half the length
  backward_euler  ///< take it again with a scheme that holds out against anything
};

/// A stage, as far as contacts may know it.
struct ContactStage {
  const Stage& stage;
  std::span<const char> fixed;  ///< dofs that do not move
  double extent = 0;            ///< of the model, m
};

/// The places that a contact lets vertices be in, where it has such a set (gast-2014, section 3.2).
class FeasiblePlaces {
 public:
  virtual ~FeasiblePlaces() = default;

  /// Labels what stays active for an iteration and takes from the gradient what that holds. Returns how many
  /// vertices are active that were not before.
  virtual Index label(const Vector& x, Vector& gradient) = 0;
  virtual Index active_vertices() const = 0;
  /// See FeasibleSet.
  virtual void restrict(Vector& gradient) const = 0;
  virtual void project(Vector& x) = 0;
  virtual double slope(const Vector& gradient, const Vector& step) const = 0;
  /// What projecting does to the second derivative, whose diagonal is `diagonal` where nothing is left of it.
  virtual void restrict_hessian(Definiteness definiteness, const Vector& diagonal,
                                BlockMatrix& hessian) const = 0;
  /// What of a difference of values says nothing, since projections are only so close.
  virtual double roundoff() const = 0;
  /// Dofs of active vertices are set in `fixed`.
  virtual void mark_active(std::vector<char>& fixed) const = 0;
  /// Vertices that are held take the velocity of what holds them, in the directions they are held in.
  virtual void take_velocity(const Vector& x, Vector& v) const = 0;
};

/// How far a contact lets a step go, where it has a say in that. Schemes that lead to places that no solver
/// has searched for refuse it.
class StepLimit {
 public:
  virtual ~StepLimit() = default;
  /// See Objective; asked again about what it has left of a step it leaves that. Obstacles move from the
  /// beginning of `of_obstacles`, when nothing touched at x, to its end, however short the share: the place
  /// that is reached is clear of them there, and where none is the share is 0.
  virtual double limit(const Vector& x, Vector& step, const Interval& of_obstacles) = 0;
};

/// The one owner of a contact: all that it does in a step, whatever it does it by. A model lists prototypes;
/// whoever steps works on clones. `begin` and what comes after it alone may change one.
class Contact {
 public:
  virtual ~Contact() = default;
  virtual std::unique_ptr<Contact> clone_contact() const = 0;
  /// Its energies for the vertices of a sub-model, others held; null where it has none there.
  virtual std::unique_ptr<Contact> contact_sub_model(const SubModel& sub_model) const = 0;
  /// All that it does, for a component of the model, which moves by itself; never null unless it couples
  /// bodies.
  virtual std::unique_ptr<Contact> contact_component(const SubModel& sub_model) const = 0;

  virtual Demands demands() const { return {}; }
  virtual Couples couples() const { return Couples::nothing; }
  /// The obstacles that it keeps bodies out of.
  virtual std::span<const Obstacle* const> obstacles() const { return {}; }
  /// Whether what it presses is to be slowed by friction after the step, and whether it sees to that.
  virtual bool rubs() const { return false; }
  virtual bool slows_what_rubs() const { return false; }

  virtual std::vector<StageTerm*> energies() { return {}; }
  /// Whether these take as long as all the rest, so that they are not evaluated where the rest says enough.
  virtual bool is_costly() const { return false; }
  virtual FeasiblePlaces* feasible_places() { return nullptr; }

  virtual void begin(const ContactStage&) {}
  /// Whether it is found anew when an iteration begins, as the springs of liu-2018, section 8.5; the energy
  /// is then another one in each iteration.
  virtual bool is_found_anew() const { return false; }
  /// Finds what touches at x and corrects the gradient there.
  virtual Renewal begin_iteration(const Vector&, Vector&) { return {}; }
  virtual StepLimit* step_limit() { return nullptr; }
  virtual bool renew(const Vector&) { return false; }

  /// Acts on a step that is done, and says what it thinks of it.
  virtual void after_step(StepEnd&) {}
  virtual Verdict judge(const StepEnd&) const { return Verdict::keep; }

  /// Where it presses at x, with the force there.
  virtual void add_contacts(const Vector&, std::vector<ContactPoint>&) const {}
  /// Of the vertex that is deepest inside of a body, m; 0 where none is.
  virtual double overlap(const Vector&) const { return 0; }
  /// A vertex inside of a body, which are counted from 0.
  struct Inside {
    int vertex, body;
    double depth;  ///< m
  };
  virtual std::vector<Inside> find_inside(const Vector&) const { return {}; }
};

}  // namespace pliant
