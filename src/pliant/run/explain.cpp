#include "pliant/run/explain.hpp"

#include <cmath>

#include "pliant/base/text.hpp"

namespace pliant {

namespace {

/// Within this factor of the tolerance, loosening it is the first thing to try.
constexpr double kNearlyThere = 10;

std::string what_ended_it(const Outcome& outcome, double tolerance) {
  const std::string where =
      format("after {} iterations at a residual of {:.3g} (tolerance {:.3g}, at the start {:.3g})",
             outcome.iterations, outcome.residual, tolerance, outcome.first_residual);
  switch (outcome.status) {
    case Status::stalled:
      return "the line search found no lower energy " + where;
    case Status::iteration_limit:
      return "the iteration limit was reached " + where;
    case Status::not_finite:
      return "an energy or a force was not a finite number" +
             (outcome.first_residual > 0 ? " " + where : "");  // explicit schemes have no residuals
    default:
      return "the step ended " + where;
  }
}

std::string what_stopped_the_program(const StepContacts& contacts) {
  if (contacts.correction == Correction::too_large)
    return "more places touch at once than a contact program holds. Use coarser surfaces, or contact = "
           "\"penalty\".";
  const std::string missing =
      contacts.correction_error > 0 && std::isfinite(contacts.correction_error)
          ? format(": velocities there are wrong by {:.2g} of their size", contacts.correction_error)
          : "";
  return (contacts.correction == Correction::contradictory
              ? "its contacts contradict each other: no velocities keep all bodies apart."
              : "the program that keeps bodies apart was not solved to its tolerance" + missing + ".") +
         " Try more time.steps_per_frame, or contact = \"penalty\".";
}

std::string worst_place(const WorstPlace& worst) {
  if (worst.vertex < 0) return "";
  std::string text =
      format(" The largest remaining force, {:.3g} N, is at vertex {}", worst.force, worst.vertex);
  if (!worst.body.empty()) text += format(" of body \"{}\"", worst.body);
  if (worst.element >= 0) text += format(", in its element {}", worst.element);
  return text + ".";
}

std::string advice(const Outcome& outcome, double tolerance, const std::string& solver) {
  // Plain Newton has no safeguards, so that any of the endings may be its own doing.
  if (solver == "newton-plain") return " Try solver.method = \"newton-cg\", which is safe against this.";
  const bool nearly = std::isfinite(outcome.residual) && outcome.residual <= kNearlyThere * tolerance;
  const std::string loosen = nearly ? " a looser solver.tolerance," : "";
  const std::string another = outcome.linear_failures > 0 ? " another solver.method," : "";
  switch (outcome.status) {
    case Status::iteration_limit:
      return " Try" + another + loosen + " a larger solver.max_iterations or more time.steps_per_frame.";
    case Status::not_finite:
      return " Try" + another +
             " more time.steps_per_frame; if that does not help, look there for collapsed elements or an "
             "extreme material.";
    default:
      return " Try" + another + loosen + " more time.steps_per_frame.";
  }
}

}  // namespace

std::string explain(const StepReport& report, double tolerance, const std::string& solver) {
  const Outcome& outcome = report.outcome;
  if (report.contacts.correction != Correction::solved && outcome.residual <= tolerance)
    return what_stopped_the_program(report.contacts);
  std::string text = what_ended_it(outcome, tolerance);
  if (outcome.linear_failures > 0)
    text += format("; {} of {} linear solves missed their tolerance", outcome.linear_failures,
                   outcome.linear_solves);
  return text + "." + worst_place(report.worst) + advice(outcome, tolerance, solver);
}

}  // namespace pliant
