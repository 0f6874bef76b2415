#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "pliant/contact/contact.hpp"
#include "pliant/integrate/energies.hpp"
#include "pliant/minimize/descend.hpp"
#include "pliant/system/model.hpp"
#include "pliant/system/state.hpp"

namespace pliant {

/// Energy that entered or left during one step, J. The balance is
/// total(after) - total(before) = script + attachment + contact + friction - damping - scheme - tear, but for
/// what the solver left over.
struct StepWork {
  double script = 0;      ///< done by scripted vertices on the rest
  double attachment = 0;  ///< done by moving the targets of attachments, and by the wind
  double contact = 0;     ///< done by obstacles, negative where they stop a body
  double friction = 0;    ///< done by friction, negative unless an obstacle drags a body along
  double damping = 0;     ///< lost to damping
  double scheme = 0;      ///< lost to the time integrator itself
  double tear = 0;        ///< that went with what was torn off after the step

  void add(const StepWork& more) {
    script += more.script;
    attachment += more.attachment;
    contact += more.contact;
    friction += more.friction;
    damping += more.damping;
    scheme += more.scheme;
    tear += more.tear;
  }
};

/// The place that holds the largest remaining force after a step that did not converge.
struct WorstPlace {
  std::string body;
  int vertex = -1;   ///< of that body
  int element = -1;  ///< the element of that body at the vertex with the largest energy; -1 if none
  double force = 0;  ///< N
};

/// How a correction of velocities after the step has ended; the later, the worse.
enum class Correction {
  solved,         ///< or there was none
  inaccurate,     ///< not to its tolerance
  contradictory,  ///< no velocities keep all bodies apart
  too_large       ///< not tried: more places touch at once than there are numbers to hold
};

/// What touches at the end of a step.
struct StepContacts {
  Index count = 0;  ///< places where something is pressed against something
  /// The smallest signed distance of a vertex to an obstacle, m; infinite where there is none.
  double smallest_gap = std::numeric_limits<double>::infinity();
  double overlap = 0;  ///< depth of the vertex that is deepest inside of a body, m
  /// The most kinetic energy that friction added anywhere, as seen from the obstacle, J: nothing but
  /// roundoff.
  double friction_gain = 0;
  double seconds = 0;                          ///< spent on contacts, a part of other times
  Correction correction = Correction::solved;  ///< the worst of all
  /// By how much a corrected velocity misses its conditions, relative to the velocities there; the largest.
  double correction_error = 0;
  bool corrected = false;  ///< by impulses that act for the whole step: to first order
  /// Along the normals, on each coordinate, N; empty where nothing presses. Of contacts that act after the
  /// solve it says nothing.
  Vector forces = {};

  /// Of another part of the model, but for the forces.
  void add(const StepContacts& more) {
    count += more.count;
    smallest_gap = std::min(smallest_gap, more.smallest_gap);
    overlap = std::max(overlap, more.overlap);
    friction_gain = std::max(friction_gain, more.friction_gain);
    seconds += more.seconds;
    correction = std::max(correction, more.correction);
    correction_error = std::max(correction_error, more.correction_error);
    corrected |= more.corrected;
  }
};

/// How far a step may be off, as its scheme estimates it.
struct StepError {
  Vector x, v;    ///< m, m/s
  int power = 2;  ///< of the step that it falls with
};

struct StepReport {
  Outcome outcome;    ///< of all stages of the step together; the worst status
  Energies energies;  ///< at the end of the step
  StepWork work;
  StepContacts contacts;
  Verdict verdict = Verdict::keep;      ///< the strongest of all contacts
  WorstPlace worst;                     ///< filled in where the step did not converge
  std::optional<StepError> error = {};  ///< of schemes with an estimate
};

/// Advances a state by a step. Built for one model; keeps nothing from one step to the next that could change
/// a bit.
class Scheme {
 public:
  virtual ~Scheme();

  /// The step of the scheme, and then those contacts that couple bodies after it. Whoever calls this sees to
  /// the verdict in the report; `StepControl` does.
  StepReport step(State& state, double dt);

  /// Of those that are given a name.
  std::string_view name() const { return name_; }
  /// To contacts.
  const Demands& offers() const { return offers_; }

  /// The power of the step that the error after a fixed time falls with.
  virtual int order() const = 0;

  /// The first stage that the next step will solve, for people who study its problem.
  virtual Stage first_stage(const State& state, double dt) = 0;

 protected:
  /// Of a scheme that leaves all contacts to another one.
  Scheme();
  /// Of one that sees to all contacts of the model. Throws InputError where it does not offer what they
  /// demand.
  Scheme(const Model& model, std::string_view name, const Demands& offers);
  /// Of one that does so by others of the model's components, which it is to ask itself.
  explicit Scheme(const Model& model);

 private:
  virtual StepReport advance(State& state, double dt) = 0;
  void act_after_step(const State& before, State& state, StepReport& report, double& seconds);

  const Model* model_ = nullptr;
  std::string name_;
  Demands offers_;
  std::vector<std::unique_ptr<Contact>> after_step_;
};

}  // namespace pliant
