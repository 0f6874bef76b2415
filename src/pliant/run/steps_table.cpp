#include "pliant/run/steps_table.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

Momenta momenta(const Vector& mass, const State& state) {
  Momenta sum;
  for (Index i = 0; i < mass.size(); ++i) {
    const Vec3 p = mass[i] * state.v.segment<3>(3 * i);
    sum.linear += p;
    sum.angular += Vec3(state.x.segment<3>(3 * i)).cross(p);
  }
  return sum;
}

StepsTable::StepsTable(const Energies& start) {
  const std::string before =
      "frame,step,time,iterations,linear_solves,local_solves,cg_iterations,evaluations,indefinite,"
      "fallbacks,"
      "first_residual,residual,status,inverted,kinetic,";
  const std::string after =
      "total,"
      "work_script,work_attachment,work_contact,work_friction,loss_damping,loss_scheme,loss_tear,"
      "linear_momentum_x,linear_momentum_y,linear_momentum_z,"
      "angular_momentum_x,angular_momentum_y,angular_momentum_z,"
      "contacts,smallest_gap,overlap,program_error,"
      "seconds_assembly,seconds_linear_solve,seconds_line_search,seconds_contact,seconds_step\n";
  std::string names;
  for (const Energies::Entry& entry : start.potentials) {
    const bool plain = !entry.name.empty() && entry.name.find_first_of(",\"\n") == std::string::npos;
    if (!plain || ("," + before + after).find("," + entry.name + ",") != std::string::npos)
      throw InputError(
          format("an energy cannot be called \"{}\": that is no name of a column of its own", entry.name));
    energies_.push_back(entry.name);
    names += entry.name + ",";
  }
  header_ = before + names + after;
}

std::string StepsTable::line(const StepRow& row) const {
  const Outcome& outcome = row.report.outcome;
  const Energies& energies = row.report.energies;
  const StepWork& work = row.report.work;
  const Vec3 &linear = row.momenta.linear, &angular = row.momenta.angular;
  std::string line = format("{},{},{:.17g},{},{},{},{},{},{},{},{:.17g},{:.17g},{},{}", row.frame, row.step,
                            row.time, outcome.iterations, outcome.linear_solves, outcome.local_solves,
                            outcome.cg_iterations, outcome.evaluations, outcome.indefinite, outcome.fallbacks,
                            outcome.first_residual, outcome.residual, name(outcome.status), row.inverted);
  line += format(",{:.17g}", energies.kinetic);
  for (const std::string& name : energies_) line += format(",{:.17g}", energies.of(name));
  for (const double number :
       {energies.total(), work.script, work.attachment, work.contact, work.friction, work.damping,
        work.scheme, work.tear, linear.x(), linear.y(), linear.z(), angular.x(), angular.y(), angular.z()})
    line += format(",{:.17g}", number);
  const StepContacts& contacts = row.report.contacts;
  line += format(",{},", contacts.count);
  if (std::isfinite(contacts.smallest_gap)) line += format("{:.17g}", contacts.smallest_gap);
  line += format(",{:.17g},{:.17g}", contacts.overlap, contacts.correction_error);
  for (const double seconds : {outcome.assembly_seconds, outcome.linear_seconds, outcome.search_seconds,
                               contacts.seconds, row.seconds})
    line += format(",{:.17g}", seconds);
  return line + "\n";
}

}  // namespace pliant
