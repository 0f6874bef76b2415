#include "pliant/minimize/lbfgs.hpp"

#include <Eigen/SVD>

#include "dense.hpp"
#include "errors.hpp"
#include "integrate/scenes.hpp"
#include "minimize/on_host.hpp"
#include "pliant/base/error.hpp"
#include "pliant/integrate/schemes.hpp"
#include "pliant/kernel/linear_fit.hpp"
#include "pliant/kernel/neo_hookean.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh/cloth.hpp"
#include "pliant/potential/springs.hpp"
#include "pliant/system/stage_solver.hpp"
#include "test_names.hpp"

namespace pliant::lbfgs_test {
namespace {

using testing::Cube;
using testing::CubeOptions;
using testing::random_vector;

constexpr double kStep = 1.0 / 30;

TEST(LinearFit, NeoHookeanHasTheStiffnessOfTheThesis) {
  // liu-2018, section 8.1, with exact integrals; the thesis prints what 41 samples give.
  EXPECT_NEAR(fitted_stiffness(NeoHookean(), {1, 0}, {0.8, 1.2}), 2.0247, 5e-5);
  EXPECT_NEAR(fitted_stiffness(NeoHookean(), {0, 1}, {0.8, 1.2}), 1.0456, 5e-5);
  for (const auto& [moduli, printed] : {std::pair(LameOf<double>{1, 0}, 2.0260), {{0, 1}, 1.0480}}) {
    double product = 0, square = 0;
    for (int i = 0; i <= 40; ++i) {
      const double s = 0.8 + 0.01 * i;
      product += (s - 1) * NeoHookean::gradient(moduli, Small3<double>{s, 1, 1})[0];
      square += (s - 1) * (s - 1);
    }
    EXPECT_NEAR(product / square, printed, 5e-5);
  }
}

/// A stage of a cube that is pulled, and where different solvers end up.
struct Problem {
  Cube cube;
  explicit Problem(const CubeOptions& options) : cube(options) {}

  Vector minimum(const SolverOptions& options, Outcome* outcome = nullptr) {
    State state = cube.state;
    BackwardEuler scheme(cube.model, options);
    const StepReport report = scheme.step(state, kStep);
    if (outcome) *outcome = report.outcome;
    return state.x;
  }
};

class EveryMaterial : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> all_materials() {
  std::vector<std::string> names;
  for (const SolidMaterial& solid : solid_materials()) names.emplace_back(solid.name);
  return names;
}

TEST_P(EveryMaterial, HasTheSameMinimumByQuasiNewtonAsByNewton) {
  Problem problem({.cells = 3, .material = GetParam(), .young = 1e4, .push = 0.2});
  const Vector newton = problem.minimum({.method = "newton-cholesky", .tolerance = 1e-11});
  Outcome outcome;
  const Vector quasi =
      problem.minimum({.method = "lbfgs", .tolerance = 1e-10, .max_iterations = 3000}, &outcome);
  EXPECT_TRUE(is_converged(outcome.status)) << name(outcome.status) << " " << outcome.residual;
  EXPECT_LT((newton - quasi).norm(), 1e-8 * newton.norm());
}

INSTANTIATE_TEST_SUITE_P(Materials, EveryMaterial, ::testing::ValuesIn(all_materials()),
                         [](const auto& made) { return testing::as_test_name(made.param); });

/// A cube that is pushed in and whose energy is a squared distance to a set.
struct ProjectiveCube {
  Cube cube;

  explicit ProjectiveCube(const std::string& kind)
      : cube({.cells = 3,
              .material = kind == "strain-limited" ? kind : "as-rigid-as-possible",
              .young = 1e4,
              .push = 0.3}) {
    Model& model = cube.model;
    const TetMesh& rest = model.bodies[0].rest;
    if (kind == "springs") model.terms[0].potential = make_springs(rest, 0, 1e4);
    if (kind == "volume")
      model.terms.push_back({"cube", kElasticEnergy, make_volume_solid(rest, 0, {.mu = 1e4})});
    model.finish();
  }
};

/// Cloth of springs, along edges and across them, that two corners hold and one pushes towards the others.
struct SpringCloth {
  Model model;
  State state;

