#include "pliant/integrate/schemes.hpp"

#include "pliant/base/error.hpp"
#include "pliant/integrate/bdf2.hpp"
#include "pliant/integrate/generalized_alpha.hpp"
#include "pliant/integrate/position_based.hpp"
#include "pliant/integrate/rosenbrock.hpp"
#include "pliant/integrate/runge_kutta.hpp"
#include "pliant/integrate/symplectic_euler.hpp"

namespace pliant {

namespace {

constexpr int kSweeps = 10;  ///< of position based schemes, unless solver.iterations says another number

struct PositionKind {
  std::string_view name, summary;
  PositionWay way;
};

constexpr PositionKind kPositionKinds[] = {
    {"pbd", "position based dynamics, for springs: the more solver.iterations, the stiffer; for comparison",
     PositionWay::pbd},
    {"xpbd", "position based dynamics with compliance, for springs: close to backward Euler",
     PositionWay::xpbd},
    {"step-and-project", "for springs that do not stretch, all corrected at once; for comparison",
     PositionWay::step_and_project},
};

}  // namespace

std::vector<SchemeKind> scheme_kinds() {
  std::vector<SchemeKind> kinds;
  for (const Tableau& tableau : tableaus()) kinds.push_back({tableau.name, tableau.summary});
  kinds.push_back({"bdf2", "second order, one minimisation a step; starts anew after contact"});
  kinds.push_back({"newmark", "second order, the mean acceleration of a step; damps nothing"});
  kinds.push_back({"generalized-alpha",
                   "second order, one minimisation a step; rho says how much fast motion is damped"});
  for (const RosenbrockTableau& tableau : rosenbrock_tableaus())
    kinds.push_back({tableau.name, tableau.summary});
  for (const Tableau& tableau : explicit_tableaus()) kinds.push_back({tableau.name, tableau.summary, false});
  kinds.push_back(
      {"symplectic-euler", "explicit, first order; keeps energy where steps are short enough", false});
  for (const PositionKind& kind : kPositionKinds) kinds.push_back({kind.name, kind.summary, false});
  kinds.push_back({"runge-kutta", "the scheme of time.tableau"});
  return kinds;
}

bool ends_with_a_stage(const SchemeOptions& options) {
  if (options.tableau) return options.tableau->is_stiffly_accurate();
  for (const Tableau& tableau : tableaus())
    if (tableau.name == options.name) return tableau.is_stiffly_accurate();
  for (const PositionKind& kind : kPositionKinds)
    if (kind.name == options.name) return true;
  return options.name == "bdf2" || options.name == "newmark";
}

bool solves_every_stage(const SchemeOptions& options) {
  const auto solves = [](const Tableau& tableau) {
    return tableau.is_stiffly_accurate() && tableau.a[0][0] != 0;
  };
  if (options.tableau) return solves(*options.tableau);
  for (const Tableau& tableau : tableaus())
    if (tableau.name == options.name) return solves(tableau);
  return options.name == "bdf2";
}

std::unique_ptr<Scheme> make_scheme(const SchemeOptions& options, const Model& model,
                                    const SolverOptions& solver) {
  if (options.name == "runge-kutta") {
    if (!options.tableau) throw InputError("scheme runge-kutta needs time.tableau");
    return std::make_unique<RungeKutta>(model, solver, *options.tableau);
  }
  if (options.name == "bdf2") return std::make_unique<Bdf2>(model, solver);
  if (options.name == "newmark") return std::make_unique<GeneralizedAlpha>(model, solver, AlphaWeights{});
  if (options.name == "generalized-alpha")
    return std::make_unique<GeneralizedAlpha>(model, solver, AlphaWeights::of(options.rho));
  if (options.name == "symplectic-euler") return std::make_unique<SymplecticEuler>(model);
  for (const PositionKind& kind : kPositionKinds)
    if (kind.name == options.name)
      return std::make_unique<PositionBased>(
          model, PositionBased::Options{kind.way, solver.iterations > 0 ? solver.iterations : kSweeps,
                                        options.stiffness});
  for (const RosenbrockTableau& tableau : rosenbrock_tableaus())
    if (tableau.name == options.name) return std::make_unique<Rosenbrock>(model, tableau);
  return std::make_unique<RungeKutta>(model, solver, find_tableau(options.name));
}

}  // namespace pliant
