// From a checked scene to a simulation.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "pliant/base/log.hpp"
#include "pliant/base/text.hpp"
#include "pliant/contact/contact_springs.hpp"
#include "pliant/contact/penalty.hpp"
#include "pliant/contact/self_collision.hpp"
#include "pliant/contact/thin_collision.hpp"
#include "pliant/potential/attachment.hpp"
#include "pliant/potential/damping.hpp"
#include "pliant/potential/fibres.hpp"
#include "pliant/potential/gravity.hpp"
#include "pliant/potential/hinges.hpp"
#include "pliant/potential/lagged_solid.hpp"
#include "pliant/potential/solid.hpp"
#include "pliant/potential/solid_materials.hpp"
#include "pliant/potential/springs.hpp"
#include "pliant/potential/wind.hpp"
#include "pliant/scene/overlap.hpp"
#include "pliant/scene/placement.hpp"
#include "pliant/scene/registry.hpp"
#include "pliant/scene/scene.hpp"
#include "pliant/scene/tearing.hpp"

namespace pliant {

namespace {

std::shared_ptr<const SplineTable> to_splines(const SplineKeys& keys) {
  const auto spline = [](const std::vector<double>& numbers) {
    std::vector<std::array<double, 2>> points;
    for (size_t i = 0; i + 1 < numbers.size(); i += 2) points.push_back({numbers[i], numbers[i + 1]});
    return points.empty() ? Spline() : Spline(points);
  };
  return std::make_shared<SplineTable>(SplineTable{spline(keys.a), spline(keys.b), spline(keys.c)});
}

/// Adds bodies to a model and its state, one after the other.
class Assembly {
 public:
  Assembly(Model& model, State& state, int vertex_count) : model_(model), state_(state) {
    model.mass.resize(vertex_count);
    dragged_.resize(vertex_count);
    state.x.resize(3 * Index{vertex_count});
    state.v.resize(3 * Index{vertex_count});
  }

  void add(const BodyKeys& keys, const PlacedBody& body, std::uint64_t seed) {
    start_ = start_of(keys, body, seed);
    const std::vector<double> mass = lumped_masses(body.rest, keys.material.density);
    for (size_t i = 0; i < mass.size(); ++i) {
      const Index vertex = first_ + static_cast<Index>(i);
      model_.mass[vertex] = mass[i];
      state_.x.segment<3>(3 * vertex) = start_.positions[i];
      state_.v.segment<3>(3 * vertex) = start_.velocities[i];
    }
    if (keys.material.mass == "consistent")
      for (const auto& [a, b, shared] : mass_pairs(body.rest, keys.material.density))
        shared_.push_back({first_ + a, first_ + b, shared});
    model_.bodies.push_back({keys.name, body.rest, first_, keys.color});
    Lame moduli = lame(keys.material.young, keys.material.poisson);
    moduli.c01_share = keys.material.c01_share;
    moduli.of_element = body.stiffness;
    moduli.stretch_low = keys.material.stretch_min;
    moduli.stretch_high = keys.material.stretch_max;
    if (keys.material.spline) moduli.splines = to_splines(*keys.material.spline);
    for (const Potential* elastic : add_elasticity(keys, body, moduli))
      if (keys.damping.stiffness > 0) damped_[keys.damping.stiffness].push_back(elastic);
    dragged_.segment(first_, std::ssize(mass)) =
        keys.damping.mass * model_.mass.segment(first_, std::ssize(mass));
    for (size_t i = 0; i < keys.scripts.size(); ++i) add_script(keys.scripts[i], body.scripted[i]);
    for (size_t i = 0; i < keys.attachments.size(); ++i)
      add_attachment(keys.attachments[i], body.attached[i]);
    first_ += static_cast<int>(mass.size());
  }

  /// After the last body.
  void finish() {
    if (!lagged_.empty()) model_.stage_terms.push_back(std::make_unique<LaggedSolid>(lagged_));
    for (auto& [coefficient, elastic] : damped_)
      model_.stage_terms.push_back(std::make_unique<StiffnessDamping>(std::move(elastic), coefficient));
    if (!shared_.empty()) model_.spread.emplace(static_cast<int>(model_.mass.size()), shared_);
    if (!dragged_.isZero(0)) model_.stage_terms.push_back(std::make_unique<MassDamping>(dragged_));
  }

