#include "pliant/run/totals.hpp"

#include <sys/resource.h>

namespace pliant {

void RunTotals::add(const StepReport& report) {
  const Outcome& outcome = report.outcome;
  ++steps;
  if (is_converged(outcome.status)) ++steps_converged;
  if (outcome.status == Status::as_asked) ++steps_as_asked;
  iterations += outcome.iterations;
  linear_solves += outcome.linear_solves;
  cg_iterations += outcome.cg_iterations;
  seconds.assembly += outcome.assembly_seconds;
  seconds.linear_solve += outcome.linear_seconds;
  seconds.line_search += outcome.search_seconds;
  seconds.contact += report.contacts.seconds;
  energies = report.energies;
}

std::int64_t peak_memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace pliant
