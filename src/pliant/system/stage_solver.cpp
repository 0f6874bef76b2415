#include "pliant/system/stage_solver.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "pliant/base/error.hpp"
#include "pliant/minimize/directions.hpp"
#include "pliant/minimize/lbfgs.hpp"
#include "pliant/minimize/line_searches.hpp"

namespace pliant {

namespace {

struct Recipe {
  SolverMethod method;
  std::unique_ptr<Direction> (*direction)(const SolverOptions&);
  std::unique_ptr<LineSearch> (*search)(const SolverOptions&);
  bool safeguards;           ///< downhill check, length clamp
  bool helps_long_descents;  ///< places that hold most of the gradient move alone, walls are approached on a
                             ///< detour
};

template <class Search>
std::unique_ptr<LineSearch> make_search(const SolverOptions&) {
  return std::make_unique<Search>();
}

constexpr double kExactly = 1e-4;  ///< as if close to the minimum: the direction is worth some effort
constexpr int kMostStages = 8;     ///< of a detour
constexpr int kWallPatience = 50;  ///< iterations of a descent that has met a wall

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

std::vector<SolverMethod> solver_methods() {
  std::vector<SolverMethod> methods;
  for (const Recipe& recipe : kRecipes) methods.push_back(recipe.method);
  return methods;
}

StageSolver::StageSolver(const Model& model, const SolverOptions& options)
    : objective_(model, options.norm, options.lbfgs.range) {
  const auto recipe = std::find_if(std::begin(kRecipes), std::end(kRecipes), [&](const Recipe& candidate) {
    return candidate.method.name == options.method;
  });
  if (recipe == std::end(kRecipes)) throw InputError("no solver is called '" + options.method + "'");
  if (options.method == "local-global" && !objective_.is_projective())
    throw InputError(
        "solver local-global takes full steps that are only safe for springs and projective materials, "
        "without obstacles as constraints, penalties, wind or stiffness damping; use lbfgs, which searches "
        "along them");
  direction_ = recipe->direction(options);
  search_ = recipe->search(options);
  options_.tolerance = options.tolerance;
  options_.max_iterations = options.max_iterations;
  options_.kappa = options.kappa;
  options_.iterations = options.iterations;
  options_.safeguards = recipe->safeguards;
  options_.monotone = options.method == "local-global";
  options_.relax = helps_long_descents_ = recipe->helps_long_descents;
}

Outcome StageSolver::solve(std::span<const Vector> guesses, Vector& x) {
  start_ = {};
  guessed_ = false;
  const bool soft = helps_long_descents_ && objective_.softness() > 1;
  options_.max_near_walls = soft ? kWallPatience : options_.max_iterations;
  objective_.clear_reference();
  bool all_finite = true, close = false;
  // The best informed guess comes last. One that is close needs no rival.
  constexpr double kClose = 100;
  for (auto guess = guesses.rbegin(); guess != guesses.rend() && !close; ++guess) {
    all_finite = consider(*guess, x) && all_finite;
    close = guessed_ && objective_.residual(gradient_) < kClose * options_.tolerance;
  }
  // A guess across the wall of a material that forbids inversion says that the other one may be close to it;
  // one that forces throw far back, that it went too far.
  if (!all_finite || (helps_long_descents_ && !close && went_too_far()))
    consider(objective_.stage().x_step, x);
  if (!guessed_ && !approach(x)) {
    objective_.stiffen(1);
    x = objective_.stage().x_step;
    start_.status = Status::not_finite;
    return start_;
  }
  Outcome outcome;
  if (guessed_) outcome = descend(objective_, *direction_, *search_, options_, x, &gradient_);
  const bool ended = is_converged(outcome.status) || outcome.status == Status::as_asked;
  const bool at_walls = !ended && outcome.met_infinity;
  if (!guessed_ || (soft && at_walls)) descend_near_walls(x, outcome);
  start_.indefinite = 0;  // of directions that were no iterations
  outcome.count(start_);
  return outcome;
}

/// Where a soft material is pressed against its wall by far stronger forces, the minimum is close to the
/// wall in many elements, and a direct descent runs into one of them after the other. As in interior point
/// methods the way there leads through the minima of easier problems: the material counts more than it
/// should, then less and less so.
void StageSolver::descend_near_walls(Vector& x, Outcome& outcome) {
  // Who asked for a number of iterations pays for one descent.
  const bool may_detour = helps_long_descents_ && options_.iterations == 0;
  const double softness = may_detour ? objective_.softness() : 1;
  int stages = std::clamp(static_cast<int>(std::ceil(std::log10(softness))), 0, kMostStages);
  const Vector direct = outcome.iterations > 0 ? x : Vector();
  const double direct_residual = outcome.residual;
  if (direct.size() == 0) {
    objective_.stiffen(1);
    Vector gradient;
    evaluate(x, &gradient);
    outcome.first_residual = objective_.residual(gradient);
  }
  for (; stages >= 0; --stages) {
    objective_.stiffen(std::pow(10, stages));
    DescentOptions options = options_;
    options.max_iterations -= outcome.iterations;
    options.max_near_walls = options.max_iterations;
    if (stages > 0) {
      options.max_iterations = std::min(options.max_iterations / (stages + 1), kWallPatience);
      options.relax = false;
    }
    const Outcome part = descend(objective_, *direction_, *search_, options, x);
    outcome.count(part);
    outcome.iterations += part.iterations;
    outcome.status = part.status;
    outcome.residual = part.residual;
  }
  // Where even that does not end, the direct descent may have come lower.
  if (!is_converged(outcome.status) && direct.size() > 0 && evaluate(direct, nullptr) < 0) {
    x = direct;
    outcome.residual = direct_residual;
  }
}

/// Makes the guess the start if it is lower than the one so far; false where it is infinite.
bool StageSolver::consider(const Vector& guess, Vector& x) {
  scratch_ = guess;
  objective_.make_feasible(scratch_);
  const double difference = evaluate(scratch_, &scratch_gradient_);
  if (!std::isfinite(difference)) return false;
  if (guessed_ && difference >= 0) return true;
  guessed_ = true;
  objective_.set_reference();
  x.swap(scratch_);
  gradient_.swap(scratch_gradient_);
  return true;
}

/// Whether the forces at the best guess would change velocities by far more than it takes to stay where the
/// step began, as in a tangle that explodes; in a mere collision they do so by a few times.
bool StageSolver::went_too_far() {
  constexpr double kFar = 1000;
  const Stage& stage = objective_.stage();
  scratch_ = objective_.metric().cwiseProduct(stage.x_step - stage.x_a);
  const std::span<const char> fixed = objective_.fixed();
  for (Index d = 0; d < scratch_.size(); ++d)
    if (fixed[d]) scratch_[d] = 0;
  return objective_.residual(gradient_) > kFar * objective_.residual(scratch_);
}

double StageSolver::evaluate(const Vector& x, Vector* gradient) {
  ++start_.evaluations;
  return objective_.evaluate(x, gradient);
}

bool StageSolver::approach(Vector& x) {
  // Materials that forbid inversion can make every guess infinite. The start of the step is finite; scripted
  // vertices go from there towards their places as far as the energy stays finite, again and again, and the
  // others follow by Newton's method.
  if (helps_long_descents_) objective_.stiffen(std::max(1.0, objective_.softness()));
  x = objective_.stage().x_step;
  objective_.project(x);
  Vector target = x;
  objective_.make_feasible(target);
  Vector way, gradient, step;
  constexpr int kIterations = 200;
  for (int i = 0; i < kIterations; ++i) {
    if (!std::isfinite(evaluate(x, &gradient))) return false;
    for (Index d = 0; d < x.size(); ++d)
      if (!objective_.fixed()[d]) target[d] = x[d];
    if (std::isfinite(evaluate(target, nullptr))) {
      x = target;
      return true;
    }
    way = target - x;
    add_push(x, way, gradient);
    const DirectionReport report = direction_->compute(objective_, {x, gradient, kExactly, kExactly}, step);
    start_.count(report);
    if (!report.failed && step.allFinite()) way += step;
    if (!go_while_finite(x, way)) return false;
  }
  return false;
}

/// The force on free vertices once others have gone all their way, to first order.
void StageSolver::add_push(const Vector& x, const Vector& way, Vector& gradient) {
  const double little = std::min(1.0, 1e-10 * objective_.longest_step() / way.lpNorm<Eigen::Infinity>());
  Vector pushed;
  if (std::isfinite(evaluate(x + little * way, &pushed))) gradient += (pushed - gradient) / little;
}

/// Goes all the way, or half of as far as can be gone: closer to the wall the next step would be tiny.
bool StageSolver::go_while_finite(Vector& x, const Vector& way) {
  scratch_ = x + way;
  objective_.make_feasible(scratch_);  // exactly
  if (std::isfinite(evaluate(scratch_, nullptr))) {
    x = scratch_;
    return true;
  }
  bool further = false;  // a finite point lies further on
  for (double share = 0.5; share > 1e-9; share /= 2) {
    scratch_ = x + share * way;
    objective_.project(scratch_);
    const bool finite = std::isfinite(evaluate(scratch_, nullptr));
    if (finite && further) {
      x = scratch_;
      return true;
    }
    further = finite;
  }
  return false;
}

}  // namespace pliant
