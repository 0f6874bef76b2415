#include "pliant/integrate/side_by_side.hpp"

#include <algorithm>

#include "pliant/base/parallel.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/integrate/honour.hpp"

namespace pliant {

namespace {

void add(const Outcome& component, Outcome& whole) {
  whole.status = std::max(whole.status, component.status);  // ordered from good to bad
  whole.iterations = std::max(whole.iterations, component.iterations);
  if (!(component.first_residual <= whole.first_residual)) whole.first_residual = component.first_residual;
  if (!(component.residual <= whole.residual))
    whole.residual = component.residual;  // so that no NaN is passed over
  whole.count(component);
}

void add(const StepReport& component, StepReport& whole) {
  add(component.outcome, whole.outcome);
  whole.energies.add(component.energies);
  whole.work.add(component.work);
  whole.contacts.add(component.contacts);
  whole.verdict = std::max(whole.verdict, component.verdict);
}

}  // namespace

SideBySide::SideBySide(const Model& model, std::vector<SubModel> components, const SchemeMaker& make)
    : Scheme(model), model_(model), components_(components.size()) {
  for (size_t i = 0; i < components_.size(); ++i) {
    Component& component = components_[i];
    component.of = std::move(components[i]);
    component.model = model.component(component.of);
    component.scheme = make(*component.model);
  }
  // Contacts that act on the whole are in none of the components.
  const Scheme& any = *components_.front().scheme;
  require_honoured(model, any.name(), any.offers());
}

StepReport SideBySide::advance(State& state, double dt) {
  double seconds = 0, seconds_of_components = 0;
  {
    const ScopedTimer timer(seconds);
    parallel_tasks(std::ssize(components_), [&](Index number) {
      Component& component = components_[static_cast<size_t>(number)];
      component.seconds = 0;
      const ScopedTimer timer_of_component(component.seconds);
      component.state = state.taken(component.of);
      component.report = component.scheme->step(component.state, dt);
    });
  }
  state.time += dt;
  // What the components were given they give back.
  std::erase_if(state.arrays, [](const auto& named) {
    return named.second.of == EntryOf::vertex || named.second.of == EntryOf::whole;
  });
  for (const Component& component : components_) state.put(component.state, component.of);

  StepReport report;
  report.outcome.status = Status::converged;
  for (const Component& component : components_) {
    seconds_of_components += component.seconds;
    const bool failed = has_failed(component.report.outcome.status);
    if (failed && (report.worst.vertex < 0 || !(component.report.worst.force <= report.worst.force)))
      report.worst = in_whole(component);
    add(component.report, report);
    put_error(component, state.x.size(), report);
    put_forces(component, state.x.size(), report);
  }
  const auto has_error = [](const Component& component) { return component.report.error.has_value(); };
  if (!std::all_of(components_.begin(), components_.end(), has_error)) report.error.reset();
  Outcome& outcome = report.outcome;
  for (double* phase : {&outcome.assembly_seconds, &outcome.linear_seconds, &outcome.search_seconds,
                        &report.contacts.seconds})
    *phase *= std::min(1.0, seconds / seconds_of_components);
  return report;
}

void SideBySide::put_error(const Component& component, Index size, StepReport& report) const {
  if (!component.report.error) return;
  if (!report.error)
    report.error = StepError{Vector::Zero(size), Vector::Zero(size), component.report.error->power};
  component.of.put(component.report.error->x, report.error->x);
  component.of.put(component.report.error->v, report.error->v);
}

void SideBySide::put_forces(const Component& component, Index size, StepReport& report) const {
  const Vector& forces = component.report.contacts.forces;
  if (forces.size() == 0) return;
  if (report.contacts.forces.size() == 0) report.contacts.forces.setZero(size);
  component.of.put(forces, report.contacts.forces);
}

WorstPlace SideBySide::in_whole(const Component& component) const {
  WorstPlace worst = component.report.worst;
  if (worst.vertex < 0) return worst;
  const auto called = [&](const Body& body) { return body.name == worst.body; };
  const Body& body = *std::find_if(model_.bodies.begin(), model_.bodies.end(), called);
  const Body& own = *std::find_if(component.model->bodies.begin(), component.model->bodies.end(), called);
  worst.vertex = component.of.vertices[own.first_vertex + worst.vertex] - body.first_vertex;
  // Elements keep their order: the number of one counts those before it that are in the component.
  int left = worst.element;
  for (size_t e = 0; left >= 0 && e < body.rest.element_count(); ++e) {
    if (component.of.local(body.first_vertex + body.rest.element(e)[0]) < 0) continue;
    worst.element = static_cast<int>(e);
    --left;
  }
  return worst;
}

Stage SideBySide::first_stage(const State& state, double dt) {
  Stage whole;
  for (Vector* vector : {&whole.x_a, &whole.x_v, &whole.x_step}) vector->resize(state.x.size());
  for (const Component& component : components_) {
    const Stage own = component.scheme->first_stage(state.taken(component.of), dt);
    whole.time = own.time;
    whole.c_a = own.c_a;
    whole.c_v = own.c_v;
    whole.time_step = own.time_step;
    whole.time_end = own.time_end;
    whole.delay = own.delay;
    component.of.put(own.x_a, whole.x_a);
    component.of.put(own.x_v, whole.x_v);
    component.of.put(own.x_step, whole.x_step);
  }
  return whole;
}

std::unique_ptr<Scheme> step_components(const Model& model, const SchemeMaker& make) {
  std::vector<SubModel> components = model.components();
  if (components.size() == 1) return make(model);
  return std::make_unique<SideBySide>(model, std::move(components), make);
}

}  // namespace pliant
