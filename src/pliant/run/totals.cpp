#include "pliant/run/totals.hpp"

#include <sys/resource.h>

#include <numeric>

namespace pliant {

void RunTotals::add(const StepReport& report) {
  const Outcome& outcome = report.outcome;
  ++steps;
  if (is_converged(outcome.status)) ++steps_converged;
  iterations += outcome.iterations;
  linear_solves += outcome.linear_solves;
  cg_iterations += outcome.cg_iterations;
  seconds.assembly += outcome.assembly_seconds;
  seconds.linear_solve += outcome.linear_seconds;
  seconds.line_search += outcome.search_seconds;
  energies = report.energies;
}

Energies energies_of(const Model& model, const State& state) {
  Energies sum;
  for (Index i = 0; i < model.mass.size(); ++i)
    sum.kinetic += 0.5 * model.mass[i] * state.v.segment<3>(3 * i).squaredNorm();
  for (const Term& term : model.terms) {
    std::vector<double> parts(static_cast<size_t>(term.potential->contributions()));
    term.potential->evaluate(state.x, parts, nullptr);
    double& kind = term.kind == Term::Kind::elastic ? sum.elastic : sum.gravitational;
    kind = std::accumulate(parts.begin(), parts.end(), kind);
  }
  for (const auto& term : model.stage_terms) sum.attachment += term->stored(state.x, state.time);
  return sum;
}

std::int64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace pliant