  SpringCloth() {
    model.bodies.push_back(
        {"cloth", make_sheet(make_cloth_rectangle({.size = {1, 1}, .cells = {6, 6}}), 1e-3), 0});
    const TetMesh& rest = model.bodies[0].rest;
    const std::vector<double> masses = lumped_masses(rest, 1000);
    model.mass = Eigen::Map<const Vector>(masses.data(), std::ssize(masses));
    model.terms.push_back({"cloth", kElasticEnergy, make_springs(rest, 0, 1e5)});
    model.terms.push_back({"cloth", kElasticEnergy, make_bending_springs(rest, 0, 1)});
    model.terms.push_back(
        {"", kGravitationalEnergy, std::make_unique<Gravity>(model.mass, Vec3(0, -9.81, 0))});
    Motion push;
    push.keys = {{0, Vec3::Zero(), 0}, {kStep, Vec3(0.2, 0, 0), 0}};
    for (int i = 0; i < std::ssize(rest.vertices); ++i) {
      const Vec3& X = rest.vertices[i];
      if (std::abs(X.x()) < 0.49 || std::abs(X.z()) < 0.49 || X.x() * X.z() > 0.1) continue;
      model.scripts.push_back({{i}, {X}, X.x() < 0 ? push : Motion()});
    }
    model.finish();
    state.x = testing::positions(rest);
    state.v = Vector::Zero(state.x.size());
  }
};

/// Descends by full steps with the constant matrix A from where the stage begins, and checks each of them.
/// Where the energy is a squared distance to a set, it is below E + g.s + s.As/2 everywhere, so that a step
/// s = -A^-1 g lowers it by half of what the slope promises or more (liu-2018, Eq. 6.1).
void expect_to_fall(const Model& model, const State& state) {
  BackwardEuler scheme(model, {});
  StageObjective objective(model, ResidualNorm::velocity);
  objective.begin(scheme.first_stage(state, kStep));
  ASSERT_TRUE(objective.is_projective());
  Vector x = objective.stage().x_a, gradient, step;
  objective.make_feasible(x);
  objective.evaluate(x, &gradient);
  objective.set_reference();
  const double first = objective.residual(gradient);
  Lbfgs projective(0, std::make_unique<ConstantMatrix>());
  double fallen = 0, promised = 0;
  constexpr double kSingle = 1e-4;  // of the factor
  for (int i = 1; i <= 60; ++i) {
    testing::compute(projective, objective, {x, gradient, 1, 1, i}, step);
    x += step;
    const double half = gradient.dot(step) / 2;
    const Change change = testing::evaluate(objective, x, gradient);
    EXPECT_LE(change.difference, (1 - kSingle) * half + change.noise) << i;
    fallen += change.difference;
    promised += half;
    objective.set_reference();
  }
  EXPECT_LT(promised, -1e-2) << "J; there was something to gain";
  EXPECT_LT(fallen, (1 - kSingle) * promised);
  EXPECT_LT(objective.residual(gradient), 0.2 * first);
}

class EveryProjectiveEnergy : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryProjectiveEnergy, FallsWithEveryStepOfLocalGlobal) {
  const ProjectiveCube problem(GetParam());
  expect_to_fall(problem.cube.model, problem.cube.state);
}

TEST_P(EveryProjectiveEnergy, HasTheSameMinimumByEverySolver) {
  const ProjectiveCube problem(GetParam());
  const auto minimum = [&](const std::string& method, double tolerance) {
    State state = problem.cube.state;
    BackwardEuler scheme(problem.cube.model,
                         {.method = method, .tolerance = tolerance, .max_iterations = 20000});
    const StepReport report = scheme.step(state, kStep);
    EXPECT_TRUE(is_converged(report.outcome.status)) << method << ": " << name(report.outcome.status);
    return state.x;
  };
  const Vector newton = minimum("newton-cholesky", 1e-12);
  EXPECT_GT((newton - problem.cube.state.x).norm(), 0.1);
  for (const std::string method : {"local-global", "lbfgs", "newton-cg"})
    EXPECT_LT((minimum(method, 1e-11) - newton).norm(), 1e-8 * newton.norm()) << method;
}

INSTANTIATE_TEST_SUITE_P(Energies, EveryProjectiveEnergy,
                         ::testing::Values("as-rigid-as-possible", "strain-limited", "volume", "springs"),
                         [](const auto& made) { return testing::as_test_name(made.param); });

TEST(ClothOfSprings, FallsWithEveryStepOfLocalGlobal) {
  const SpringCloth cloth;
  expect_to_fall(cloth.model, cloth.state);
}

TEST(LocalGlobal, RefusesWhatItsStepsAreNotSafeFor) {
  Problem problem({.cells = 1, .material = "neo-hookean"});
  EXPECT_ERROR(InputError, "solver local-global takes full steps",
               StageSolver(problem.cube.model, {.method = "local-global"}));
}

/// Projective dynamics as the thesis writes it, with dense matrices: (M/h^2 + L) x = M/h^2 y + J p, over the
/// vertices that no script holds.
struct DenseProjective {
  Eigen::MatrixXd A;    ///< a number for each pair of vertices
  Eigen::MatrixXd rhs;  ///< three a vertex

