// The keys of the solver.
#include "pliant/base/text.hpp"
#include "pliant/scene/keys.hpp"
#include "pliant/scene/registry.hpp"

namespace pliant {

void describe(Visitor& visit, LbfgsKeys& keys) {
  visit.value({.name = "window", .meaning = "how many steps are remembered", .range = at_least(0)},
              keys.window);
  visit.value({.name = "stretch_first",
               .meaning = "from which stretch on materials are taken for linear ones",
               .range = kPositive},
              keys.stretch_first);
  visit.value({.name = "stretch_last", .meaning = "up to which stretch", .range = kPositive},
              keys.stretch_last);
  visit.rule(keys.stretch_first < keys.stretch_last, "stretch_first",
             "stretch_first must be below stretch_last");
  visit.value({.name = "newton_below",
               .meaning = "from which residual on newton-cholesky takes over in the unit of norm; 0 for "
                          "never",
               .range = at_least(0)},
              keys.newton_below);
  visit.value({.name = "initial", .meaning = "what it starts from", .choices = initial_choices()},
              keys.initial);
  visit.value({.name = "preconditioner",
               .meaning = "of conjugate gradients with initial = \"start\"",
               .choices = preconditioner_choices()},
              keys.preconditioner);
  visit.value({.name = "search", .meaning = "along its directions", .choices = search_choices()},
              keys.search);
  visit.value({.name = "refresh_steps",
               .meaning = "how many steps after a tear the matrix of what has torn is taken into use, which "
                          "is factored in the background",
               .range = at_least(1)},
              keys.refresh_steps);
}

void describe(Visitor& visit, SafeguardSwitches& keys) {
  bool* const switches[] = {&keys.guesses, &keys.walls, &keys.places, &keys.rotations};
  size_t next = 0;
  for (const SolverMethod& kind : safeguard_kinds())
    visit.value({.name = kind.name, .meaning = kind.summary}, *switches[next++]);
}

void describe(Visitor& visit, SolverKeys& keys) {
  visit.value({.name = "method",
               .meaning = "how a step's minimisation problem is solved",
               .choices = solver_choices()},
              keys.method);
  visit.value(
      {.name = "tolerance", .meaning = "when a step is solved, in the unit of norm", .range = kPositive},
      keys.tolerance);
  visit.value({.name = "norm", .meaning = "what the tolerance measures", .choices = norm_choices()},
              keys.norm);
  visit.value(
      {.name = "max_iterations", .meaning = "Newton iterations a stage may take", .range = at_least(1)},
      keys.max_iterations);
  visit.value({.name = "on_failure",
               .meaning = "what follows a step that did not converge",
               .choices = failure_choices()},
              keys.on_failure);
  visit.value(
      {.name = "sigma",
       .meaning =
           "how exactly newton-cg solves its linear systems: to a relative residual of min(1/2, sigma * "
           "sqrt(max(residual, tolerance))), in long descents closer",
       .range = kPositive},
      keys.sigma);
  visit.value(
      {.name = "kappa",
       .meaning = "smallest cosine between a direction and the downhill one before the latter is used",
       .range = {.min = 0, .max = 1, .max_allowed = false}},
      keys.kappa);
  visit.value(
      {.name = "iterations",
       .meaning = "where positive, a stage takes so many iterations at most, converged or not: a cost "
                  "that is known beforehand",
       .range = at_least(0)},
      keys.iterations);
  visit.value({.name = "cg_iterations",
               .meaning = "where positive, newton-cg and newton-truncated take so many conjugate gradient "
                          "iterations at most, and lbfgs takes so many instead of factoring its matrix",
               .range = at_least(0)},
              keys.cg_iterations);
  visit.table({.name = "lbfgs", .meaning = "of lbfgs alone"}, keys.lbfgs);
  for (const std::string_view name : {"window", "stretch_first", "stretch_last", "newton_below", "initial",
                                      "preconditioner", "search", "refresh_steps"})
    visit.moved(name, "lbfgs");
  visit.table({.name = "safeguards", .meaning = "what helps descents that creep; each can be switched off"},
              keys.safeguards);
  visit.rule(
      keys.method != "lbfgs" || keys.cg_iterations == 0 || keys.lbfgs.initial == "projective" ||
          keys.lbfgs.initial == "start",
      "cg_iterations",
      format("lbfgs.initial = \"{}\" is not solved by conjugate gradients; leave cg_iterations out, or use "
             "lbfgs.initial = \"projective\" or \"start\"",
             keys.lbfgs.initial));
  // local-global takes the steps of lbfgs without a memory: it looks as if it heard these.
  const SolverKeys plain;
  const char* of_lbfgs = keys.lbfgs.window != plain.lbfgs.window               ? "lbfgs.window"
                         : keys.lbfgs.newton_below != plain.lbfgs.newton_below ? "lbfgs.newton_below"
                         : keys.lbfgs.initial != plain.lbfgs.initial           ? "lbfgs.initial"
                         : keys.lbfgs.search != plain.lbfgs.search             ? "lbfgs.search"
                         : keys.cg_iterations != plain.cg_iterations           ? "cg_iterations"
                                                                               : "";
  visit.rule(
      visit.shows_everything() || keys.method != "local-global" || *of_lbfgs == 0,
      std::string_view(of_lbfgs).starts_with("lbfgs.") ? "lbfgs" : of_lbfgs,
      format("local-global has no {}, which is for lbfgs; leave it out, or use method = \"lbfgs\" with "
             "lbfgs.window = 0, which takes the same steps and searches along them",
             of_lbfgs));
  visit.rule(
      keys.lbfgs.preconditioner == "jacobi" || (keys.lbfgs.initial == "start" && keys.cg_iterations > 0),
      "lbfgs",
      "a preconditioner is for conjugate gradients on the Hessian of the start; give lbfgs.initial = "
      "\"start\" and cg_iterations too, or leave it out");
}

}  // namespace pliant