 private:
  /// All parts of a body's elastic energy, which stiffness damping is made of.
  std::vector<const Potential*> add_elasticity(const BodyKeys& keys, const PlacedBody& body,
                                               const Lame& moduli) {
    if (keys.material.model == kLaggedCorotated) {
      lagged_.push_back(make_lagged_corotated(body.rest, first_, moduli));
      return {lagged_.back().get()};
    }
    std::vector<const Potential*> parts;
    const auto add = [&](std::unique_ptr<Potential> part) {
      if (!part) return;
      parts.push_back(part.get());
      model_.terms.push_back({keys.name, Term::Kind::elastic, std::move(part)});
    };
    const MaterialKeys& material = keys.material;
    add(material.model == "springs" ? make_springs(body.rest, first_, material.young, body.stiffness)
                                    : make_solid(material.model, body.rest, first_, moduli));
    if (material.volume > 0) add(make_volume_solid(body.rest, first_, {.mu = material.volume / 2}));
    if (material.fibre)
      add(make_fibres(body.rest, first_, material.fibre->direction, material.fibre->stiffness));
    const double t = body.rest.thickness;
    if (material.bending > 0)
      add(make_hinges(
          body.rest, first_,
          material.bending * material.young * t * t * t / (12 * (1 - material.poisson * material.poisson))));
    if (material.bending_springs > 0)
      add(make_bending_springs(body.rest, first_, material.bending_springs * material.young * t));
    return parts;
  }

  void add_script(const ScriptKeys& keys, const std::vector<int>& vertices) {
    Script script;
    script.vertices = in_model(vertices);
    script.start = starts(vertices);
    script.motion = to_motion(keys.motion);
    if (keys.release) script.release = *keys.release;
    model_.scripts.push_back(std::move(script));
  }

  void add_attachment(const AttachmentKeys& keys, const std::vector<int>& vertices) {
    model_.stage_terms.push_back(std::make_unique<Attachment>(in_model(vertices), starts(vertices),
                                                              to_motion(keys.motion), keys.stiffness));
  }

  std::vector<int> in_model(std::vector<int> vertices) const {
    for (int& vertex : vertices) vertex += first_;
    return vertices;
  }

  std::vector<Vec3> starts(const std::vector<int>& vertices) const {
    std::vector<Vec3> places;
    for (const int vertex : vertices) places.push_back(start_.shape[vertex]);
    return places;
  }

