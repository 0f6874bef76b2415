#include "pliant/scene/registry.hpp"

#include <algorithm>
#include <iterator>

#include "pliant/base/error.hpp"
#include "pliant/integrate/schemes.hpp"
#include "pliant/potential/lagged_solid.hpp"
#include "pliant/potential/solid.hpp"
#include "pliant/scene/names.hpp"
#include "pliant/setup/obstacle_contacts.hpp"
#include "pliant/system/stage_solver.hpp"

namespace pliant {

namespace {

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

constexpr Choice kBodyContacts[] = {
    {"penalty", "pushed out the harder the deeper"},
    {"program", "velocities are corrected after each step by a quadratic program; for any scheme"},
};

struct InitialEntry {
  std::string_view name, summary;
  InitialHessian value;
};

constexpr InitialEntry kInitials[] = {
    {"projective", "a constant matrix that turns with nothing and is factored once",
     InitialHessian::projective},
    {"identity", "a multiple of the identity, by the last step", InitialHessian::identity},
    {"rest", "the Hessian at rest, factored once", InitialHessian::rest},
    {"warped", "the same, turned with the surroundings of each vertex", InitialHessian::warped},
    {"start", "the Hessian at the start of each step, factored every time", InitialHessian::start},
};

struct PreconditionerEntry {
  std::string_view name, summary;
  CgPreconditioner value;
};

constexpr PreconditionerEntry kPreconditioners[] = {
    {"jacobi", "the diagonal blocks of the matrix itself", CgPreconditioner::jacobi},
    {"projective", "an incomplete factorisation of the constant matrix", CgPreconditioner::projective},
    {"rest", "an incomplete factorisation of the Hessian at rest", CgPreconditioner::rest},
};

constexpr Choice kSearches[] = {
    {"backtracking", "halves the step until the energy falls enough"},
    {"strong-wolfe", "also until the slope has fallen; a gradient more each time"},
};

constexpr Choice kGridInterpolations[] = {
    {"linear", "continuous, with kinks between cells"},
    {"cubic", "smooth: the force has no jumps; slower"},
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

constexpr Choice kMasses[] = {{"lumped", "each element's mass shared equally among its corners"},
                              {"consistent",
                               "that of the shape functions, which couples neighbours: waves travel more "
                               "accurately; without contact, or with "
                               "penalties without friction"}};

}  // namespace

std::span<const Choice> initial_choices() {
  static const std::vector<Choice> choices = to_choices(kInitials);
  return choices;
}
std::span<const Choice> preconditioner_choices() {
  static const std::vector<Choice> choices = to_choices(kPreconditioners);
  return choices;
}
std::span<const Choice> search_choices() { return kSearches; }
std::span<const Choice> mass_choices() { return kMasses; }
std::span<const Choice> norm_choices() { return kNorms; }
std::span<const Choice> failure_choices() { return kFailures; }
std::span<const Choice> interpolation_choices() { return kInterpolations; }

std::span<const Choice> body_contact_choices() { return kBodyContacts; }

std::span<const Choice> grid_choices() { return kGridInterpolations; }

std::span<const Choice> contact_choices() {
  static const std::vector<Choice> choices = to_choices(obstacle_contacts());
  return choices;
}

ContactWay contact_way(const std::string& name) { return find(obstacle_contacts(), name).way; }

std::span<const Choice> scheme_choices() {
  static const std::vector<Choice> choices = to_choices(scheme_kinds());
  return choices;
}

std::span<const Choice> solver_choices() {
  static const std::vector<Choice> choices = to_choices(solver_methods());
  return choices;
}

std::span<const Choice> material_choices() {
  static const std::vector<Choice> choices = [] {
    std::vector<Choice> all = to_choices(solid_materials());
    all.push_back(
        {kLaggedCorotated,
         "corotated with rotations fixed at the start of the step: stages are linear, fast motion of weakly "
         "damped bodies gains or loses energy"});
    all.push_back({"springs",
                   "a spring an edge of any body, and the default of thin ones, which it does not keep from "
                   "bending; poisson has no meaning"});
    return all;
  }();
  return choices;
}

Tableau to_tableau(const TableauKeys& keys) {
  Tableau tableau{.name = "runge-kutta", .summary = "", .order = 0, .a = {}, .b = keys.b, .c = keys.c};
  auto next = keys.a.begin();
  for (Index i = 1; i <= std::ssize(keys.b); next += i++) tableau.a.emplace_back(next, next + i);
  tableau.order = examine(tableau).order;
  return tableau;
}

SchemeOptions scheme_options(const TimeKeys& keys) {
  SchemeOptions options{.name = keys.scheme, .rho = keys.rho, .tableau = {}, .stiffness = keys.stiffness};
  if (keys.tableau && keys.tableau->complete()) options.tableau = to_tableau(*keys.tableau);
  return options;
}

Combination::Body parts_of(const MaterialKeys& keys) {
  Combination::Body body = parts_of(static_cast<const MaterialOptions&>(keys));
  body.consistent_mass = keys.mass == "consistent";
  body.painted = keys.young_field.has_value();
  body.tears = keys.tear.has_value();
  return body;
}

Combination::Body parts_of(const BodyKeys& keys, size_t position) {
  Combination::Body body = parts_of(keys.material);
  body.name = keys.name.empty() ? default_name("body", position) : keys.name;
  body.elements = Elements::tetrahedra;
  if (keys.shape) body.shape = keys.shape->kind;
  if (body.shape == "rectangle") body.elements = Elements::triangles;
  if (is_thin(body.shape)) body.elements = body.shape == "strand" ? Elements::strand : Elements::sheet;
  add_parts(keys.damping, body);
  return body;
}

Combination combination_of(const SceneKeys& keys) {
  Combination asked{.scheme = scheme_options(keys.time),
                    .solver = keys.solver.method,
                    .tolerance = keys.time.tolerance.has_value(),
                    .contact = contact_options(keys.contact),
                    .wind = keys.wind.has_value()};
  for (const BodyKeys& body : keys.bodies) asked.bodies.push_back(parts_of(body, asked.bodies.size()));
  for (const ObstacleKeys& obstacle : keys.obstacles)
    for (const ObstacleContact& entry :
         obstacle_contacts())  // there is a complaint already about what is no way at all
      if (entry.name == obstacle.contact) asked.obstacles.push_back({entry.way, obstacle.friction > 0});
  return asked;
}

ContactOptions contact_options(const ContactKeys& keys) {
  ContactOptions options = keys;
  options.way = keys.method == "program" ? ContactWay::program : ContactWay::penalty;
  return options;
}

SolverOptions solver_options(const SolverKeys& keys) {
  return {.method = keys.method,
          .tolerance = keys.tolerance,
          .norm = keys.norm == "velocity" ? ResidualNorm::velocity : ResidualNorm::gradient,
          .max_iterations = keys.max_iterations,
          .sigma = keys.sigma,
          .kappa = keys.kappa,
          .iterations = keys.iterations,
          .cg_iterations = keys.cg_iterations,
          .lbfgs = {.window = keys.lbfgs.window,
                    .range = {keys.lbfgs.stretch_first, keys.lbfgs.stretch_last},
                    .newton_below = keys.lbfgs.newton_below,
                    .initial = find(kInitials, keys.lbfgs.initial).value,
                    .preconditioner = find(kPreconditioners, keys.lbfgs.preconditioner).value,
                    .wolfe = keys.lbfgs.search == "strong-wolfe"},
          .safeguards = keys.safeguards};
}

}  // namespace pliant
