#pragma once

// Small models for tests of whole steps.

#include "meshes.hpp"
#include "pliant/integrate/backward_euler.hpp"
#include "pliant/potential/attachment.hpp"
#include "pliant/potential/damping.hpp"
#include "pliant/potential/gravity.hpp"
#include "pliant/potential/solid.hpp"
#include "potential/moduli.hpp"

namespace pliant::testing {

struct CubeOptions {
  int cells = 2;
  std::string material = "fixed-corotated";
  double young = 1e4;
  Vec3 gravity = Vec3::Zero();
  double push = 0;    ///< the left face held, the right one pushed in along x by this much within 1/24 s, m
  bool pull = false;  ///< the left face held, the right one pulled along x at 0.5 m/s
  double stiffness_damping = 0;
  double mass_damping = 0;
  bool attach = false;      ///< the top hangs on springs whose targets swing
  bool consistent = false;  ///< mass
};

/// A cube of 1 m with one or the other thing done to it.
struct Cube {
  Model model;
  State state;

  explicit Cube(const CubeOptions& o = {}) {
    model.bodies.push_back({"cube", cube(o.cells), 0});
    const TetMesh& rest = model.bodies[0].rest;
    const std::vector<double> masses = lumped_masses(rest, 1000);
    model.mass = Eigen::Map<const Vector>(masses.data(), std::ssize(masses));
    if (o.consistent) model.consistent_mass.emplace(static_cast<int>(masses.size()), mass_pairs(rest, 1000));
    model.terms.push_back({"cube", kElasticEnergy, make_sample(o.material, rest, o.young)});
    if (o.gravity != Vec3::Zero())
      model.terms.push_back({"", kGravitationalEnergy, std::make_unique<Gravity>(model.mass, o.gravity)});
    if (o.stiffness_damping > 0)
      model.stage_terms.push_back(std::make_unique<StiffnessDamping>(
          std::vector<const Potential*>{model.terms[0].potential.get()}, o.stiffness_damping));
    if (o.mass_damping > 0)
      model.stage_terms.push_back(std::make_unique<MassDamping>(o.mass_damping * model.mass));
    if (o.pull) {
      add_script(-0.5, {});
      Motion motion;
      motion.keys = {{0, Vec3::Zero(), 0}, {100, Vec3(50, 0, 0), 0}};
      add_script(0.5, motion);
    }
    if (o.push > 0) {
      add_script(-0.5, {});
      Motion motion;
      motion.keys = {{0, Vec3::Zero(), 0}, {1 / 24.0, Vec3(-o.push, 0, 0), 0}};
      add_script(0.5, motion);
    }
    if (o.attach) {
      Motion swing;
      swing.keys = {{0, Vec3::Zero(), 0}, {0.5, Vec3(0.4, 0.1, 0), 0}, {1, Vec3(-0.4, 0, 0.2), 0}};
      std::vector<int> top;
      std::vector<Vec3> targets;
      for (size_t i = 0; i < rest.vertices.size(); ++i) {
        if (rest.vertices[i].y() < 0.49) continue;
        top.push_back(static_cast<int>(i));
        targets.push_back(rest.vertices[i]);
      }
      model.stage_terms.push_back(std::make_unique<Attachment>(top, targets, swing, 2e3));
    }
    model.finish();
    state.x = positions(rest);
    state.v = Vector::Zero(state.x.size());
  }

  Cube(const Cube&) = delete;

 private:
  void add_script(double x, const Motion& motion) {
    Script script;
    script.motion = motion;
    const auto& vertices = model.bodies[0].rest.vertices;
    for (size_t i = 0; i < vertices.size(); ++i) {
      if (std::abs(vertices[i].x() - x) > 1e-9) continue;
      script.vertices.push_back(static_cast<int>(i));
      script.start.push_back(vertices[i]);
    }
    model.scripts.push_back(std::move(script));
  }
};

/// One body of two cubes that do not touch, their vertices taking turns, the second cube larger; all of the
/// second and a vertex of the first are scripted.
struct Twins {
  Model model;

  Twins() {
    const TetMesh one = cube(2);
    Body body{"twins", {}, 0};
    for (const Vec3& vertex : one.vertices) {
      body.rest.vertices.push_back(vertex);
      body.rest.vertices.push_back(Vec3(5, 0, 0) + 2 * vertex);
    }
    for (const int twin : {0, 1})
      for (const auto& t : one.tets)
        body.rest.tets.push_back({2 * t[0] + twin, 2 * t[1] + twin, 2 * t[2] + twin, 2 * t[3] + twin});
    const std::vector<double> masses = lumped_masses(body.rest, 1000);
    model.mass = Eigen::Map<const Vector>(masses.data(), std::ssize(masses));
    model.terms.push_back(
        {"twins", kElasticEnergy, make_solid("fixed-corotated", body.rest, 0, lame(1e4, 0.3))});
    Script script;
    for (int i = 0; i < std::ssize(body.rest.vertices); ++i) {
      if (i % 2 == 0 && i != 4) continue;
      script.vertices.push_back(i);
      script.start.push_back(body.rest.vertices[i]);
    }
    model.scripts.push_back(script);
    model.bodies.push_back(std::move(body));
    model.finish();
  }
};

}  // namespace pliant::testing
