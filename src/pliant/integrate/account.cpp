#include "pliant/integrate/account.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>

#include "pliant/base/timer.hpp"
#include "pliant/base/vector_ops.hpp"
#include "pliant/contact/gap.hpp"
#include "pliant/integrate/step_end.hpp"
#include "pliant/potential/stencils.hpp"

namespace pliant {

namespace {

void add_potential(const Term& term, std::span<const double> contributions, Energies& energies) {
  energies.add(term.energy, sum(contributions.data(), std::ssize(contributions)));
}

/// What stage terms and contacts hold.
template <class Terms>
void add_stored(const Terms& terms, const State& state, Energies& energies) {
  for (const auto& term : terms)
    if (!term->energy().empty()) energies.add(term->energy(), term->stored(state.x, state.time));
}

/// On each of so many coordinates; none where nothing is pressed.
Vector forces_of(std::span<const ContactPoint> pressed, Index size) {
  Vector forces;
  if (pressed.empty()) return forces;
  forces.setZero(size);
  for (const ContactPoint& at : pressed)
    for (int k = 0; k < ContactPoint::kMost && at.vertices[k] >= 0; ++k)
      forces.segment<3>(3 * Index{at.vertices[k]}) += at.weights[k] * at.force * at.normal;
  return forces;
}

/// The elements of a body at one of its vertices that are stencils of the same number: hinges, say, are not.
std::vector<int> elements_among(const Stencils& stencils, const Body& body, int vertex) {
  std::vector<int> elements;
  std::vector<int> vertices(static_cast<size_t>(stencils.kind().corners));
  std::vector<double> rest(static_cast<size_t>(stencils.kind().rest));
  const Index count = std::min(static_cast<Index>(body.rest.element_count()), stencils.stencils());
  for (Index t = 0; t < count; ++t) {
    const auto corners = body.rest.element(static_cast<size_t>(t));
    if (std::find(corners.begin(), corners.end(), vertex - body.first_vertex) == corners.end()) continue;
    stencils.copy_stencil(t, vertices.data(), rest.data());
    const auto same = [&](int corner, int in_model) { return corner + body.first_vertex == in_model; };
    if (std::equal(corners.begin(), corners.end(), vertices.begin(), vertices.end(), same))
      elements.push_back(static_cast<int>(t));
  }
  return elements;
}

}  // namespace

double kinetic_energy(const Model& model, const Vector& v) {
  const Vector momentum = model.momentum(v);
  Vector contributions(model.mass.size());
  for (Index i = 0; i < model.mass.size(); ++i)
    contributions[i] = 0.5 * momentum.segment<3>(3 * i).dot(v.segment<3>(3 * i));
  return sum(contributions.data(), contributions.size());
}

Energies energies_of(const Model& model, const State& state) {
  Energies energies;
  energies.kinetic = kinetic_energy(model, state.v);
  for (const Term& term : model.terms) {
    std::vector<double> contributions(static_cast<size_t>(term.potential->contributions()));
    term.potential->evaluate(state.x, contributions, nullptr);
    add_potential(term, contributions, energies);
  }
  add_stored(model.stage_terms, state, energies);
  for (const auto& contact : model.contacts) add_stored(contact->energies(), state, energies);
  return energies;
}

void put_back(const Model& model, const State& before, State& after, StepReport& report) {
  after.x = before.x;
  after.v.setZero();
  report.outcome.status = Status::not_finite;
  report.error.reset();
  report.energies = energies_of(model, after);
  report.work = {.scheme = energies_of(model, before).total() - report.energies.total()};
  const double seconds = report.contacts.seconds;
  report.contacts = {.smallest_gap = smallest_gap(model.obstacles, after.time, after.x), .seconds = seconds};
}

void PotentialsAt::move_to(const Vector& point, const Model& model, StageObjective& objective) {
  if (equal(x, point)) return;
  x = point;
  gradient = objective.potential_gradient(point);
  for (Energies::Entry& entry : energies.potentials) entry.energy = 0;
  for (size_t k = 0; k < model.terms.size(); ++k)
    add_potential(model.terms[k], objective.energies_of(k), energies);
}

Reaction reaction_at(const Model& model, StageObjective& objective, const Vector& x, const Vector& gradient,
                     double length) {
  Reaction reaction;
  if (!objective.feasible_places()) return reaction;
  const Stage& stage = objective.stage();
  Vector left(x.size());
  for (Index d = 0; d < x.size(); ++d)
    left[d] = objective.fixed()[d] ? 0 : gradient[d] + stage.c_a * model.mass[d / 3] * (x[d] - stage.x_a[d]);
  reaction.force = left;
  objective.feasible_places()->label(x, left);
  reaction.force -= left;
  reaction.length = length;
  return reaction;
}

StepAccount::StepAccount(const Model& model, StageObjective& objective, const State& before,
                         PotentialsAt& potentials)
    : model_(model), objective_(objective), before_(before), potentials_(potentials) {
  potentials_.move_to(before.x, model, objective);
  energies_before_ = measure(before);
  impulse_.setZero(before.x.size());
}

Energies StepAccount::measure(const State& state) const {
  Energies energies = potentials_.energies;
  energies.kinetic = kinetic_energy(model_, state.v);
  add_stored(objective_.stage_terms(), state, energies);
  add_stored(objective_.contact_terms(), state, energies);
  return energies;
}

const Vector& StepAccount::sample(double length, const Vector& x, const Vector& v, bool only_one) {
  potentials_.move_to(x, model_, objective_);
  gradient_ = potentials_.gradient;
  objective_.add_stage_gradient(x, gradient_);
  const double now = objective_.stage().time;
  const Interval during{only_one ? before_.time : now, now};
  for (const auto& term : objective_.stage_terms()) {
    const StageTerm::Power power = term->power(x, v, during);
    work_.attachment += length * power.supplied;
    work_.damping += length * power.dissipated;
  }
  for (const auto& term : objective_.contact_terms())
    work_.contact += length * term->power(x, v, during).supplied;
  for (Index d = 0; d < x.size(); ++d) {
    impulse_[d] -= length * gradient_[d];
    if (objective_.fixed()[d])
      work_.script +=
          length * gradient_[d] * (only_one ? (x[d] - before_.x[d]) / (now - before_.time) : v[d]);
  }
  return gradient_;
}

void StepAccount::close(State& after, StepReport& report, const Reaction& reaction, bool samples_move) {
  potentials_.move_to(after.x, model_, objective_);
  report.energies = measure(after);
  // A final update may lead where the energy is infinite though no stage did.
  if (!std::isfinite(report.energies.total())) return put_back(model_, before_, after, report);
  StepWork& work = report.work = work_;
  // Free vertices gain (impulse) . (v0 + v1) / 2 of kinetic energy. What of that neither energies nor work
  // explain is lost to the scheme.
  double gained = 0;
  const Vector change = model_.momentum(after.v - before_.v);
  for (Index d = 0; d < after.v.size(); ++d) {
    const double mean = 0.5 * (before_.v[d] + after.v[d]);
    // With a consistent mass scripts pull at free vertices, jumps of their velocities included.
    if (objective_.fixed()[d])
      work.script += mean * change[d];
    else
      gained += mean * (model_.consistent_mass ? change[d] : impulse_[d]);
  }
  const double stored = report.energies.potential() - energies_before_.potential();
  if (reaction.force.size() > 0)
    work.contact += reaction.length * dot(reaction.force, 0.5 * (before_.v + after.v));
  if (samples_move)
    work.scheme = work_.script + work_.attachment + work_.contact - work_.damping - stored - gained;
  else
    work.scheme = work.script + work.attachment + work.contact - work.damping -
                  (report.energies.total() - energies_before_.total());
  if (!std::isfinite(work.scheme)) return put_back(model_, before_, after, report);
  if (model_.obstacles.empty() && model_.contacts.empty()) return;
  close_contacts(after, report, reaction);
}

/// What contacts have done, and what they do now.
void StepAccount::close_contacts(State& after, StepReport& report, const Reaction& reaction) {
  const ScopedTimer timer(report.contacts.seconds);
  std::vector<ContactPoint> pressed;
  for (const auto& contact : objective_.contacts()) {
    const Index first = std::ssize(pressed);
    contact->add_contacts(after.x, pressed);
    report.contacts.overlap = std::max(report.contacts.overlap, contact->overlap(after.x));
    if (!contact->feasible_places()) continue;
    const std::span<ContactPoint> held(pressed.begin() + first, pressed.end());
    for (ContactPoint& at : held) at.force *= reaction.length / (after.time - before_.time);
    if (!reaction.stops) continue;
    report.work.contact += stop(after, *contact->feasible_places(), held);
    report.energies.kinetic = kinetic_energy(model_, after.v);
  }
  report.contacts.count = std::ssize(pressed);
  report.contacts.forces = forces_of(pressed, after.x.size());
  const auto measure_after = [&] {
    potentials_.move_to(after.x, model_, objective_);
    return measure(after);
  };
  StepEnd end{model_, before_, after, report, objective_.fixed(), pressed, measure_after};
  for (const auto& contact : objective_.contacts()) contact->after_step(end);
  for (const auto& contact : objective_.contacts())
    report.verdict = std::max(report.verdict, contact->judge(end));
  report.contacts.smallest_gap = smallest_gap(model_.obstacles, after.time, after.x);
}

/// Gives held vertices the velocity of what holds them and adds the impulse of that to their contacts.
/// Returns the kinetic energy gained.
double StepAccount::stop(State& after, const FeasiblePlaces& places, std::span<ContactPoint> held) {
  const double dt = after.time - before_.time, before = kinetic_energy(model_, after.v);
  const Vector v = after.v;
  places.take_velocity(after.x, after.v);
  std::map<int, std::vector<ContactPoint*>> by_vertex;
  for (ContactPoint& contact : held) by_vertex[contact.vertices[0]].push_back(&contact);
  for (const auto& [vertex, contacts] : by_vertex) {
    // The impulses along normals, which need not be at right angles, whose sum is the change of momentum.
    const Vec3 impulse = model_.mass[vertex] * (after.v - v).segment<3>(3 * Index{vertex});
    Eigen::Matrix3Xd normals(3, std::ssize(contacts));
    for (Index k = 0; k < normals.cols(); ++k) normals.col(k) = contacts[static_cast<size_t>(k)]->normal;
    const Eigen::VectorXd shares = normals.completeOrthogonalDecomposition().solve(impulse);
    for (Index k = 0; k < normals.cols(); ++k) {
      double& force = contacts[static_cast<size_t>(k)]->force;
      force = std::max(0.0, force + shares[k] / dt);
    }
  }
  return kinetic_energy(model_, after.v) - before;
}

WorstPlace find_worst_place(const Model& model, StageObjective& objective, const Vector& x) {
  Vector gradient;
  objective.evaluate(x, &gradient);
  if (objective.feasible_places()) objective.feasible_places()->label(x, gradient);
  WorstPlace worst;
  int vertex = -1;
  for (int i = 0; i < model.vertex_count(); ++i) {
    const double force = gradient.segment<3>(3 * Index{i}).norm();
    if (vertex < 0 || force > worst.force || std::isnan(force)) {
      vertex = i;
      worst.force = force;
    }
  }
  const Body& body = model.body_of(vertex);
  worst.body = body.name;
  worst.vertex = vertex - body.first_vertex;
  double most = -1;
  for (size_t k = 0; k < model.terms.size(); ++k) {
    const Term& term = model.terms[k];
    const auto* stencils = dynamic_cast<const Stencils*>(term.potential.get());
    if (!term.is_elastic() || term.body != body.name || stencils == nullptr) continue;
    const auto energies = objective.energies_of(k);
    for (const int t : elements_among(*stencils, body, vertex))
      if (energies[t] > most) {
        most = energies[t];
        worst.element = t;
      }
  }
  return worst;
}

}  // namespace pliant