  DenseProjective(const Model& model, const Stage& stage) {
    const Index n = model.mass.size();
    A = stage.c_a * model.mass.asDiagonal().toDenseMatrix();
    rhs = stage.c_a * model.mass.asDiagonal() *
          Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>>(stage.x_a.data(), n, 3);
  }
  /// Eq. 6.7 with projections to SO(3) of the deformation gradients at x.
  void add_rotations(const TetMesh& rest, double mu, const Vector& x) {
    for (const auto& tet : rest.tets) {
      Mat3 Dm, Ds;
      for (int k = 0; k < 3; ++k) {
        Dm.col(k) = rest.vertices[tet[k + 1]] - rest.vertices[tet[0]];
        Ds.col(k) = x.segment<3>(3 * tet[k + 1]) - x.segment<3>(3 * tet[0]);
      }
      Eigen::Matrix<double, 4, 3> G;  // gradients of the shape functions
      G.bottomRows<3>() = Dm.inverse();
      G.row(0) = -G.bottomRows<3>().colwise().sum();
      const Eigen::JacobiSVD<Mat3> svd(Ds * Dm.inverse(), Eigen::ComputeFullU | Eigen::ComputeFullV);
      const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant();
      const Mat3 R = svd.matrixU() * Vec3(1, 1, sign).asDiagonal() * svd.matrixV().transpose();
      const double weight = 2 * mu * Dm.determinant() / 6;
      for (int i = 0; i < 4; ++i) {
        rhs.row(tet[i]) += weight * (R * G.row(i).transpose()).transpose();
        for (int j = 0; j < 4; ++j) A(tet[i], tet[j]) += weight * G.row(i).dot(G.row(j));
      }
    }
  }
  /// Eq. 5.9 with the springs' directions at x.
  void add_springs(const Potential& potential, const Vector& x) {
    for (const auto& [a, b, stiffness, length] : springs_of(potential)) {
      const Vec3 p = length * (x.segment<3>(3 * a) - x.segment<3>(3 * b)).normalized();
      rhs.row(a) += stiffness * p.transpose();
      rhs.row(b) -= stiffness * p.transpose();
      A(a, a) += stiffness;
      A(b, b) += stiffness;
      A(a, b) -= stiffness;
      A(b, a) -= stiffness;
    }
  }
  Vector solve(std::span<const char> fixed, const Vector& x) const {
    Eigen::MatrixXd reduced = A, right = rhs;
    for (Index i = 0; i < A.rows(); ++i) {
      if (!fixed[3 * i]) continue;
      reduced.row(i).setZero();
      reduced(i, i) = 1;
      right.row(i) = x.segment<3>(3 * i).transpose();
    }
    const Eigen::MatrixXd places = testing::solve(reduced, right);
    Vector next(x.size());
    for (Index i = 0; i < A.rows(); ++i) next.segment<3>(3 * i) = places.row(i).transpose();
    return next;
  }
};

/// One iteration by name is what the thesis says, to the single precision of the factor.
template <class Add>
void expect_projective_step(const Model& model, const State& state, Add add) {
  for (const std::string method : {"local-global", "lbfgs"}) {
    StageSolver solver(model, {.method = method, .iterations = 1, .lbfgs = {.window = 0}});
    StageObjective& objective = solver.objective();
    objective.begin(BackwardEuler(model, {}).first_stage(state, kStep));
    Vector start = state.x + 0.05 * random_vector(state.x.size(), 3), x;
    objective.make_feasible(start);
    const Outcome outcome = solver.solve(std::array{start}, x);
    EXPECT_EQ(outcome.iterations, 1);
    DenseProjective dense(model, objective.stage());
    add(dense, start);
    const Vector expected = dense.solve(objective.fixed(), start);
    EXPECT_GT((expected - start).norm(), 0.1) << method;
    EXPECT_LT((x - expected).norm(), 1e-5 * (expected - start).norm()) << method;
  }
}

TEST(ProjectiveStep, IsThatOfTheThesisForRotations) {
  const ProjectiveCube problem("as-rigid-as-possible");
  const TetMesh& rest = problem.cube.model.bodies[0].rest;
  expect_projective_step(problem.cube.model, problem.cube.state,
                         [&](DenseProjective& dense, const Vector& x) {
                           dense.add_rotations(rest, testing::sample_moduli(1e4).mu, x);
                         });
}

TEST(ProjectiveStep, IsThatOfTheThesisForSprings) {
  SpringCloth cloth;
  cloth.model.terms.pop_back();  // without gravity
  cloth.model.finish();
  expect_projective_step(cloth.model, cloth.state, [&](DenseProjective& dense, const Vector& x) {
    for (const Term& term : cloth.model.terms) dense.add_springs(*term.potential, x);
  });
}

TEST(Lbfgs, RemembersWhatMakesItFaster) {
  Problem problem({.cells = 4, .material = "neo-hookean", .young = 1e4, .push = 0.2});
  const auto residual = [&](int window) {
    Outcome outcome;
    LbfgsOptions options{.window = window};
    problem.minimum({.method = "lbfgs", .tolerance = 1e-12, .iterations = 20, .lbfgs = options}, &outcome);
    EXPECT_EQ(outcome.iterations, 20);
    EXPECT_EQ(name(outcome.status), "as-asked");
    return outcome.residual;
  };
  EXPECT_LT(residual(5), 0.2 * residual(0));
}

TEST(Lbfgs, HandsOverToNewtonWhereverTheDescentStarts) {
  Problem problem({.cells = 3, .material = "neo-hookean", .young = 1e4, .push = 0.2});
  const Vector newton = problem.minimum({.method = "newton-cholesky", .tolerance = 1e-11});
  // From the start, in between, and never.
  for (const double below : {1e9, 1e-2, 1e-30}) {
    SolverOptions options{.method = "lbfgs", .tolerance = 1e-10, .max_iterations = 3000};
    options.lbfgs.newton_below = below;
    Outcome outcome;
    const Vector x = problem.minimum(options, &outcome);
    EXPECT_TRUE(is_converged(outcome.status)) << below;
    EXPECT_LT((x - newton).norm(), 1e-8 * newton.norm()) << below;
  }
}

TEST(Lbfgs, ForgetsWhereContactsAreNew) {
  Problem problem({.cells = 2, .material = "neo-hookean", .young = 1e4, .push = 0.2});
  BackwardEuler scheme(problem.cube.model, {});
  StageObjective objective(problem.cube.model, ResidualNorm::velocity);
  objective.begin(scheme.first_stage(problem.cube.state, 1.0 / 30));
  Vector x = objective.stage().x_a, gradient, step, after;
  objective.make_feasible(x);
  objective.evaluate(x, &gradient);
  const auto second_step = [&](double renewed, int window) {
    Lbfgs lbfgs(window, std::make_unique<ConstantMatrix>());
    testing::compute(lbfgs, objective, {x, gradient, 1, 1, 1}, step);
    objective.evaluate(x + step, &after);
    if (lbfgs.learns()) testing::learn(lbfgs, step, gradient, after);
    Vector next;
    testing::compute(lbfgs, objective, {x, after, 1, 1, 2, renewed}, next);
    return next;
  };
  EXPECT_EQ(second_step(1, 5), second_step(0, 0)) << "all are new: nothing is remembered";
  EXPECT_NE(second_step(0, 5), second_step(0, 0));
}

/// Two stages of one length; two of different lengths; c_a and c_v that are not tied to each other.
class EveryKindOfStage : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryKindOfStage, IsSolvedAsByNewton) {
  Problem problem({.cells = 3,
                   .material = "stable-neo-hookean",
                   .young = 1e4,
                   .push = 0.2,
                   .stiffness_damping = 0.01,
                   .mass_damping = 0.5});
  const auto after = [&](const std::string& method) {
    State state = problem.cube.state;
    const auto scheme = make_joint_scheme({.name = GetParam()}, problem.cube.model,
                                          {.method = method, .tolerance = 1e-9, .max_iterations = 3000});
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(is_converged(scheme->step(state, 0.02).outcome.status));
    return state.x;
  };
  const Vector newton = after("newton-cholesky");
  EXPECT_LT((newton - after("lbfgs")).norm(), 1e-8 * newton.norm());
}

INSTANTIATE_TEST_SUITE_P(Schemes, EveryKindOfStage,
                         ::testing::Values("sdirk2", "tr-bdf2-b", "generalized-alpha"),
                         [](const auto& made) { return testing::as_test_name(made.param); });

}  // namespace
}  // namespace pliant::lbfgs_test
