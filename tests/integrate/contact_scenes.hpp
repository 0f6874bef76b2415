#pragma once

// Small models for tests of steps with contacts.

#include <algorithm>

#include "integrate/obstacle_contacts.hpp"
#include "meshes.hpp"
#include "pliant/contact/self_collision.hpp"
#include "pliant/integrate/backward_euler.hpp"
#include "pliant/meshing/mesher.hpp"
#include "pliant/potential/damping.hpp"
#include "pliant/potential/gravity.hpp"
#include "pliant/potential/solid.hpp"
#include "pliant/shape/shapes.hpp"

namespace pliant::testing {

inline TetMesh ball(double radius, double cell) { return mesh_shape(*make_sphere(radius), {.cell = cell}); }

/// What fills the half space below a plane through a point.
inline Obstacle half_space(const Vec3& normal, const Vec3& through = Vec3::Zero()) {
  Obstacle obstacle;
  obstacle.name = "plane";
  obstacle.shape = moved(make_half_space(normal), 1, Eigen::Quaterniond::Identity(), through);
  return obstacle;
}

/// Bodies and obstacles, put in one after the other, then `finish`ed.
class ContactScene {
 public:
  Model model;
  State state;
  double dt = 1 / 24.0;

  struct Stuff {
    double young = 1e5, poisson = 0.4;
    Vec3 velocity = Vec3::Zero();
  };

  void add(TetMesh rest, const Eigen::Affine3d& placement, const Stuff& stuff) {
    const int first = model.bodies.empty() ? 0
                                           : model.bodies.back().first_vertex +
                                                 static_cast<int>(model.bodies.back().rest.vertices.size());
    for (Vec3& vertex : rest.vertices) vertex = placement * vertex;
    for (const double mass : lumped_masses(rest, 1000)) masses_.push_back(mass);
    for (const Vec3& vertex : rest.vertices) {
      x_.insert(x_.end(), vertex.begin(), vertex.end());
      v_.insert(v_.end(), stuff.velocity.begin(), stuff.velocity.end());
    }
    stiffness_.resize(masses_.size(), 10 * stuff.young);
    const std::string name = "body" + std::to_string(model.bodies.size());
    model.terms.push_back(
        {name, kElasticEnergy, make_solid("fixed-corotated", rest, first, lame(stuff.young, stuff.poisson))});
    model.bodies.push_back({name, std::move(rest), first});
  }

  void add(Obstacle obstacle) { model.obstacles.push_back(std::move(obstacle)); }

  struct Surroundings {
    Vec3 gravity = Vec3::Zero();
    bool self_collision = false;
    double friction = 0;  ///< between bodies
    double mass_damping = 0;
  };

  void finish(const Surroundings& around) {
    model.mass = as_vector(masses_);
    state.x = as_vector(x_);
    state.v = as_vector(v_);
    if (around.gravity != Vec3::Zero())
      model.terms.push_back(
          {"", kGravitationalEnergy, std::make_unique<Gravity>(model.mass, around.gravity)});
    if (around.mass_damping > 0)
      model.stage_terms.push_back(std::make_unique<MassDamping>(around.mass_damping * model.mass));
    add_pushing_contacts(model, as_vector(stiffness_));
    if (around.self_collision) {
      std::vector<SelfCollision::Collider> colliders;
      for (const Body& body : model.bodies) colliders.push_back({body.rest, body.first_vertex});
      model.contacts.push_back(std::make_unique<SelfCollision>(
          colliders, SelfCollision::Options{as_vector(stiffness_), around.friction}));
    }
    add_other_contacts(model);
    model.finish();
  }

  Vec3 momentum() const {
    Vec3 p = Vec3::Zero();
    for (Index i = 0; i < model.mass.size(); ++i) p += model.mass[i] * state.v.segment<3>(3 * i);
    return p;
  }
  Vec3 mean_velocity() const { return momentum() / model.mass.sum(); }
  Vec3 center() const {
    Vec3 sum = Vec3::Zero();
    for (Index i = 0; i < model.mass.size(); ++i) sum += model.mass[i] * state.x.segment<3>(3 * i);
    return sum / model.mass.sum();
  }
  double lowest() const {
    double y = state.x[1];
    for (Index i = 1; i < state.x.size(); i += 3) y = std::min(y, state.x[i]);
    return y;
  }

 private:
  static Vector as_vector(const std::vector<double>& values) {
    return Eigen::Map<const Vector>(values.data(), std::ssize(values));
  }
  std::vector<double> masses_, x_, v_, stiffness_;
};

inline Eigen::Affine3d at(const Vec3& place, const Vec3& turn = Vec3::Zero()) {
  const double angle = turn.norm();
  Eigen::Affine3d placement = Eigen::Affine3d::Identity();
  placement.translate(place);
  if (angle > 0) placement.rotate(Eigen::AngleAxisd(angle, turn / angle));
  return placement;
}

inline SolverOptions contact_solver(double tolerance = 1e-8, std::string method = "newton-cg") {
  SolverOptions options;
  options.method = std::move(method);
  options.tolerance = tolerance;
  return options;
}

/// Takes steps; every one must converge. `look` sees the report of each.
template <class Look>
void advance(ContactScene& scene, int steps, const SolverOptions& options, const Look& look) {
  BackwardEuler scheme(scene.model, options);
  for (int i = 0; i < steps; ++i) {
    const StepReport report = scheme.step(scene.state, scene.dt);
    ASSERT_TRUE(is_converged(report.outcome.status)) << name(report.outcome.status) << " at step " << i;
    ASSERT_LE(report.contacts.friction_gain, 1e-13 * std::abs(report.energies.total())) << "at step " << i;
    look(report);
  }
}
inline void advance(ContactScene& scene, int steps, const SolverOptions& options = contact_solver()) {
  advance(scene, steps, options, [](const StepReport&) {});
}

}  // namespace pliant::testing
