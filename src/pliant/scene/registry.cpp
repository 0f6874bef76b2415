#include "pliant/scene/registry.hpp"

#include "pliant/geometry/box.hpp"
#include "pliant/potential/solid.hpp"

namespace pliant {

namespace {

constexpr Choice kSchemes[] = {
    {"backward-euler", "first order, one minimisation a step; stable for any step, and damps motion"},
};

constexpr Choice kSolvers[] = {
    {"newton-cg", "Newton with truncated conjugate gradients, safeguarded by a line search"},
    {"newton-cholesky", "Newton with a sparse factorisation, safeguarded by a line search"},
    {"newton-plain", "Newton with full steps and no safeguards, for comparison: may diverge"},
    {"gradient", "steepest descent with a line search, for comparison: slow"},
};

constexpr Choice kShapes[] = {
    {"box", "a block of regular cells, centred at the origin"},
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

}  // namespace

std::span<const Choice> scheme_choices() { return kSchemes; }
std::span<const Choice> solver_choices() { return kSolvers; }
std::span<const Choice> shape_choices() { return kShapes; }
std::span<const Choice> norm_choices() { return kNorms; }
std::span<const Choice> failure_choices() { return kFailures; }
std::span<const Choice> interpolation_choices() { return kInterpolations; }

std::span<const Choice> material_choices() {
  static const std::vector<Choice> choices = [] {
    std::vector<Choice> all;
    for (const SolidMaterial& material : solid_materials()) all.push_back({material.name, material.summary});
    return all;
  }();
  return choices;
}

TetMesh make_shape(const ShapeKeys& keys) {
  return make_box({.size = keys.size, .cells = keys.cells, .tets_per_cell = keys.tets_per_cell});
}

}  // namespace pliant
