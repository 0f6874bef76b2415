#include "pliant/scene/tearing.hpp"

#include <algorithm>
#include <numeric>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh/tear.hpp"
#include "pliant/scene/placement.hpp"
#include "pliant/scene/registry.hpp"

namespace pliant {

namespace {

constexpr const char* kPrefix = "tear.";

std::string array_name(size_t body, const char* what) { return format("{}{}.{}", kPrefix, body, what); }

std::vector<TetMesh> rests(const Scene& scene) {
  std::vector<TetMesh> all;
  for (const PlacedBody& body : scene.bodies) all.push_back(body.rest);
  return all;
}

/// The vertices that came from those listed.
std::vector<int> descendants(const std::vector<int>& listed, const std::vector<int>& origin, size_t before) {
  std::vector<char> is_listed(before, 0);
  for (const int vertex : listed) is_listed[vertex] = 1;
  std::vector<int> now;
  for (size_t i = 0; i < origin.size(); ++i)
    if (is_listed[origin[i]]) now.push_back(static_cast<int>(i));
  return now;
}

template <class T>
void renumber(const std::vector<int>& origin, std::vector<T>& values) {
  if (values.empty()) return;
  std::vector<T> now;
  for (const int vertex : origin) now.push_back(values[vertex]);
  values = std::move(now);
}

/// The corners of cells as numbers, and back.
Vector corners_of(const TetMesh& mesh) {
  const auto flat = [](const auto& cells) {
    Vector all(std::ssize(cells) * std::ssize(cells[0]));
    Index next = 0;
    for (const auto& cell : cells)
      for (const int vertex : cell) all[next++] = vertex;
    return all;
  };
  if (!mesh.triangles.empty()) return flat(mesh.triangles);
  return mesh.thin() ? flat(mesh.edges) : flat(mesh.tets);
}

[[noreturn]] void refuse() {
  throw InputError("the state of what has torn is damaged; start again with --overwrite");
}

std::vector<int> integers(const State& state, const std::string& name, size_t end) {
  const auto found = state.arrays.find(name);
  if (found == state.arrays.end()) refuse();
  std::vector<int> all;
  for (const double value : found->second.values) {
    if (!(value >= 0 && value < static_cast<double>(end))) refuse();
    all.push_back(static_cast<int>(value));
  }
  return all;
}

TetMesh mesh_of(const TetMesh& intact, const std::vector<int>& origin, const std::vector<int>& corners) {
  TetMesh mesh{.vertices = intact.vertices, .tets = {}, .thickness = intact.thickness};
  renumber(origin, mesh.vertices);
  const auto fill = [&](auto& cells) {
    const size_t each = cells.emplace_back().size();
    cells.resize(corners.size() / each);
    if (cells.empty() || corners.size() % each != 0) refuse();
    for (size_t k = 0; k < corners.size(); ++k) cells[k / each][k % each] = corners[k];
  };
  if (intact.triangles.empty()) {
    intact.thin() ? fill(mesh.edges) : fill(mesh.tets);
    return mesh;
  }
  fill(mesh.triangles);
  if (!intact.thin()) return mesh;
  return make_sheet({std::move(mesh.vertices), std::move(mesh.triangles)}, intact.thickness);
}

/// Whether each vertex has a share of some cell, and no cell is flat or inside out.
bool is_sound(const TetMesh& mesh) {
  const std::vector<double> mass = lumped_masses(mesh, 1);
  return std::ranges::all_of(mass, [](double m) { return m > 0; }) && find_defects(mesh).empty();
}

}  // namespace

bool tears(const SceneKeys& keys) {
  return std::any_of(keys.bodies.begin(), keys.bodies.end(),
                     [](const BodyKeys& body) { return body.material.tear.has_value(); });
}

SceneTearing::SceneTearing(const Scene& scene, std::shared_ptr<KeptFactor> kept)
    : intact_(rests(scene)), now_(scene), kept_(std::move(kept)) {
  for (const TetMesh& mesh : intact_) {
    origin_.emplace_back(mesh.vertices.size());
    std::iota(origin_.back().begin(), origin_.back().end(), 0);
  }
  // Scripts and attachments go on from where the whole body started; all else of a start is over.
  for (size_t b = 0; b < now_.bodies.size(); ++b) {
    now_.bodies[b].start = start_of(now_.keys.bodies[b], now_.bodies[b], 0).shape;
    now_.keys.bodies[b].start = {};
  }
}

TornMesh SceneTearing::torn(size_t body, const double* positions) const {
  const TetMesh& rest = now_.bodies[body].rest;
  const std::vector<double> stretches = largest_stretches(rest, positions);
  const double limit = *now_.keys.bodies[body].material.tear;
  std::vector<char> gone(stretches.size());
  for (size_t c = 0; c < gone.size(); ++c) gone[c] = stretches[c] > limit;
  if (std::find(gone.begin(), gone.end(), 1) == gone.end()) return {};
  // A body without any element is none.
  gone[std::min_element(stretches.begin(), stretches.end()) - stretches.begin()] = 0;
  if (std::find(gone.begin(), gone.end(), 1) == gone.end()) return {};
  return without_cells(rest, gone);
}

void SceneTearing::put(size_t index, TornMesh torn) {
  PlacedBody& body = now_.bodies[index];
  const size_t before = body.rest.vertices.size();
  for (std::vector<std::vector<int>>* lists : {&body.scripted, &body.attached})
    for (std::vector<int>& list : *lists) list = descendants(list, torn.origin, before);
  renumber(torn.origin, body.start);
  renumber(torn.origin, origin_[index]);
  body.rest = std::move(torn.mesh);
}

bool SceneTearing::after_step(Simulation& simulation) {
  if (kept_) kept_->step_done();
  std::vector<int> origin;  // of all vertices
  bool any = false;
  int first = 0;
  for (size_t b = 0; b < now_.bodies.size(); ++b) {
    const int count = static_cast<int>(now_.bodies[b].rest.vertices.size());
    TornMesh left;
    if (now_.keys.bodies[b].material.tear) left = torn(b, simulation.state.x.data() + 3 * Index{first});
    if (left.origin.empty()) {
      for (int i = 0; i < count; ++i) origin.push_back(first + i);
    } else {
      for (const int vertex : left.origin) origin.push_back(first + vertex);
      put(b, std::move(left));
      any = true;
    }
    first += count;
  }
  if (!any) return false;
  if (kept_) kept_->tear(origin);
  rebuild(simulation, simulation.state.renumbered(origin));
  return true;
}

void SceneTearing::rebuild(Simulation& simulation, State state) const {
  State start;
  const ModelBuilder builder = builder_of(now_);
  std::unique_ptr<Model> model = builder.make_model(start);
  if (state.x.size() != start.x.size() || state.v.size() != start.v.size()) refuse();
  simulation.stepping = stepping_of(builder, now_.keys, kept_);
  simulation.scheme = make_scheme(*model, simulation.stepping);
  simulation.model = std::move(model);
  simulation.state = std::move(state);
}

void SceneTearing::save(State& state) const {
  for (size_t b = 0; b < now_.bodies.size(); ++b) {
    if (cell_count(now_.bodies[b].rest) == cell_count(intact_[b])) continue;
    Vector origin(std::ssize(origin_[b]));
    for (Index i = 0; i < origin.size(); ++i) origin[i] = origin_[b][i];
    state.arrays[array_name(b, "origin")] = StateArray::of_whole(std::move(origin));
    state.arrays[array_name(b, "corners")] = StateArray::of_whole(corners_of(now_.bodies[b].rest));
  }
  if (!kept_) return;
  std::map<std::string, Vector> of_factors;
  kept_->save(of_factors);
  for (auto& [name, values] : of_factors) state.arrays[name] = StateArray::of_whole(std::move(values));
}

void SceneTearing::restore(Simulation& simulation) {
  State state = simulation.state;
  for (size_t b = 0; b < now_.bodies.size(); ++b) {
    const std::string names[] = {array_name(b, "origin"), array_name(b, "corners")};
    if (std::ranges::none_of(names, [&](const std::string& name) { return state.arrays.contains(name); }))
      continue;
    TornMesh left;
    left.origin = integers(state, names[0], intact_[b].vertices.size());
    left.mesh = mesh_of(intact_[b], left.origin, integers(state, names[1], left.origin.size()));
    if (!is_sound(left.mesh)) refuse();
    put(b, std::move(left));
    for (const std::string& name : names) state.arrays.erase(name);
  }
  if (kept_) {
    std::map<std::string, Vector> of_whole;
    for (const auto& [name, array] : state.arrays)
      if (array.of == EntryOf::whole) of_whole[name] = array.values;
    kept_->take(of_whole, static_cast<int>(state.vertices()));
    std::erase_if(state.arrays, [&](const auto& named) {
      return named.second.of == EntryOf::whole && !of_whole.contains(named.first);
    });
  }
  rebuild(simulation, std::move(state));
}

}  // namespace pliant
