// From a checked scene to a simulation.
#include <numeric>

#include "pliant/base/log.hpp"
#include "pliant/base/text.hpp"
#include "pliant/scene/placement.hpp"
#include "pliant/scene/registry.hpp"
#include "pliant/scene/scene.hpp"
#include "pliant/scene/tearing.hpp"
#include "pliant/setup/start.hpp"

namespace pliant {

namespace {

/// Each body draws random numbers of its own.
std::uint64_t seed_of(const SceneKeys& keys, size_t body) {
  return static_cast<std::uint64_t>(keys.seed) + 0x10001 * body;
}

BodyId add_body(const BodyKeys& keys, const PlacedBody& body, std::uint64_t seed, ModelBuilder& builder) {
  Start start = start_of(keys, body, seed);
  const auto places = [&](const std::vector<int>& vertices) {
    std::vector<Vec3> all;
    for (const int vertex : vertices) all.push_back(start.shape[vertex]);
    return all;
  };
  MaterialOptions material = keys.material.options();
  material.young_of_element = body.stiffness;
  const BodyId id = builder.add_body(body.rest, {.name = keys.name,
                                                 .material = std::move(material),
                                                 .damping = keys.damping,
                                                 .positions = std::move(start.positions),
                                                 .velocities = std::move(start.velocities),
                                                 .color = keys.color});
  for (size_t i = 0; i < keys.scripts.size(); ++i) {
    const ScriptKeys& script = keys.scripts[i];
    builder.add_script(id, {body.scripted[i], places(body.scripted[i]), to_motion(script.motion),
                            script.release.value_or(Script().release)});
  }
  for (size_t i = 0; i < keys.attachments.size(); ++i)
    builder.attach(id, {body.attached[i], keys.attachments[i].stiffness,
                        to_motion(keys.attachments[i].motion), places(body.attached[i])});
  return id;
}

void refuse(const std::vector<Complaint>& complaints) {
  if (!complaints.empty()) throw InputError(complaints);
}

/// What only shows once the elements of bodies are known.
void refuse_conflicts(const Scene& scene, const ModelBuilder& builder) {
  const SceneKeys& keys = scene.keys;
  Combination asked = builder.combination();
  for (size_t b = 0; b < keys.bodies.size(); ++b)
    asked.bodies[b].tears = keys.bodies[b].material.tear.has_value();
  std::vector<Complaint> complaints;
  for (const Conflict& conflict : find_conflicts(asked))
    complaints.push_back(conflict.body ? keys.bodies[*conflict.body].source.complaint(conflict.message)
                                       : Complaint{"", 0, 0, conflict.message});
  refuse(complaints);
}

void refuse_starts(const SceneKeys& keys, const Model& model, State& state) {
  std::vector<Complaint> complaints;
  for (const auto& [body, message] : separate_at_start(model, keys.contact.allow_initial_overlap, state))
    complaints.push_back(keys.bodies[body].origin.complaint(message));
  refuse(complaints);
  std::vector<std::string> materials;
  for (const BodyKeys& body : keys.bodies) materials.push_back(body.material.model);
  for (const auto& [body, message] : find_infinite_starts(model, materials, state))
    complaints.push_back(keys.bodies[body].source.complaint(message));
  refuse(complaints);
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

ModelBuilder builder_of(const Scene& scene) {
  const SceneKeys& keys = scene.keys;
  ModelBuilder builder;
  for (size_t i = 0; i < keys.bodies.size(); ++i)
    add_body(keys.bodies[i], scene.bodies[i], seed_of(keys, i), builder);
  for (const Obstacle& obstacle : scene.obstacles) builder.add_obstacle(obstacle);
  builder.set_gravity(keys.gravity);
  if (keys.wind) builder.set_wind(*keys.wind);
  builder.set_contact(contact_options(keys.contact));
  builder.set_time({scheme_options(keys.time), keys.time.tolerance, 1 / keys.frame_rate});
  builder.set_solver(solver_options(keys.solver));
  return builder;
}

SteppingOptions stepping_of(const ModelBuilder& builder, const SceneKeys& keys,
                            std::shared_ptr<KeptFactor> kept) {
  SteppingOptions options = builder.stepping();
  options.solver.lbfgs.kept = std::move(kept);
  options.side_by_side = !tears(keys);
  return options;
}

std::unique_ptr<Model> make_model(const Scene& scene, State& start) {
  return builder_of(scene).make_model(start);
}

Simulation build(const Scene& scene) {
  const SceneKeys& keys = scene.keys;
  const ModelBuilder builder = builder_of(scene);
  refuse_conflicts(scene, builder);
  Simulation simulation;
  simulation.model = builder.make_model(simulation.state);
  Model& model = *simulation.model;
  warn_of_idle_contacts(builder.plan().contact, model);
  model.apply_scripts(0, simulation.state.x, &simulation.state.v);
  refuse_starts(keys, model, simulation.state);

  if (keys.time.tableau) report(*scheme_options(keys.time).tableau);
  const auto is_scheme = [&](const char* name) { return keys.time.scheme == name; };
  if (keys.contact.self_collision && keys.contact.method == "program" &&
      (is_scheme("esdirk-436") || is_scheme("ros34pw2") || is_scheme("ros3prl2")))
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
  simulation.stepping = stepping_of(builder, keys, kept);
  simulation.scheme = make_scheme(model, simulation.stepping);
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
