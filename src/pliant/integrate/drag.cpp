#include "pliant/integrate/drag.hpp"

#include <Eigen/LU>
#include <cmath>

namespace pliant {

namespace {

/// v = velocity + spin x (x - middle)
struct RigidMotion {
  Vec3 middle = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();
  Vec3 at(const Vec3& x) const { return velocity + spin.cross(x - middle); }
};

/// The one with the momentum and the angular momentum of the vertices [begin, end).
RigidMotion rigid_motion(const Vector& mass, const State& state, Index begin, Index end) {
  RigidMotion motion;
  double total = 0;
  for (Index i = begin; i < end; ++i) {
    total += mass[i];
    motion.middle += mass[i] * state.x.segment<3>(3 * i);
    motion.velocity += mass[i] * state.v.segment<3>(3 * i);
  }
  motion.middle /= total;
  motion.velocity /= total;
  Mat3 inertia = Mat3::Zero();
  Vec3 momentum = Vec3::Zero();
  for (Index i = begin; i < end; ++i) {
    const Vec3 arm = state.x.segment<3>(3 * i) - motion.middle;
    momentum += mass[i] * arm.cross(Vec3(state.v.segment<3>(3 * i)));
    inertia += mass[i] * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  // What lies on a line has no inertia about it, and no angular momentum either: any little will do.
  constexpr double kLittle = 1e-14;
  inertia.diagonal().array() += kLittle * inertia.trace();
  if (inertia.trace() > 0) motion.spin = inertia.inverse() * momentum;
  return motion;
}

double kinetic_energy(const Model& model, const Vector& v, Index begin, Index end) {
  double energy = 0;
  for (Index i = begin; i < end; ++i) energy += 0.5 * model.mass[i] * v.segment<3>(3 * i).squaredNorm();
  return energy;
}

}  // namespace

StepWork Dragged::slow_down(State& state, double dt) const {
  StepWork work;
  const std::vector<char> fixed = model_.fixed_dofs(state.time + dt);
  for (size_t b = 0; b < drags_.size(); ++b) {
    const Body& body = model_.bodies[b];
    const Index begin = body.first_vertex, end = begin + std::ssize(body.rest.vertices);
    const Drag& drag = drags_[b];
    if (!(drag.ether > 0) && !(drag.internal > 0)) continue;
    const double before = kinetic_energy(model_, state.v, begin, end);
    const RigidMotion motion = rigid_motion(model_.mass, state, begin, end);
    const double all = std::exp(-drag.ether * dt), internal = std::exp(-drag.internal * dt);
    for (Index i = begin; i < end; ++i) {
      const Vec3 rigid = motion.at(state.x.segment<3>(3 * i));
      for (int k = 0; k < 3; ++k)
        if (!fixed[3 * i + k])
          state.v[3 * i + k] = all * (rigid[k] + internal * (state.v[3 * i + k] - rigid[k]));
    }
    // Vertices that a script moves pull the others along.
    const double lost = before - kinetic_energy(model_, state.v, begin, end);
    (lost > 0 ? work.damping : work.script) += std::abs(lost);
  }
  return work;
}

StepReport Dragged::advance(State& state, double dt) {
  const StepWork work = slow_down(state, dt);
  StepReport report = scheme_->step(state, dt);
  report.work.add(work);
  report.error.reset();  // the scheme's own knows nothing of what it has lost before
  return report;
}

Stage Dragged::first_stage(const State& state, double dt) {
  State slower = state;
  slow_down(slower, dt);
  return scheme_->first_stage(slower, dt);
}

}  // namespace pliant
