// From a plan to a model.
#include <limits>
#include <map>

#include "pliant/base/error.hpp"
#include "pliant/potential/attachment.hpp"
#include "pliant/potential/damping.hpp"
#include "pliant/potential/fibres.hpp"
#include "pliant/potential/gravity.hpp"
#include "pliant/potential/hinges.hpp"
#include "pliant/potential/lagged_solid.hpp"
#include "pliant/potential/solid.hpp"
#include "pliant/potential/springs.hpp"
#include "pliant/setup/plan.hpp"

namespace pliant {

namespace {

/// Adds bodies to a model and its state, one after the other.
class BodyAdder {
 public:
  BodyAdder(Model& model, State& state, int vertex_count) : model_(model), state_(state) {
    model.mass.resize(vertex_count);
    dragged_.resize(vertex_count);
    state.x.resize(3 * Index{vertex_count});
    state.v.resize(3 * Index{vertex_count});
  }

  void add(const BodyPlan& body) {
    const BodyOptions& options = body.options;
    const double density = options.material.density;
    const std::vector<double> mass = lumped_masses(body.rest, density);
    for (size_t i = 0; i < mass.size(); ++i) {
      const Index vertex = first_ + static_cast<Index>(i);
      model_.mass[vertex] = mass[i];
      state_.x.segment<3>(3 * vertex) = start_of(body, i);
      state_.v.segment<3>(3 * vertex) = options.velocities.empty() ? options.velocity : options.velocities[i];
    }
    if (options.material.consistent_mass)
      for (const auto& [a, b, shared] : mass_pairs(body.rest, density))
        shared_.push_back({first_ + a, first_ + b, shared});
    model_.bodies.push_back({options.name, body.rest, first_, options.color});
    for (const Potential* elastic : add_elasticity(options, body.rest))
      if (options.damping.stiffness > 0) damped_[options.damping.stiffness].push_back(elastic);
    dragged_.segment(first_, std::ssize(mass)) =
        options.damping.mass * model_.mass.segment(first_, std::ssize(mass));
    for (const Script& script : body.scripts) add_script(script, body);
    for (const AttachmentOptions& attachment : body.attachments) add_attachment(attachment, body);
    first_ += static_cast<int>(mass.size());
  }

  /// After the last body.
  void finish() {
    if (!lagged_.empty()) model_.stage_terms.push_back(std::make_unique<LaggedSolid>(lagged_));
    for (auto& [coefficient, elastic] : damped_)
      model_.stage_terms.push_back(std::make_unique<StiffnessDamping>(std::move(elastic), coefficient));
    if (!shared_.empty()) model_.consistent_mass.emplace(static_cast<int>(model_.mass.size()), shared_);
    if (!dragged_.isZero(0)) model_.stage_terms.push_back(std::make_unique<MassDamping>(dragged_));
  }

 private:
  /// All parts of a body's elastic energy, which stiffness damping is made of.
  std::vector<const Potential*> add_elasticity(const BodyOptions& options, const TetMesh& rest) {
    const MaterialOptions& material = options.material;
    const Lame moduli = lame(material.young, material.poisson);
    const SolidRest solid{rest, first_, material.young_of_element};
    if (material.model == kLaggedCorotated) {
      lagged_.push_back(make_lagged_corotated(solid, moduli));
      return {lagged_.back().get()};
    }
    std::vector<const Potential*> parts;
    const auto add = [&](std::unique_ptr<Potential> part) {
      if (!part) return;
      parts.push_back(part.get());
      model_.terms.push_back({options.name, kElasticEnergy, std::move(part)});
    };
    add(material.model == "springs" ? make_springs(rest, first_, material.young, material.young_of_element)
                                    : make_solid(material.model, solid, moduli, material.parameters));
    if (material.volume > 0) add(make_volume_solid(rest, first_, {.mu = material.volume / 2}));
    if (material.fibre) add(make_fibres(rest, first_, material.fibre->direction, material.fibre->stiffness));
    const double t = rest.thickness;
    if (material.bending > 0)
      add(make_hinges(
          rest, first_,
          material.bending * material.young * t * t * t / (12 * (1 - material.poisson * material.poisson))));
    if (material.bending_springs > 0)
      add(make_bending_springs(rest, first_, material.bending_springs * material.young * t));
    return parts;
  }

  void add_script(Script script, const BodyPlan& body) {
    if (script.start.empty()) script.start = starts(script.vertices, body);
    for (int& vertex : script.vertices) vertex += first_;
    model_.scripts.push_back(std::move(script));
  }

  void add_attachment(const AttachmentOptions& options, const BodyPlan& body) {
    std::vector<int> vertices = options.vertices;
    for (int& vertex : vertices) vertex += first_;
    model_.stage_terms.push_back(std::make_unique<Attachment>(
        std::move(vertices), options.start.empty() ? starts(options.vertices, body) : options.start,
        options.motion, options.stiffness));
  }

  static const Vec3& start_of(const BodyPlan& body, size_t vertex) {
    return body.options.positions.empty() ? body.rest.vertices[vertex] : body.options.positions[vertex];
  }

  static std::vector<Vec3> starts(const std::vector<int>& vertices, const BodyPlan& body) {
    std::vector<Vec3> places;
    for (const int vertex : vertices) places.push_back(start_of(body, static_cast<size_t>(vertex)));
    return places;
  }

  Model& model_;
  State& state_;
  std::map<double, std::vector<const Potential*>> damped_;  ///< elastic energies by coefficient
  Vector dragged_;                                          ///< mass damping of each vertex, kg/s
  std::vector<MassPair> shared_;                            ///< of consistent mass matrices
  std::vector<std::shared_ptr<Potential>> lagged_;          ///< elastic energies with fixed rotations
  int first_ = 0;
};

/// On all surfaces.
std::unique_ptr<Wind> make_wind(const WindOptions& options, const Model& model) {
  std::vector<std::array<int, 3>> triangles;
  for (const Body& body : model.bodies) {
    const Surface surface = extract_surface(body.rest);
    for (const auto& [a, b, c] : surface.mesh.triangles)
      triangles.push_back({body.first_vertex + surface.vertex_of[a], body.first_vertex + surface.vertex_of[b],
                           body.first_vertex + surface.vertex_of[c]});
  }
  return std::make_unique<Wind>(std::move(triangles), options, options.drag);
}

}  // namespace

std::unique_ptr<Model> make_model(const ModelPlan& plan, State& start) {
  size_t vertex_count = 0;
  for (const BodyPlan& body : plan.bodies) vertex_count += body.rest.vertices.size();
  constexpr size_t kMostVertices = std::numeric_limits<int>::max() / 3;
  if (vertex_count > kMostVertices) throw InputError("the scene has too many vertices; use coarser meshes");

  auto made = std::make_unique<Model>();
  Model& model = *made;
  BodyAdder adder(model, start, static_cast<int>(vertex_count));
  for (const BodyPlan& body : plan.bodies) adder.add(body);
  adder.finish();
  if (plan.gravity != Vec3::Zero())
    model.terms.push_back({"", kGravitationalEnergy, std::make_unique<Gravity>(model.mass, plan.gravity)});
  if (plan.wind) model.stage_terms.push_back(make_wind(*plan.wind, model));
  model.obstacles = plan.obstacles;
  add_contacts(plan, model);
  model.finish();
  return made;
}

}  // namespace pliant
