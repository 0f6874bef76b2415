#include "pliant/integrate/account.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/timer.hpp"
#include "pliant/base/vector_ops.hpp"
#include "pliant/contact/gap.hpp"
#include "pliant/contact/post_process.hpp"

namespace pliant {

namespace {

double kinetic(const Model& model, const Vector& v) {
  Vector contributions(model.mass.size());
  for (Index i = 0; i < model.mass.size(); ++i)
    contributions[i] = 0.5 * model.mass[i] *
                       (v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2]);
  return sum(contributions.data(), contributions.size());
}

void add_potential(const Term& term, std::span<const double> contributions, Energies& energies) {
  const double total = sum(contributions.data(), std::ssize(contributions));
  (term.kind == Term::Kind::elastic ? energies.elastic : energies.gravitational) += total;
}

}  // namespace

Energies energies_of(const Model& model, const State& state) {
  Energies energies;
  energies.kinetic = kinetic(model, state.v);
  for (const Term& term : model.terms) {
    std::vector<double> contributions(static_cast<size_t>(term.potential->contributions()));
    term.potential->evaluate(state.x, contributions, nullptr);
    add_potential(term, contributions, energies);
  }
  for (const auto& term : model.stage_terms) energies.attachment += term->stored(state.x, state.time);
  for (const auto& term : model.contact_terms) energies.contact += term->stored(state.x, state.time);
  return energies;
}

void PotentialsAt::move_to(const Vector& point, const Model& model, StageObjective& objective) {
  if (x.size() == point.size() && x == point) return;
  x = point;
  gradient = objective.potential_gradient(point);
  Energies energies;
  for (size_t k = 0; k < model.terms.size(); ++k)
    add_potential(model.terms[k], objective.energies_of(k), energies);
  elastic = energies.elastic;
  gravitational = energies.gravitational;
}

StepAccount::StepAccount(const Model& model, StageObjective& objective, const State& before,
                         PotentialsAt& potentials)
    : model_(model), objective_(objective), before_(before), potentials_(potentials) {
  potentials_.move_to(before.x, model, objective);
  energies_before_ = measure(before);
  start_gradient_ = potentials_.gradient;
  objective.add_stage_gradient(before.x, start_gradient_);
}

Energies StepAccount::measure(const State& state) const {
  Energies energies;
  energies.kinetic = kinetic(model_, state.v);
  energies.elastic = potentials_.elastic;
  energies.gravitational = potentials_.gravitational;
  for (const auto& term : objective_.stage_terms()) energies.attachment += term->stored(state.x, state.time);
  for (const auto& term : objective_.contact_terms()) energies.contact += term->stored(state.x, state.time);
  return energies;
}

void StepAccount::close(State& after, StepReport& report) {
  // With d = x1 - x0 and forces at x1, free vertices gain m (v1 - v0) . v1 - m/2 |v1 - v0|^2 of kinetic
  // energy. The first part is the work of the forces along d. By what the work of the potentials misses the
  // change of their energy, and by the second part, the scheme itself loses energy.
  const Vector d = after.x - before_.x;
  potentials_.move_to(after.x, model_, objective_);
  Vector gradient = potentials_.gradient;
  report.energies = measure(after);
  StepWork& work = report.work = {};
  work.scheme = dot(gradient, d) - (report.energies.elastic - energies_before_.elastic) -
                (report.energies.gravitational - energies_before_.gravitational);
  objective_.add_stage_gradient(after.x, gradient);
  for (const auto& term : objective_.stage_terms()) {
    const StageTerm::Flow flow = term->flow(after.x);
    work.attachment += flow.work;
    work.damping += flow.dissipated;
    work.scheme += flow.scheme_loss;
  }
  for (Index i = 0; i < d.size(); ++i) {
    const double m = model_.mass[i / 3], v0 = before_.v[i], v1 = after.v[i];
    if (objective_.fixed()[i])
      work.script += gradient[i] * d[i] + 0.5 * m * (v1 * v1 - v0 * v0);
    else
      work.scheme += 0.5 * m * (v1 - v0) * (v1 - v0);
  }
  close_contacts(d, gradient, after, report);
}

/// What contacts have done, and what friction does now. `gradient` is that of all energies, without inertia.
void StepAccount::close_contacts(const Vector& d, Vector& gradient, State& after, StepReport& report) {
  if (model_.obstacles.empty() && model_.contact_terms.empty()) return;
  const Timer timer;
  const double counted = objective_.contact_seconds();
  StepWork& work = report.work;
  std::vector<ContactPoint> contacts;
  for (const auto& term : objective_.contact_terms()) {
    const StageTerm::Flow flow = term->flow(after.x);
    work.contact += flow.work;
    work.scheme += flow.scheme_loss;
    term->add_contacts(after.x, contacts);
    report.contacts.overlap = std::max(report.contacts.overlap, term->overlap(after.x));
  }
  // What inertia and all energies leave over is what constraints hold.
  const Stage& stage = objective_.stage();
  for (Index i = 0; i < d.size(); ++i)
    gradient[i] = objective_.fixed()[i]
                      ? 0
                      : gradient[i] + stage.c_a * model_.mass[i / 3] * (after.x[i] - stage.x_a[i]);
  Vector held = gradient;
  objective_.register_active_set(after.x, gradient);
  held -= gradient;
  work.contact += dot(held, d);
  objective_.constraints().add_contacts(after.x, contacts);
  report.contacts.count = std::ssize(contacts);

  const FrictionWork friction =
      apply_friction(contacts, model_.mass, objective_.fixed(), stage.time - stage.time_step, after.v);
  work.friction = friction.gained;
  report.contacts.friction_gain = friction.most_seen;
  report.energies.kinetic = kinetic(model_, after.v);
  post_process_step(after, report);
  report.contacts.smallest_gap = smallest_gap(model_.obstacles, after.time, after.x);
  report.contacts.seconds += timer.seconds() - (objective_.contact_seconds() - counted);
}

void StepAccount::post_process_step(State& after, StepReport& report) {
  const double before = report.energies.total();
  const PostProcessed done =
      post_process(model_.obstacles, after.time, model_.mass, objective_.fixed(), after.x, after.v);
  if (done.inside == 0) return;
  report.contacts.count += done.inside;
  potentials_.move_to(after.x, model_, objective_);
  report.energies = measure(after);
  report.work.friction += done.friction;
  report.work.contact += report.energies.total() - before - done.friction;
}

WorstPlace find_worst_place(const Model& model, StageObjective& objective, const Vector& x) {
  Vector gradient;
  objective.evaluate(x, &gradient);
  objective.register_active_set(x, gradient);
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
    if (model.terms[k].kind != Term::Kind::elastic || model.terms[k].body != body.name) continue;
    const auto energies = objective.energies_of(k);
    for (size_t t = 0; t < body.rest.element_count(); ++t) {
      const auto corners = body.rest.element(t);
      if (std::find(corners.begin(), corners.end(), worst.vertex) == corners.end() || energies[t] <= most)
        continue;
      most = energies[t];
      worst.element = static_cast<int>(t);
    }
  }
  return worst;
}

}  // namespace pliant
