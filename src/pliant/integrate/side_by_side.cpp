#include "pliant/integrate/side_by_side.hpp"

#include <algorithm>

#include "pliant/base/parallel.hpp"
#include "pliant/base/timer.hpp"

namespace pliant {

namespace {

void add(const Outcome& part, Outcome& whole) {
  whole.status = std::max(whole.status, part.status);  // ordered from good to bad
  whole.iterations = std::max(whole.iterations, part.iterations);
  if (!(part.first_residual <= whole.first_residual)) whole.first_residual = part.first_residual;
  if (!(part.residual <= whole.residual)) whole.residual = part.residual;  // so that no NaN is passed over
  whole.count(part);
}

void add(const StepReport& part, StepReport& whole) {
  add(part.outcome, whole.outcome);
  whole.energies.add(part.energies);
  whole.work.add(part.work);
  whole.contacts.add(part.contacts);
  whole.verdict = std::max(whole.verdict, part.verdict);
}

}  // namespace

SideBySide::SideBySide(const Model& model, std::vector<Piece> components, const SchemeMaker& make)
    : Scheme(model), model_(model), parts_(components.size()) {
  for (size_t i = 0; i < parts_.size(); ++i) {
    Part& part = parts_[i];
    part.piece = std::move(components[i]);
    part.model = model.component(part.piece);
    part.scheme = make(*part.model);
  }
}

StepReport SideBySide::advance(State& state, double dt) {
  double seconds = 0, seconds_of_parts = 0;
  {
    const ScopedTimer timer(seconds);
    parallel_tasks(std::ssize(parts_), [&](Index number) {
      Part& part = parts_[static_cast<size_t>(number)];
      part.seconds = 0;
      const ScopedTimer timer_of_part(part.seconds);
      part.state = state.taken(part.piece);
      part.report = part.scheme->step(part.state, dt);
    });
  }
  state.time += dt;
  // What the parts were given they give back.
  std::erase_if(state.arrays, [](const auto& named) {
    return named.second.of == EntryOf::vertex || named.second.of == EntryOf::whole;
  });
  for (const Part& part : parts_) state.put(part.state, part.piece);

  StepReport report;
  report.outcome.status = Status::converged;
  for (const Part& part : parts_) {
    seconds_of_parts += part.seconds;
    const bool failed = has_failed(part.report.outcome.status);
    if (failed && (report.worst.vertex < 0 || !(part.report.worst.force <= report.worst.force)))
      report.worst = in_whole(part);
    add(part.report, report);
    put_error(part, state.x.size(), report);
  }
  const auto has_error = [](const Part& part) { return part.report.error.has_value(); };
  if (!std::all_of(parts_.begin(), parts_.end(), has_error)) report.error.reset();
  Outcome& outcome = report.outcome;
  for (double* phase : {&outcome.assembly_seconds, &outcome.linear_seconds, &outcome.search_seconds,
                        &report.contacts.seconds})
    *phase *= std::min(1.0, seconds / seconds_of_parts);
  return report;
}

void SideBySide::put_error(const Part& part, Index size, StepReport& report) const {
  if (!part.report.error) return;
  if (!report.error)
    report.error = StepError{Vector::Zero(size), Vector::Zero(size), part.report.error->power};
  part.piece.put(part.report.error->x, report.error->x);
  part.piece.put(part.report.error->v, report.error->v);
}

WorstPlace SideBySide::in_whole(const Part& part) const {
  WorstPlace worst = part.report.worst;
  if (worst.vertex < 0) return worst;
  const auto called = [&](const Body& body) { return body.name == worst.body; };
  const Body& body = *std::find_if(model_.bodies.begin(), model_.bodies.end(), called);
  const Body& own = *std::find_if(part.model->bodies.begin(), part.model->bodies.end(), called);
  worst.vertex = part.piece.vertices[own.first_vertex + worst.vertex] - body.first_vertex;
  // Elements keep their order: the number of one counts those before it that are in the part.
  int left = worst.element;
  for (size_t e = 0; left >= 0 && e < body.rest.element_count(); ++e) {
    if (part.piece.local(body.first_vertex + body.rest.element(e)[0]) < 0) continue;
    worst.element = static_cast<int>(e);
    --left;
  }
  return worst;
}

Stage SideBySide::first_stage(const State& state, double dt) {
  Stage whole;
  for (Vector* vector : {&whole.x_a, &whole.x_v, &whole.x_step}) vector->resize(state.x.size());
  for (const Part& part : parts_) {
    const Stage own = part.scheme->first_stage(state.taken(part.piece), dt);
    whole.time = own.time;
    whole.c_a = own.c_a;
    whole.c_v = own.c_v;
    whole.time_step = own.time_step;
    whole.time_end = own.time_end;
    whole.delay = own.delay;
    part.piece.put(own.x_a, whole.x_a);
    part.piece.put(own.x_v, whole.x_v);
    part.piece.put(own.x_step, whole.x_step);
  }
  return whole;
}

std::unique_ptr<Scheme> step_parts(const Model& model, const SchemeMaker& make) {
  std::vector<Piece> components = model.components();
  if (components.size() == 1) return make(model);
  return std::make_unique<SideBySide>(model, std::move(components), make);
}

}  // namespace pliant