  Model& model_;
  State& state_;
  Start start_;                                             ///< of the body being added
  std::map<double, std::vector<const Potential*>> damped_;  ///< elastic energies by coefficient
  Vector dragged_;                                          ///< mass damping of each vertex, kg/s
  std::vector<MassPair> shared_;                            ///< of consistent mass matrices
  std::vector<std::shared_ptr<Potential>> lagged_;          ///< elastic energies with fixed rotations
  int first_ = 0;
};

/// A material that forbids inversion cannot start from it: the energy would be infinite from the first step
/// on.
void refuse_infinite_start(const SceneKeys& keys, const Model& model, const State& state) {
  std::vector<Complaint> complaints;
  for (size_t i = 0; i < keys.bodies.size(); ++i) {
    const auto term = std::find_if(model.terms.begin(), model.terms.end(), [&](const Term& candidate) {
      return candidate.body == keys.bodies[i].name;
    });
    if (term == model.terms.end()) continue;
    std::vector<double> energies(static_cast<size_t>(term->potential->contributions()));
    term->potential->evaluate(state.x, energies, nullptr);
    const auto infinite = [](double energy) { return !std::isfinite(energy); };
    const auto first = std::find_if(energies.begin(), energies.end(), infinite);
    if (first == energies.end()) continue;
    complaints.push_back(keys.bodies[i].source.complaint(
        format("body {} starts with {} flat or inverted elements (the first is {}), where the energy of {} "
               "is infinite; "
               "use another start, or a material that untangles itself such as fixed-corotated",
               keys.bodies[i].name, std::count_if(first, energies.end(), infinite), first - energies.begin(),
               keys.bodies[i].material.model)));
  }
  if (!complaints.empty()) throw InputError(complaints);
}

/// On all surfaces.
std::unique_ptr<Wind> make_wind(const WindKeys& keys, const Model& model) {
  std::vector<std::array<int, 3>> triangles;
  for (const Body& body : model.bodies) {
    const Surface surface = extract_surface(body.rest);
    for (const auto& [a, b, c] : surface.mesh.triangles)
      triangles.push_back({body.first_vertex + surface.vertex_of[a], body.first_vertex + surface.vertex_of[b],
                           body.first_vertex + surface.vertex_of[c]});
  }
  return std::make_unique<Wind>(std::move(triangles), Air{keys.velocity, keys.gust, keys.frequency},
                                keys.drag);
}

/// Stiffness of penalties against each vertex, Pa: as said, or a multiple of the body's own.
Vector contact_stiffness(const SceneKeys& keys, const Model& model, const std::optional<double>& given) {
  constexpr double kTimesYoung = 10;
  Vector stiffness(model.mass.size());
  for (size_t b = 0; b < model.bodies.size(); ++b)
    stiffness.segment(model.bodies[b].first_vertex, std::ssize(model.bodies[b].rest.vertices))
        .setConstant(given.value_or(kTimesYoung * keys.bodies[b].material.young));
  return stiffness;
}

/// Stiffness of springs against each vertex, N/m: that of a cube as large as the vertex and a multiple of its
/// body's own.
Vector spring_stiffness(const SceneKeys& keys, const Model& model) {
  Vector stiffness = contact_stiffness(keys, model, {});
  for (size_t b = 0; b < model.bodies.size(); ++b)
    for (size_t k = 0; k < model.bodies[b].rest.vertices.size(); ++k) {
      const Index i = model.bodies[b].first_vertex + static_cast<Index>(k);
      stiffness[i] *= std::cbrt(model.mass[i] / keys.bodies[b].material.density);
    }
  return stiffness;
}

/// A ball around each vertex of what is thin.
void add_thin_collision(const SceneKeys& keys, Model& model) {
  std::vector<int> vertices, bodies;
  std::vector<Vec3> rest;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (!body.rest.thin()) continue;
    for (size_t i = 0; i < body.rest.vertices.size(); ++i) {
      vertices.push_back(body.first_vertex + static_cast<int>(i));
      bodies.push_back(static_cast<int>(b));
      rest.push_back(body.rest.vertices[i]);
    }
  }
  if (vertices.empty()) return;
  // Two that overlap by half are about as stiff as the cloth itself.
  const double distance = *keys.contact.thin_distance;
  Vector stiffness = contact_stiffness(keys, model, keys.contact.stiffness);
  for (size_t b = 0; b < model.bodies.size() && !keys.contact.stiffness; ++b)
    stiffness.segment(model.bodies[b].first_vertex, std::ssize(model.bodies[b].rest.vertices))
        .setConstant(keys.bodies[b].material.young * model.bodies[b].rest.thickness / (3 * distance));
  ThinCollision::Options options{
      .distance = distance, .stiffness = std::move(stiffness), .friction = keys.contact.friction};
  model.contact_terms.push_back(std::make_unique<ThinCollision>(std::move(vertices), std::move(bodies),
                                                                std::move(rest), std::move(options)));
}

/// Contacts that are energies. Those that are constraints are with the obstacles.
void add_contacts(const SceneKeys& keys, Model& model) {
  const auto any = [&](ContactWay way) {
    return std::any_of(model.obstacles.begin(), model.obstacles.end(),
                       [&](const Obstacle& obstacle) { return obstacle.way == way; });
  };
  if (any(ContactWay::penalty))
    model.contact_terms.push_back(
        std::make_unique<ObstaclePenalty>(model.obstacles, contact_stiffness(keys, model, {})));
  if (any(ContactWay::springs))
    model.contact_terms.push_back(
        std::make_unique<ContactSprings>(model.obstacles, spring_stiffness(keys, model)));
  if (keys.contact.thin_distance) add_thin_collision(keys, model);
  if (!keys.contact.self_collision) return;
  std::vector<SelfCollision::Collider> colliders;
  for (const Body& body : model.bodies) colliders.push_back({body.rest, body.first_vertex});
  auto collision = std::make_unique<SelfCollision>(
      colliders, SelfCollision::Options{.stiffness = contact_stiffness(keys, model, keys.contact.stiffness),
                                        .friction = keys.contact.friction,
                                        .within_bodies = keys.contact.within_bodies,
                                        .facing = keys.contact.method == "program"});
  if (keys.contact.method == "program")
    model.program_contacts = std::move(collision);
  else
    model.contact_terms.push_back(std::move(collision));
}

void warn_of_idle_contacts(const SceneKeys& keys, const Model& model) {
  const auto none = [&](auto is_met) {
    return std::none_of(model.bodies.begin(), model.bodies.end(),
                        [&](const Body& body) { return is_met(body.rest); });
  };
  if (keys.contact.thin_distance && none([](const TetMesh& rest) { return rest.thin(); }))
    log::warn("contact.thin_distance has no effect: the scene has neither cloth nor ribbons nor strands");
  if (keys.contact.self_collision && none([](const TetMesh& rest) { return !rest.tets.empty(); }))
    log::warn(
        "contact.self_collision has no effect: a collision is a vertex inside of a tetrahedron, and no body "
        "has any");
}

void refuse_torn_hexahedra(const Scene& scene) {
  std::vector<Complaint> complaints;
  for (size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.keys.bodies[i].material.tear && !scene.bodies[i].rest.hexes.empty())
      complaints.push_back(scene.keys.bodies[i].source.complaint(
          format("body {} is made of hexahedra, which do not tear; use tetrahedra or leave material.tear out",
                 scene.keys.bodies[i].name)));
  if (!complaints.empty()) throw InputError(complaints);
}

/// What the coefficients that a user gave promise.
void report(const Tableau& tableau) {
  const TableauReport found = examine(tableau);
  const std::string stability = found.l_stable ? "L-stable" : found.a_stable ? "A-stable" : "not A-stable";
  const std::string message =
      format("time.tableau: {} stages, order {}{}, {}, {}stiffly accurate", tableau.stages(), found.order,
             found.order == 4 ? " or more" : "", stability, tableau.is_stiffly_accurate() ? "" : "not ");
  if (found.order == 0 || !found.a_stable)
    log::warn(
        message +
        (found.order == 0
             ? format("; b sums up to {:.12g} and not to 1: answers do not come closer with shorter steps",
                      std::accumulate(tableau.b.begin(), tableau.b.end(), 0.0))
             : "; long steps of stiff bodies will blow up"));
  else
    log::info(message);
}

}  // namespace

