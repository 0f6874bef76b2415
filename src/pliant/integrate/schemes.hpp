#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/integrate/stage_scheme.hpp"
#include "pliant/integrate/tableau.hpp"
#include "pliant/system/stage_solver.hpp"

namespace pliant {

/// A scheme by name.
struct SchemeKind {
  std::string_view name, summary;
  bool implicit = true;  ///< not one of those that solve for nothing, or for springs alone
};
std::vector<SchemeKind> scheme_kinds();

struct SchemeOptions {
  std::string name = "backward-euler";
  double rho = 0.8;                     ///< of generalized-alpha
  std::optional<Tableau> tableau = {};  ///< of runge-kutta
  double stiffness = 1;                 ///< of pbd
};

/// Whether steps end with a stage, so that obstacles can be constraints.
bool ends_with_a_stage(const SchemeOptions& options);

/// Whether all that it asks of forces is the answer of a stage, so that obstacles can be springs.
bool solves_every_stage(const SchemeOptions& options);

/// Whether it moves springs one by one, and nothing else.
bool moves_springs(const SchemeOptions& options);

/// Whether it has stages, which the solver that it is given solves.
bool uses_solver(const SchemeOptions& options);

/// Null where the name is of none that steps in stages.
std::unique_ptr<StageScheme> make_stage_scheme(const SchemeOptions& options);

/// The scheme of a model, all of which it steps as one. Throws InputError where no scheme has that name, or
/// where it cannot do what the model asks for.
std::unique_ptr<Scheme> make_joint_scheme(const SchemeOptions& options, const Model& model,
                                          const SolverOptions& solver);

}  // namespace pliant
