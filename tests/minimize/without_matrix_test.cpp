// Hessians that are given by their products alone: who needs no more takes them, who factors refuses.
#include "minimize/analytic.hpp"
#include "minimize/on_host.hpp"
#include "pliant/base/error.hpp"

namespace pliant::without_matrix_test {
namespace {

using testing::Analytic;

/// A matrix of which nobody is shown more than products and the diagonal.
class Hidden final : public Operator {
 public:
  double multiply(const Field& p, Field& Ap) const override { return matrix.multiply(p, Ap); }
  void diagonal(std::span<double> six_a_block) const override { matrix.diagonal(six_a_block); }

  BlockMatrix matrix;
};

/// At rest at all ones, where it is stiff alike in all directions.
class Unassembled final : public Analytic, public RestFrame {
 public:
  explicit Unassembled(const Analytic& f) : Analytic(f) {}

  const Operator& hessian(const Field& x, Definiteness definiteness) override {
    hidden_.matrix = *Analytic::hessian(x, definiteness).assembled();
    return hidden_;
  }
  int number() override { return 0; }
  ScalarMatrix matrix() override {
    ScalarMatrix identity(pattern_);
    for (int i = 0; i < pattern_.rows(); ++i) identity.add_diagonal(i, 1);
    return identity;
  }
  double inertia_weight() const override { return 1; }
  const Operator& rest_hessian() override {
    return hessian(Field(Vector::Ones(size())), Definiteness::clamp);
  }
  std::vector<Mat3> rotations(const Field&) const override {
    return std::vector<Mat3>(static_cast<size_t>(layout().blocks), Mat3::Identity());
  }

 private:
  BlockPattern pattern_{static_cast<int>(layout().blocks), {}};
  Hidden hidden_;
};

Vector start() { return Vector::LinSpaced(6, 0.3, 1.8); }

Vector minimum(Objective& f, const SolverOptions& options, const Vector& from) {
  Solver solver(options);
  const auto [outcome, x] = testing::solve(solver, f, {from});
  EXPECT_EQ(outcome.status, Status::converged) << options.method << ": " << name(outcome.status);
  return x;
}

TEST(WithoutMatrix, KrylovMethodsFindTheMinimumOfThoseWhoFactor) {
  Analytic with = testing::barrier(2);
  Unassembled without(with);
  const Vector expected = minimum(with, {.method = "newton-cholesky", .tolerance = 1e-10}, start());
  for (const std::string method :
       {"newton-cg", "newton-truncated", "newton-minres", "newton-plain", "gradient"})
    EXPECT_LT((minimum(without, {.method = method, .tolerance = 1e-10}, start()) - expected).norm(), 1e-8)
        << method;
}

TEST(WithoutMatrix, KrylovMethodsLeaveIndefiniteMatricesToo) {
  Analytic with = testing::rosenbrock(4);
  Unassembled without(with);
  const Vector from = Vector::Constant(12, -1.2);
  const Vector expected = minimum(with, {.method = "newton-cholesky", .tolerance = 1e-10}, from);
  for (const std::string method : {"newton-cg", "newton-truncated", "newton-minres"})
    EXPECT_LT((minimum(without, {.method = method, .tolerance = 1e-10}, from) - expected).norm(), 1e-8)
        << method;
}

TEST(WithoutMatrix, QuasiNewtonFindsItWhereItFactorsNoHessian) {
  Unassembled f(testing::barrier(2));
  for (const InitialHessian initial : {InitialHessian::identity, InitialHessian::projective}) {
    SolverOptions options{.method = "lbfgs", .tolerance = 1e-9};
    options.lbfgs.initial = initial;
    EXPECT_LT((minimum(f, options, start()) - Vector::Ones(6)).norm(), 1e-7);
  }
}

TEST(WithoutMatrix, QuasiNewtonFindsItWhereItIteratesOnTheHessianOfTheStart) {
  Unassembled f(testing::barrier(2));
  for (const CgPreconditioner with : {CgPreconditioner::jacobi, CgPreconditioner::projective}) {
    SolverOptions options{.method = "lbfgs", .tolerance = 1e-9, .cg_iterations = 10};
    options.lbfgs.initial = InitialHessian::start;
    options.lbfgs.preconditioner = with;
    EXPECT_LT((minimum(f, options, start()) - Vector::Ones(6)).norm(), 1e-7) << static_cast<int>(with);
  }
}

/// What is said to who tries.
std::string refusal(Objective& f, const SolverOptions& options) {
  Solver solver(options);
  try {
    testing::solve(solver, f, {start()});
  } catch (const InputError& refused) {
    return refused.what();
  }
  return "";
}

bool names(const std::string& message, const std::string& solver) {
  return message.find(solver) != std::string::npos;
}

TEST(WithoutMatrix, WhoFactorsRefusesByName) {
  Unassembled f(testing::barrier(2));
  for (const std::string method : {"newton-cholesky", "newton-tikhonov", "newton-residual"}) {
    const std::string message = refusal(f, {.method = method});
    EXPECT_TRUE(names(message, method)) << method << ": " << message;
  }
}

TEST(WithoutMatrix, QuasiNewtonRefusesEachStartThatFactorsAHessian) {
  Unassembled f(testing::barrier(2));
  for (const InitialHessian initial : {InitialHessian::rest, InitialHessian::warped, InitialHessian::start}) {
    SolverOptions options{.method = "lbfgs"};
    options.lbfgs.initial = initial;
    EXPECT_TRUE(names(refusal(f, options), "lbfgs")) << static_cast<int>(initial);
  }
  SolverOptions options{.method = "lbfgs", .cg_iterations = 15};
  options.lbfgs.initial = InitialHessian::start;
  options.lbfgs.preconditioner = CgPreconditioner::rest;
  EXPECT_TRUE(names(refusal(f, options), "lbfgs"));
}

TEST(WithoutMatrix, QuasiNewtonRefusesAProblemWithoutTheMatrixThatItStartsFrom) {
  Analytic f = testing::barrier(2);
  for (const InitialHessian initial :
       {InitialHessian::projective, InitialHessian::rest, InitialHessian::warped}) {
    SolverOptions options{.method = "lbfgs"};
    options.lbfgs.initial = initial;
    const std::string message = refusal(f, options);
    EXPECT_TRUE(names(message, "lbfgs")) << message;
    EXPECT_TRUE(names(message, "identity")) << "says what would do: " << message;
  }
}

}  // namespace
}  // namespace pliant::without_matrix_test
