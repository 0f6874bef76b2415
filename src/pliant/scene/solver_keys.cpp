// The keys of the solver.
#include "pliant/base/text.hpp"
#include "pliant/scene/keys.hpp"
#include "pliant/scene/registry.hpp"

namespace pliant {

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
  visit.value({.name = "window", .meaning = "how many steps lbfgs remembers", .range = at_least(0)},
              keys.window);
  visit.value({.name = "stretch_first",
               .meaning = "from which stretch on lbfgs takes materials for linear ones",
               .range = kPositive},
              keys.stretch_first);
  visit.value({.name = "stretch_last", .meaning = "up to which stretch", .range = kPositive},
              keys.stretch_last);
  visit.rule(keys.stretch_first < keys.stretch_last, "stretch_first",
             "stretch_first must be below stretch_last");
  visit.value(
      {.name = "newton_below",
       .meaning = "from which residual on newton-cholesky takes over from lbfgs, in the unit of norm; 0 for "
                  "never",
       .range = at_least(0)},
      keys.newton_below);
  visit.value({.name = "initial", .meaning = "what lbfgs starts from", .choices = initial_choices()},
              keys.initial);
  visit.value({.name = "cg_iterations",
               .meaning = "where positive, newton-cg and newton-truncated take so many conjugate gradient "
                          "iterations at most, and lbfgs takes so many instead of factoring its matrix",
               .range = at_least(0)},
              keys.cg_iterations);
  visit.value({.name = "preconditioner",
               .meaning = "of conjugate gradients in lbfgs with initial = \"start\"",
               .choices = preconditioner_choices()},
              keys.preconditioner);
  visit.value({.name = "search", .meaning = "along the directions of lbfgs", .choices = search_choices()},
              keys.search);
  visit.value(
      {.name = "refresh_steps",
       .meaning = "how many steps after a tear lbfgs takes the matrix of what has torn into use, which "
                  "is factored in the background",
       .range = at_least(1)},
      keys.refresh_steps);
  visit.rule(keys.method != "lbfgs" || keys.cg_iterations == 0 || keys.initial == "projective" ||
                 keys.initial == "start",
             "cg_iterations",
             format("initial = \"{}\" is not solved by conjugate gradients; leave cg_iterations out, or use "
                    "initial = \"projective\" or \"start\"",
                    keys.initial));
  // local-global takes the steps of lbfgs without a memory: it looks as if it heard these.
  const SolverKeys plain;
  const char* of_lbfgs = keys.window != plain.window                 ? "window"
                         : keys.newton_below != plain.newton_below   ? "newton_below"
                         : keys.initial != plain.initial             ? "initial"
                         : keys.search != plain.search               ? "search"
                         : keys.cg_iterations != plain.cg_iterations ? "cg_iterations"
                                                                     : "";
  visit.rule(
      visit.shows_everything() || keys.method != "local-global" || *of_lbfgs == 0, of_lbfgs,
      format("local-global has no {}, which is for lbfgs; leave it out, or use method = \"lbfgs\" with "
             "window = 0, which takes the same steps and searches along them",
             of_lbfgs));
  visit.rule(keys.preconditioner == "jacobi" || (keys.initial == "start" && keys.cg_iterations > 0),
             "preconditioner",
             "a preconditioner is for conjugate gradients on the Hessian of the start; give initial = "
             "\"start\" and cg_iterations too, or leave it out");
}

}  // namespace pliant
