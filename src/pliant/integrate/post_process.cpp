#include "pliant/integrate/post_process.hpp"

#include <algorithm>

#include "pliant/integrate/step_end.hpp"

namespace pliant {

void PostProcess::after_step(StepEnd& end) {
  StepReport& report = end.report;
  const double before = report.energies.total();
  const Done done = put_outside(end.after.time, end.model.mass, end.fixed, end.after.x, end.after.v);
  if (done.inside == 0) return;
  report.contacts.count += done.inside;
  report.energies = end.measure();
  report.work.friction += done.friction;
  report.work.contact += report.energies.total() - before - done.friction;
}

PostProcess::Done PostProcess::put_outside(double t, const Vector& mass, std::span<const char> fixed,
                                           Vector& x, Vector& v) const {
  Done done;
  for (const Obstacle* obstacle : obstacles_) {
    const PlacedObstacle placed(*obstacle, t);
    for (Index i = 0; i < x.size() / 3; ++i) {
      const Index dof = 3 * i;
      const Vec3 moves(fixed[dof] ? 0 : 1, fixed[dof + 1] ? 0 : 1, fixed[dof + 2] ? 0 : 1);
      const Vec3 place = x.segment<3>(dof);
      if (!placed.may_reach(place, 0)) continue;
      const Jet phi = placed.distance_jet(place);
      // Planar bodies, whose z is fixed, leave along their plane.
      const Vec3 along_free = phi.gradient.cwiseProduct(moves);
      const double steepness = along_free.norm();
      if (!(phi.value < 0) || steepness < 1e-6) continue;
      ++done.inside;
      const Vec3 normal = along_free / steepness;
      x.segment<3>(dof) -= phi.value / steepness * normal;
      const Vec3 before = (v.segment<3>(dof) - placed.velocity(place)).cwiseProduct(moves);
      const double into = -normal.dot(before);
      if (into <= 0) continue;
      v.segment<3>(dof) += into * normal;
      // The impulse that stops it is m times `into`; friction stops as much along the surface.
      const Vec3 along = before + into * normal;
      if (along.isZero(0)) continue;
      const Vec3 change = -std::min(1.0, obstacle->friction * into / along.norm()) * along;
      done.friction += mass[i] * change.dot(v.segment<3>(dof) + 0.5 * change);
      v.segment<3>(dof) += change;
    }
  }
  return done;
}

}  // namespace pliant
