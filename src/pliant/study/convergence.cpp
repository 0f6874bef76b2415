#include "pliant/study/convergence.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/timer.hpp"

namespace pliant {

namespace {

/// Times with breaks: what is measured stands still while a point is kept.
class Watch {
 public:
  Watch(std::vector<int> kept, std::vector<Vector>& places) : kept_(std::move(kept)), places_(places) {}

  void operator()(int iterations, const Vector& x, std::vector<ConvergencePoint>& points) {
    seconds_ += timer_.seconds();
    if (std::binary_search(kept_.begin(), kept_.end(), iterations) &&
        (points.empty() || points.back().iterations < iterations)) {
      points.push_back({.iterations = iterations, .seconds = seconds_});
      places_.push_back(x);
    }
    timer_ = Timer();
  }
  void start() {
    timer_ = Timer();
    seconds_ = 0;
  }
  /// Where it ended, whether such a point was to be kept or not.
  void end(int iterations, const Vector& x, std::vector<ConvergencePoint>& points) {
    if (!points.empty() && points.back().iterations >= iterations) return;
    points.push_back({.iterations = iterations, .seconds = seconds_ + timer_.seconds()});
    places_.push_back(x);
  }

 private:
  std::vector<int> kept_;
  std::vector<Vector>& places_;
  Timer timer_;
  double seconds_ = 0;
};

}  // namespace

std::vector<int> kept_iterations(int most) {
  std::vector<int> kept;
  constexpr int kAll = 10;
  constexpr double kGrowth = 1.15;
  for (int next = 0; next <= most;
       next = next < kAll ? next + 1 : static_cast<int>(std::lround(kGrowth * next)))
    kept.push_back(next);
  // Those that tables ask for.
  for (int power = 1; power <= most; power *= 10) kept.push_back(power);
  kept.push_back(most);
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

ConvergenceStudy::ConvergenceStudy(const Model& model, const Stage& stage) : model_(model), stage_(stage) {
  const auto is_found_anew = [](const auto& contact) { return contact->is_found_anew(); };
  if (std::any_of(model.contacts.begin(), model.contacts.end(), is_found_anew))
    throw InputError(
        "contact = \"springs\" changes the problem in each iteration, so that there is no one minimum to "
        "come "
        "closer to; use contact = \"penalty\"");
  StageSolver solver(model, {.method = "newton-cholesky", .tolerance = 1e-14, .max_iterations = 1000});
  solver.objective().begin(stage);
  const Vector guess = start();
  const Outcome outcome = solver.solve({&guess, 1}, minimum_);
  if (!is_converged(outcome.status))
    throw InputError(
        "newton-cholesky does not get to the minimum of this step, which errors are measured from");
}

/// Where inertia, gravity and other loads alone would lead.
Vector ConvergenceStudy::start() const {
  Vector x = stage_.x_a, gradient = Vector::Zero(stage_.x_a.size());
  for (const Term& term : model_.terms) {
    if (term.is_elastic()) continue;
    std::vector<double> energies(static_cast<size_t>(term.potential->contributions()));
    term.potential->evaluate(stage_.x_a, energies, &gradient);
  }
  for (Index d = 0; d < x.size(); ++d) x[d] -= gradient[d] / (stage_.c_a * model_.mass[d / 3]);
  return x;
}

Convergence ConvergenceStudy::of(SolverOptions options, int iterations) {
  options.tolerance = 1e-300;  // to the end
  options.iterations = iterations;
  StageSolver solver(model_, options);
  StageObjective& objective = solver.objective();
  const Vector guess = start();
  Vector x;
  Convergence found;
  std::vector<Vector> places;
  Watch watch(kept_iterations(iterations), places);
  // What is made once a run is made by a first iteration and not by a second.
  const auto seconds_of_one = [&] {
    solver.set_iterations(1);
    objective.begin(stage_);
    const Timer timer;
    solver.solve({&guess, 1}, x);
    return timer.seconds();
  };
  const double first = seconds_of_one(), second = seconds_of_one();
  found.prepared = std::max(0.0, first - second);
  solver.set_iterations(iterations);
  objective.begin(stage_);
  solver.set_watch([&](int done, const Field& at) { watch(done, at.host(), found.points); });
  watch.start();
  const Outcome outcome = solver.solve({&guess, 1}, x);
  watch.end(outcome.iterations, x, found.points);
  if (found.points.empty() || outcome.status == Status::not_finite)
    throw InputError("the step has no finite start");

  objective.evaluate(minimum_, nullptr);
  objective.set_reference();
  Vector gradient;
  for (size_t i = 0; i < places.size(); ++i) {
    found.points[i].error = objective.evaluate(places[i], &gradient);
    found.points[i].residual = objective.residual(gradient);
  }
  const double begin = found.points.front().error;
  if (!(begin > 0)) throw InputError("the step starts at its minimum: there is nothing to come closer to");
  for (ConvergencePoint& point : found.points) point.error /= begin;
  return found;
}

double ConvergenceStudy::condition(const SolverOptions& options) {
  constexpr Index kMost = 3000;
  StageObjective objective(model_, options.norm, options.lbfgs.range);
  objective.begin(stage_);
  const Index size = objective.size();
  if (size > kMost) throw InputError("condition numbers are for small scenes; use a coarser mesh");
  Vector x = start(), gradient;
  objective.make_feasible(x);
  objective.evaluate(x, &gradient);
  std::vector<Index> free;
  for (Index d = 0; d < size; ++d)
    if (!objective.fixed()[d]) free.push_back(d);
  if (free.empty()) throw InputError("all vertices are held: there is no condition number");

  DirectionReport report;
  const auto initial = make_initial_matrix(options);
  const Field at(x), slope(gradient);
  if (!initial->begin(objective, {at, slope, 1, 1}, report))
    throw InputError("the initial matrix is not definite");
  Eigen::MatrixXd inverse(size, size), hessian(size, size);
  Field column;
  for (Index d = 0; d < size; ++d) {
    initial->solve(Field(Vector::Unit(size, d)), column, report);
    inverse.col(d) = column.host();
  }
  const BlockMatrix& H = objective.hessian(x, Definiteness::none);
  for (Index d = 0; d < size; ++d) {
    H.multiply(Field(Vector::Unit(size, d)), column);
    hessian.col(d) = column.host();
  }
  const Eigen::MatrixXd A = 0.5 * (inverse + inverse.transpose());
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      hessian(free, free), A(free, free), Eigen::ABx_lx | Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success || !(solver.eigenvalues().minCoeff() > 0))
    throw InputError("the Hessian at the start is indefinite: it has no condition number");
  return solver.eigenvalues().maxCoeff() / solver.eigenvalues().minCoeff();
}

}  // namespace pliant
