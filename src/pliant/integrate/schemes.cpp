#include "pliant/integrate/schemes.hpp"

#include <algorithm>
#include <iterator>

#include "pliant/base/error.hpp"
#include "pliant/integrate/bdf2.hpp"
#include "pliant/integrate/generalized_alpha.hpp"
#include "pliant/integrate/position_based.hpp"
#include "pliant/integrate/rosenbrock.hpp"
#include "pliant/integrate/runge_kutta.hpp"
#include "pliant/integrate/step_driver.hpp"
#include "pliant/integrate/symplectic_euler.hpp"

namespace pliant {

namespace {

constexpr int kSweeps = 10;  ///< of position based schemes, unless solver.iterations says another number

using Stages = std::unique_ptr<StageScheme>;

struct StageKind {
  std::string_view name, summary;
  Stages (*make)(const SchemeOptions&);
  bool implicit = true;
};

/// Those that are no Runge-Kutta schemes.
constexpr StageKind kStageKinds[] = {
    {"bdf2", "second order, one minimisation a step; starts anew after contact",
     [](const SchemeOptions&) -> Stages { return std::make_unique<Bdf2>(); }},
    {"newmark", "second order, the mean acceleration of a step; damps nothing",
     [](const SchemeOptions& options) -> Stages {
       return std::make_unique<GeneralizedAlpha>(options.name, AlphaWeights{});
     }},
    {"generalized-alpha", "second order, one minimisation a step; rho says how much fast motion is damped",
     [](const SchemeOptions& options) -> Stages {
       return std::make_unique<GeneralizedAlpha>(options.name, AlphaWeights::of(options.rho));
     }},
    {"symplectic-euler", "explicit, first order; keeps energy where steps are short enough",
     [](const SchemeOptions&) -> Stages { return std::make_unique<SymplecticEuler>(); }, false},
};

struct PositionKind {
  PositionWay way;
  std::string_view summary;
  std::string_view name = pliant::name(way);
};

constexpr PositionKind kPositionKinds[] = {
    {PositionWay::pbd,
     "position based dynamics, for springs: the more solver.iterations, the stiffer; for comparison"},
    {PositionWay::xpbd, "position based dynamics with compliance, for springs: close to backward Euler"},
    {PositionWay::step_and_project, "for springs that do not stretch, all corrected at once; for comparison"},
};

/// Null where none of them has that name.
template <class Kinds>
const auto* find(const Kinds& kinds, std::string_view name) {
  const auto found =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& kind) { return kind.name == name; });
  return found == std::end(kinds) ? nullptr : &*found;
}

}  // namespace

std::vector<SchemeKind> scheme_kinds() {
  std::vector<SchemeKind> kinds;
  const auto add = [&](const auto& all, bool implicit) {
    for (const auto& kind : all) kinds.push_back({kind.name, kind.summary, implicit});
  };
  add(tableaus(), true);
  add(explicit_tableaus(), false);
  for (const StageKind& kind : kStageKinds) kinds.push_back({kind.name, kind.summary, kind.implicit});
  add(rosenbrock_tableaus(), true);
  add(kPositionKinds, false);
  std::ranges::stable_partition(kinds, &SchemeKind::implicit);
  kinds.push_back({"runge-kutta", "the scheme of time.tableau"});
  return kinds;
}

bool ends_with_a_stage(const SchemeOptions& options) {
  if (const auto stages = make_stage_scheme(options)) return stages->offers().ends_with_stage;
  return moves_springs(options);
}

bool solves_every_stage(const SchemeOptions& options) {
  const auto stages = make_stage_scheme(options);
  return stages && stages->offers().stages_only;
}

std::unique_ptr<StageScheme> make_stage_scheme(const SchemeOptions& options) {
  if (options.name == "runge-kutta" && options.tableau) return std::make_unique<RungeKutta>(*options.tableau);
  if (const StageKind* kind = find(kStageKinds, options.name)) return kind->make(options);
  for (const std::span<const Tableau> all : {tableaus(), explicit_tableaus()})
    if (const Tableau* tableau = find(all, options.name)) return std::make_unique<RungeKutta>(*tableau);
  return nullptr;
}

bool moves_springs(const SchemeOptions& options) { return find(kPositionKinds, options.name) != nullptr; }

bool uses_solver(const SchemeOptions& options) { return make_stage_scheme(options) != nullptr; }

std::unique_ptr<Scheme> make_joint_scheme(const SchemeOptions& options, const Model& model,
                                          const SolverOptions& solver) {
  if (auto stages = make_stage_scheme(options))
    return std::make_unique<StepDriver>(model, solver, std::move(stages));
  if (const PositionKind* kind = find(kPositionKinds, options.name))
    return std::make_unique<PositionBased>(
        model, PositionBased::Options{kind->way, solver.iterations > 0 ? solver.iterations : kSweeps,
                                      options.stiffness});
  if (const RosenbrockTableau* tableau = find(rosenbrock_tableaus(), options.name))
    return std::make_unique<Rosenbrock>(model, *tableau);
  if (options.name == "runge-kutta") throw InputError("scheme runge-kutta needs time.tableau");
  throw InputError("no scheme is called '" + options.name + "'");
}

}  // namespace pliant
