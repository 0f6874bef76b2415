#include "pliant/minimize/recipe.hpp"

#include <algorithm>
#include <iterator>

#include "pliant/base/error.hpp"
#include "pliant/minimize/directions.hpp"
#include "pliant/minimize/lbfgs.hpp"
#include "pliant/minimize/line_searches.hpp"

namespace pliant {

namespace {

template <class Search>
std::unique_ptr<LineSearch> make_search(const SolverOptions&) {
  return std::make_unique<Search>();
}

const Recipe kRecipes[] = {
    {{"newton-cg",
      "Newton with conjugate gradients, made definite where needed, and strong Wolfe search; the default"},
     [](const SolverOptions& options) -> std::unique_ptr<Direction> {
       return std::make_unique<NewtonCg>(options.sigma, Indefinite::project, options.cg_iterations);
     },
     make_search<StrongWolfe>,
     true,
     true},
    {{"newton-truncated",
      "as newton-cg with the paper's rule for indefinite matrices: the last iterate of conjugate gradients"},
     [](const SolverOptions& options) -> std::unique_ptr<Direction> {
       return std::make_unique<NewtonCg>(options.sigma, Indefinite::truncate, options.cg_iterations);
     },
     make_search<StrongWolfe>,
     true,
     false},
    {{"newton-cholesky",
      "Newton with sparse factorisation, made definite where needed, and strong Wolfe search"},
     [](const SolverOptions&) -> std::unique_ptr<Direction> { return std::make_unique<NewtonCholesky>(); },
     make_search<StrongWolfe>,
     true,
     false},
    {{"newton-tikhonov",
      "as newton-cholesky, made definite by adding to the diagonal until it is; for comparison"},
     [](const SolverOptions&) -> std::unique_ptr<Direction> { return std::make_unique<NewtonTikhonov>(); },
     make_search<StrongWolfe>,
     true,
     false},
    {{"newton-minres",
      "as newton-cg with the minimal residual method, indefinite matrices solved as they are"},
     [](const SolverOptions& options) -> std::unique_ptr<Direction> {
       return std::make_unique<NewtonMinres>(options.sigma);
     },
     make_search<StrongWolfe>,
     true,
     false},
    {{"newton-plain", "root finding by full Newton steps without any safeguard; for comparison"},
     [](const SolverOptions&) -> std::unique_ptr<Direction> { return std::make_unique<NewtonRoot>(); },
     make_search<UnitStep>,
     false,
     false},
    {{"newton-residual",
      "root finding by Newton steps that make the residual smaller, with sparse factorisations; for "
      "comparison"},
     [](const SolverOptions&) -> std::unique_ptr<Direction> { return std::make_unique<NewtonDirect>(); },
     make_search<ResidualBacktracking>,
     false,
     false},
    {{"lbfgs",
      "quasi-Newton with a constant matrix that is factored once, and backtracking: cheap iterations, for "
      "interactive rates"},
     [](const SolverOptions& options) -> std::unique_ptr<Direction> {
       auto lbfgs = std::make_unique<Lbfgs>(options.lbfgs.window, make_initial_matrix(options));
       if (!(options.lbfgs.newton_below > 0)) return lbfgs;
       return std::make_unique<Switching>(options.lbfgs.newton_below, std::move(lbfgs),
                                          std::make_unique<NewtonCholesky>());
     },
     [](const SolverOptions& options) {
       return options.lbfgs.wolfe ? make_search<StrongWolfe>(options) : make_search<Backtracking>(options);
     },
     true,
     false},
    {{"local-global",
      "projective dynamics: full steps with a constant matrix that is factored once; for springs and "
      "projective materials"},
     [](const SolverOptions&) -> std::unique_ptr<Direction> {
       return std::make_unique<Lbfgs>(0, std::make_unique<ConstantMatrix>());
     },
     make_search<UnitStep>,
     false,
     false},
    {{"gradient", "steepest descent with strong Wolfe search; for comparison"},
     [](const SolverOptions&) -> std::unique_ptr<Direction> { return std::make_unique<SteepestDescent>(); },
     make_search<StrongWolfe>,
     true,
     false},
};

constexpr SolverMethod kSafeguards[] = {
    {"guesses",
     "of several starts the lowest; also the start of the step where one is infinite or forces there throw "
     "far"},
    {"walls", "materials that forbid inversion are approached on a detour through stiffer ones"},
    {"places", "in long descents the few places that hold most of the gradient move alone"},
    {"rotations", "in long descents steps follow the rotation of bodies"},
};

}  // namespace

std::unique_ptr<InitialMatrix> make_initial_matrix(const SolverOptions& options) {
  switch (options.lbfgs.initial) {
    case InitialHessian::projective:
      break;
    case InitialHessian::identity:
      return std::make_unique<ScaledIdentity>();
    case InitialHessian::rest:
      return std::make_unique<RestHessian>(false);
    case InitialHessian::warped:
      return std::make_unique<RestHessian>(true);
    case InitialHessian::start:
      if (options.cg_iterations == 0) return std::make_unique<StartHessian>();
      return std::make_unique<StartHessianByCg>(options.cg_iterations, options.lbfgs.preconditioner);
  }
  if (options.cg_iterations > 0) return std::make_unique<ConstantMatrixByCg>(options.cg_iterations);
  if (options.lbfgs.kept) return std::make_unique<TornMatrix>(options.lbfgs.kept);
  return std::make_unique<ConstantMatrix>();
}

const Recipe& find_recipe(const std::string& method) {
  const auto recipe = std::find_if(std::begin(kRecipes), std::end(kRecipes),
                                   [&](const Recipe& candidate) { return candidate.method.name == method; });
  if (recipe == std::end(kRecipes)) throw InputError("no solver is called '" + method + "'");
  return *recipe;
}

std::vector<SolverMethod> safeguard_kinds() { return {std::begin(kSafeguards), std::end(kSafeguards)}; }

std::vector<SolverMethod> solver_methods() {
  std::vector<SolverMethod> methods;
  for (const Recipe& recipe : kRecipes) methods.push_back(recipe.method);
  return methods;
}

}  // namespace pliant
