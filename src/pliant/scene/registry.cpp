#include "pliant/scene/registry.hpp"

#include <algorithm>
#include <iterator>

#include "pliant/base/error.hpp"
#include "pliant/geometry/box.hpp"
#include "pliant/geometry/rectangle.hpp"
#include "pliant/integrate/backward_euler.hpp"
#include "pliant/integrate/side_by_side.hpp"
#include "pliant/potential/solid.hpp"
#include "pliant/system/stage_solver.hpp"

namespace pliant {

namespace {

struct SchemeEntry {
  std::string_view name, summary;
  std::unique_ptr<Scheme> (*make)(const Model&, const SolverOptions&);
};

constexpr SchemeEntry kSchemes[] = {
    {"backward-euler", "first order, one minimisation a step; stable for any step, and damps motion",
     [](const Model& model, const SolverOptions& options) -> std::unique_ptr<Scheme> {
       return std::make_unique<BackwardEuler>(model, options);
     }},
};

struct ShapeEntry {
  std::string_view name, summary;
  TetMesh (*make)(const ShapeKeys&);
};

constexpr ShapeEntry kShapes[] = {
    {"box", "a block of regular cells, centred at the origin",
     [](const ShapeKeys& keys) {
       return make_box({.size = keys.size, .cells = keys.cells, .tets_per_cell = keys.tets_per_cell});
     }},
    {"rectangle",
     "a planar body of triangles in the plane of x and y, centred at the origin, which deforms in this plane "
     "only (plane strain)",
     [](const ShapeKeys& keys) {
       return make_rectangle({.size = keys.size, .cells = {keys.cells[0], keys.cells[1]}});
     }},
};

constexpr Choice kNorms[] = {
    {"velocity", "mass-weighted velocity error, m/s; independent of the size of the mesh"},
    {"gradient", "length of the gradient of the energy, N"},
};

constexpr Choice kFailures[] = {
    {"continue", "go on from the best point found"},
    {"stop", "stop the run after this step"},
};

constexpr Choice kInterpolations[] = {
    {"linear", "constant speed between keys"},
    {"smooth", "starts and stops softly at each key"},
};

template <class Entries>
std::vector<Choice> to_choices(const Entries& entries) {
  std::vector<Choice> choices;
  for (const auto& entry : entries) choices.push_back({entry.name, entry.summary});
  return choices;
}

template <class Entries>
const auto& find(const Entries& entries, const std::string& name) {
  const auto found = std::find_if(std::begin(entries), std::end(entries),
                                  [&](const auto& entry) { return entry.name == name; });
  if (found == std::end(entries)) throw InputError("nothing is called '" + name + "'");
  return *found;
}

}  // namespace

std::span<const Choice> norm_choices() { return kNorms; }
std::span<const Choice> failure_choices() { return kFailures; }
std::span<const Choice> interpolation_choices() { return kInterpolations; }

std::span<const Choice> scheme_choices() {
  static const std::vector<Choice> choices = to_choices(kSchemes);
  return choices;
}

std::span<const Choice> shape_choices() {
  static const std::vector<Choice> choices = to_choices(kShapes);
  return choices;
}

std::span<const Choice> solver_choices() {
  static const std::vector<Choice> choices = to_choices(solver_methods());
  return choices;
}

std::span<const Choice> material_choices() {
  static const std::vector<Choice> choices = to_choices(solid_materials());
  return choices;
}

TetMesh make_shape(const ShapeKeys& keys) { return find(kShapes, keys.kind).make(keys); }

std::unique_ptr<Scheme> make_scheme(const SceneKeys& keys, const Model& model) {
  return make_scheme(model, [&](const Model& part) {
    return find(kSchemes, keys.time.scheme).make(part, solver_options(keys.solver));
  });
}

SolverOptions solver_options(const SolverKeys& keys) {
  return {.method = keys.method,
          .tolerance = keys.tolerance,
          .norm = keys.norm == "velocity" ? ResidualNorm::velocity : ResidualNorm::gradient,
          .max_iterations = keys.max_iterations,
          .sigma = keys.sigma,
          .kappa = keys.kappa};
}

}  // namespace pliant