std::unique_ptr<Model> make_model(const Scene& scene, State& start) {
  const SceneKeys& keys = scene.keys;
  size_t vertex_count = 0;
  for (const PlacedBody& body : scene.bodies) vertex_count += body.rest.vertices.size();
  constexpr size_t kMostVertices = std::numeric_limits<int>::max() / 3;
  if (vertex_count > kMostVertices) throw InputError("the scene has too many vertices; use coarser meshes");

  auto made = std::make_unique<Model>();
  Model& model = *made;
  Assembly assembly(model, start, static_cast<int>(vertex_count));
  for (size_t i = 0; i < keys.bodies.size(); ++i)
    assembly.add(keys.bodies[i], scene.bodies[i], static_cast<std::uint64_t>(keys.seed) + 0x10001 * i);
  assembly.finish();
  if (keys.gravity != Vec3::Zero())
    model.terms.push_back(
        {"", Term::Kind::gravitational, std::make_unique<Gravity>(model.mass, keys.gravity)});
  if (keys.wind) model.stage_terms.push_back(make_wind(*keys.wind, model));
  model.obstacles = scene.obstacles;
  add_contacts(keys, model);
  model.finish();
  return made;
}

Simulation build(const Scene& scene) {
  const SceneKeys& keys = scene.keys;
  refuse_torn_hexahedra(scene);
  Simulation simulation;
  simulation.model = make_model(scene, simulation.state);
  Model& model = *simulation.model;
  warn_of_idle_contacts(keys, model);
  model.apply_scripts(0, simulation.state.x, &simulation.state.v);
  separate_at_start(keys, model, simulation.state);
  refuse_infinite_start(keys, model, simulation.state);

  if (keys.time.tableau) report(*scheme_options(keys.time).tableau);
  const auto is_scheme = [&](const char* name) { return keys.time.scheme == name; };
  if (model.program_contacts && (is_scheme("esdirk-436") || is_scheme("ros34pw2") || is_scheme("ros3prl2")))
    log::warn(
        format("time.scheme: {} with contact programs gives energy to bodies that rest on each "
               "other unless steps are very short; sdirk2 bears longer ones",
               keys.time.scheme));
  simulation.name = keys.name;
  simulation.scene_text = scene.text();
  // Projective dynamics takes full steps, for which only a matrix of its own is safe.
  auto kept = tears(keys) && keys.solver.method == "lbfgs"
                  ? std::make_shared<KeptFactor>(keys.solver.lbfgs.refresh_steps)
                  : nullptr;
  simulation.scheme = scheme_of(keys, model, kept);
  if (tears(keys)) simulation.tearing = std::make_unique<SceneTearing>(scene, std::move(kept));
  simulation.frame_rate = keys.frame_rate;
  simulation.frames = keys.frames();
  simulation.steps_per_frame = keys.time.steps_per_frame;
  simulation.step_tolerance = keys.time.tolerance;
  simulation.scheme_name = keys.time.scheme;
  simulation.solver_name = keys.solver.method;
  simulation.tolerance = keys.solver.tolerance;
  simulation.stop_on_failure = keys.solver.on_failure == "stop";
  simulation.seed = static_cast<unsigned long long>(keys.seed);
  return simulation;
}

}  // namespace pliant
