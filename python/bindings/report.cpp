#include "report.hpp"

#include <nanobind/stl/string.h>

#include "pliant/base/text.hpp"

namespace pliant::python {

namespace nb = nanobind;

namespace {

nb::dict work_dict(const StepWork& work) {
  nb::dict all;
  all["script"] = work.script;
  all["attachment"] = work.attachment;
  all["contact"] = work.contact;
  all["friction"] = work.friction;
  all["damping"] = work.damping;
  all["scheme"] = work.scheme;
  all["tear"] = work.tear;
  return all;
}

nb::object worst_dict(const WorstPlace& worst) {
  if (worst.vertex < 0) return nb::none();
  nb::dict place;
  place["body"] = worst.body;
  place["vertex"] = worst.vertex;
  place["element"] = worst.element;
  place["force"] = worst.force;
  return place;
}

nb::dict seconds_dict(const StepReport& step) {
  nb::dict seconds;
  seconds["assembly"] = step.outcome.assembly_seconds;
  seconds["linear_solve"] = step.outcome.linear_seconds;
  seconds["line_search"] = step.outcome.search_seconds;
  seconds["contact"] = step.contacts.seconds;
  return seconds;
}

std::string shown(const Report& report) {
  return format("<pliant.StepReport: t = {:.6g} s, {}, {} iterations>", report.time,
                name(report.step.outcome.status), report.step.outcome.iterations);
}

void bind_contacts(nb::module_& module) {
  nb::class_<StepContacts>(module, "Contacts", "What touches at the end of a step.")
      .def_ro("count", &StepContacts::count, "Places where something is pressed against something.")
      .def_ro("smallest_gap", &StepContacts::smallest_gap,
              "Smallest signed distance of a vertex to an obstacle, m; infinite where there is none.")
      .def_ro("overlap", &StepContacts::overlap, "Depth of the vertex that is deepest inside of a body, m.")
      .def("__repr__", [](const StepContacts& contacts) {
        return format("<pliant.Contacts: {}, smallest gap {:.6g} m>", contacts.count, contacts.smallest_gap);
      });
}

}  // namespace

nb::dict energies_dict(const Energies& energies) {
  nb::dict all;
  all["kinetic"] = energies.kinetic;
  for (const Energies::Entry& entry : energies.potentials) all[entry.name.c_str()] = entry.energy;
  all["total"] = energies.total();
  return all;
}

void bind_report(nb::module_& module) {
  const auto of_outcome = [](auto member) {
    return [member](const Report& report) { return report.step.outcome.*member; };
  };
  bind_contacts(module);
  nb::class_<Report>(module, "StepReport", "What one step did.")
      .def_ro("time", &Report::time, "At the end of the step, s.")
      .def_prop_ro(
          "status", [](const Report& report) { return std::string(name(report.step.outcome.status)); },
          "How it ended, from good to bad: converged, converged-to-roundoff, as-asked, stalled, "
          "iteration-limit, not-finite.")
      .def_prop_ro(
          "converged", [](const Report& report) { return is_converged(report.step.outcome.status); },
          "Whether all its problems were solved to the tolerance.")
      .def_prop_ro("failed", &Report::failed, "Whether one was not, although it was asked for.")
      .def_ro("message", &Report::message, "Why it failed and what to try; empty where it did not.")
      .def_prop_ro("iterations", of_outcome(&Outcome::iterations), "Of the solver.")
      .def_prop_ro("linear_solves", of_outcome(&Outcome::linear_solves))
      .def_prop_ro("cg_iterations", of_outcome(&Outcome::cg_iterations),
                   "Of conjugate gradients in all linear solves.")
      .def_prop_ro("evaluations", of_outcome(&Outcome::evaluations), "Of the objective.")
      .def_prop_ro("first_residual", of_outcome(&Outcome::first_residual),
                   "Before the first iteration, in the unit of the tolerance.")
      .def_prop_ro("residual", of_outcome(&Outcome::residual),
                   "After the last, in the unit of the tolerance.")
      .def_prop_ro(
          "energies", [](const Report& report) { return energies_dict(report.step.energies); },
          nb::sig("def energies(self) -> dict[str, float]"), "At the end of the step, J.")
      .def_prop_ro(
          "work", [](const Report& report) { return work_dict(report.step.work); },
          nb::sig("def work(self) -> dict[str, float]"),
          "Energy that entered or left during the step, J. The change of energies['total'] is script + "
          "attachment + contact + friction - damping - scheme - tear, but for what the solver left over.")
      .def_prop_ro(
          "contacts", [](const Report& report) { return report.step.contacts; }, "What touches at its end.")
      .def_prop_ro(
          "worst", [](const Report& report) { return worst_dict(report.step.worst); },
          nb::sig("def worst(self) -> dict[str, str | int | float] | None"),
          "Where the largest force is left over in a step that did not converge: body, vertex, element and "
          "force (N).")
      .def_prop_ro(
          "seconds", [](const Report& report) { return seconds_dict(report.step); },
          nb::sig("def seconds(self) -> dict[str, float]"), "Wall clock by phase, s.")
      .def("__repr__", &shown);
}

}  // namespace pliant::python
