#include "pliant/view/energy_density.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/box.hpp"
#include "pliant/potential/lagged_solid.hpp"
#include "pliant/potential/stencils.hpp"
#include "pliant/scene/scene.hpp"

namespace pliant {

/// A term, with the vertices of the model that each of its contributions depends on.
struct EnergyTerm {
  const Potential* potential;
  size_t corners = 0;
  std::vector<int> vertices;  ///< `corners` a contribution
};

namespace {

EnergyTerm energy_term(const Term& term) {
  const auto* stencils = dynamic_cast<const Stencils*>(term.potential.get());
  if (stencils == nullptr)
    throw InputError(
        format("the energy of body {} is of a kind that is not known by its elements", term.body));
  const size_t corners = static_cast<size_t>(stencils->kind().corners);
  EnergyTerm energy{term.potential.get(), corners, {}};
  energy.vertices.resize(corners * static_cast<size_t>(stencils->stencils()));
  std::vector<double> rest(static_cast<size_t>(stencils->kind().rest));
  for (Index s = 0; s < stencils->stencils(); ++s)
    stencils->copy_stencil(s, &energy.vertices[static_cast<size_t>(s) * corners], rest.data());
  return energy;
}

/// Whether what ran is of the kind that the scene speaks of.
bool is_as_said(const TetMesh& ran, const std::optional<ShapeKeys>& shape) {
  if (shape && is_thin(shape->kind)) return ran.thin() && ran.triangles.empty() == (shape->kind == "strand");
  if (shape && shape->kind == "rectangle") return ran.planar();
  return !ran.tets.empty();
}

/// The rest shape as the run's own folder has it, with what its file does not say: how thick it is, and which
/// tetrahedra make a hexahedron.
TetMesh find_rest(const BodyKeys& keys, const RunBody& ran, const std::string& file) {
  TetMesh rest = ran.rest;
  bool same = keys.name == ran.name && is_as_said(rest, keys.shape);
  if (same && keys.shape && rest.thin()) rest.thickness = thickness_of(*keys.shape);
  if (same && keys.shape && rest.planar()) rest.thickness = keys.shape->size.z();
  if (same && keys.shape && !rest.tets.empty() && keys.shape->elements == "hexahedra") {
    rest.hexes = find_hexes(rest);
    same = !rest.hexes.empty();
  }
  if (!same) throw InputError(Complaint{file, 0, 0, "describes other bodies than those that ran"});
  const std::vector<std::string> defects = find_defects(rest);
  if (!defects.empty()) throw InputError(format("body {}: {}", ran.name, defects.front()));
  return rest;
}

/// The scene as far as it holds elastic energy. It may come from anybody: no file that it names is read, and
/// nothing is built that is as large as it says.
Scene place_bodies(const std::string& text, const std::filesystem::path& file,
                   std::span<const RunBody> bodies) {
  Scene scene;
  SceneKeys& keys = scene.keys = parse_scene(text, file.string());
  keys.obstacles.clear();
  keys.contact = {};
  keys.wind.reset();
  if (keys.bodies.size() != bodies.size())
    throw InputError(Complaint{file.string(), 0, 0, "describes other bodies than those that ran"});
  for (size_t i = 0; i < bodies.size(); ++i) {
    BodyKeys& body = keys.bodies[i];
    // None of these changes a rest shape, and what has torn has other vertices than they name.
    body.start = {};
    body.scripts.clear();
    body.attachments.clear();
    body.damping = {};
    body.material.mass = "lumped";
    // The energies of both are the same; that of the lagged one is known only as a whole.
    if (body.material.model == kLaggedCorotated) body.material.model = "corotated";
    if (body.material.young_field)
      throw InputError(
          format("body {} has a stiffness that is painted on a file, which is not read again", body.name));
    scene.bodies.emplace_back().rest = find_rest(body, bodies[i], file.string());
    body.mesh.reset();
    body.shape.reset();
  }
  return scene;
}

bool is_of_kind(const TetMesh& torn, const TetMesh& intact) {
  return torn.hexes.empty() && intact.hexes.empty() && torn.tets.empty() == intact.tets.empty() &&
         torn.triangles.empty() == intact.triangles.empty() && torn.thin() == intact.thin() &&
         torn.planar() == intact.planar() && !torn.vertices.empty();
}

}  // namespace

struct EnergyDensity::Parts {
  Scene scene;  ///< without obstacles and scripts
  std::unique_ptr<const Model> model;
  std::vector<EnergyTerm> terms;
  std::vector<double> volumes;  ///< at each vertex, m3
};

EnergyDensity::EnergyDensity(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {
  State start;
  parts_->model = make_model(parts_->scene, start);
  for (const Body& body : parts_->model->bodies) {
    for (const Term& term : parts_->model->terms) {
      if (!term.is_elastic() || term.body != body.name) continue;
      parts_->terms.push_back(energy_term(term));
    }
    const std::vector<double> volumes = lumped_masses(body.rest, 1);
    parts_->volumes.insert(parts_->volumes.end(), volumes.begin(), volumes.end());
  }
}

EnergyDensity::EnergyDensity(const std::string& scene, const std::filesystem::path& file,
                             std::span<const RunBody> bodies)
    : EnergyDensity(std::make_unique<Parts>(Parts{place_bodies(scene, file, bodies), nullptr, {}, {}})) {}

std::unique_ptr<const EnergyDensity> EnergyDensity::torn(std::span<const RunBody> bodies) const {
  Scene scene = parts_->scene;
  if (scene.bodies.size() != bodies.size()) throw InputError("a tear has left another number of bodies");
  for (size_t i = 0; i < bodies.size(); ++i) {
    const TetMesh& intact = parts_->scene.bodies[i].rest;
    if (bodies[i].origin.empty()) continue;
    if (!is_of_kind(bodies[i].rest, intact))
      throw InputError(format("body {} has torn into one of another kind", bodies[i].name));
    scene.bodies[i] = {};
    scene.bodies[i].rest = bodies[i].rest;
    scene.bodies[i].rest.thickness = intact.thickness;
  }
  auto parts = std::make_unique<Parts>(Parts{std::move(scene), nullptr, {}, {}});
  return std::unique_ptr<const EnergyDensity>(new EnergyDensity(std::move(parts)));
}

EnergyDensity::~EnergyDensity() = default;

std::vector<double> EnergyDensity::energies(std::span<const float> frame) const {
  const Vector x = Eigen::Map<const Eigen::VectorXf>(frame.data(), std::ssize(frame)).cast<double>();
  std::vector<double> energies(parts_->volumes.size(), 0.0);
  for (const EnergyTerm& term : parts_->terms) {
    std::vector<double> of_element(static_cast<size_t>(term.potential->contributions()));
    term.potential->evaluate(x, of_element, nullptr);
    const size_t corners = term.corners;
    for (size_t i = 0; i < term.vertices.size(); ++i)
      energies[static_cast<size_t>(term.vertices[i])] +=
          of_element[i / corners] / static_cast<double>(corners);
  }
  return energies;
}

std::vector<double> EnergyDensity::densities(std::span<const float> frame) const {
  std::vector<double> values = energies(frame);
  for (size_t i = 0; i < values.size(); ++i) values[i] /= parts_->volumes[i];
  return values;
}

}  // namespace pliant
