#include "pliant/system/stage_objective.hpp"

#include "derivative_checker.hpp"
#include "integrate/scenes.hpp"
#include "pliant/potential/lagged_solid.hpp"

namespace pliant::stage_objective_test {
namespace {

using testing::Cube;
using testing::random_vector;

struct Begun {
  Cube cube{{.gravity = Vec3(0, -9.81, 0),
             .pull = true,
             .stiffness_damping = 0.01,
             .mass_damping = 0.1,
             .attach = true}};
  StageObjective objective;
  Vector x;

  explicit Begun(ResidualNorm norm = ResidualNorm::velocity) : objective(cube.model, norm) {
    BackwardEuler scheme(cube.model, {});
    cube.state.v = random_vector(cube.state.v.size(), 1);
    objective.begin(scheme.first_stage(cube.state, 0.04));
    x = cube.state.x + 0.02 * random_vector(cube.state.x.size(), 2);
    objective.place_scripted(x);
  }
  Vector free_direction(unsigned seed) const {
    Vector d = random_vector(x.size(), seed);
    for (Index i = 0; i < d.size(); ++i)
      if (objective.fixed()[i]) d[i] = 0;
    return d;
  }
};

TEST(StageObjective, GradientMatchesDifferencesOfValue) {
  Begun s;
  Vector g;
  s.objective.evaluate(s.x, &g);
  s.objective.set_reference();
  const Vector d = s.free_direction(3);
  EXPECT_TRUE(testing::check_derivative(
      [&](double t) { return Vector::Constant(1, s.objective.evaluate(s.x + t * d, nullptr)); },
      Vector::Constant(1, g.dot(d))));
}

void expect_hessian_of_gradient(Begun& s) {
  const Vector d = s.free_direction(4);
  Vector slope;
  s.objective.hessian(s.x, Definiteness::none).multiply(d, slope);
  const auto gradient = [&](double t) {
    Vector g;
    s.objective.evaluate(s.x + t * d, &g);
    return g;
  };
  EXPECT_TRUE(testing::check_derivative(gradient, slope, {.step = 1e-4}));
}

TEST(StageObjective, HessianMatchesDifferencesOfGradient) {
  Begun s;
  expect_hessian_of_gradient(s);
}

TEST(StageObjective, StaysConsistentWhenStiffened) {
  Begun s;
  Vector plain, g;
  s.objective.evaluate(s.x, &plain);
  const double softness = s.objective.softness();
  s.objective.stiffen(1e3);
  s.objective.evaluate(s.x, &g);
  s.objective.set_reference();
  EXPECT_GT((g - plain).norm(), 10 * plain.norm());
  const Vector d = s.free_direction(3);
  EXPECT_TRUE(testing::check_derivative(
      [&](double t) { return Vector::Constant(1, s.objective.evaluate(s.x + t * d, nullptr)); },
      Vector::Constant(1, g.dot(d))));
  expect_hessian_of_gradient(s);
  EXPECT_EQ(s.objective.softness(), softness) << "is of the stage, not of the way to its minimum";
  s.objective.begin(s.objective.stage());
  s.objective.evaluate(s.x, &g);
  EXPECT_EQ(g, plain) << "the next stage has its own stiffness";
}

TEST(StageObjective, IsSofterTheSofterTheMaterialAndTheShorterTheStep) {
  const auto softness = [](double young, double dt) {
    Cube cube({.young = young});
    StageObjective objective(cube.model, ResidualNorm::velocity);
    objective.begin(BackwardEuler(cube.model, {}).first_stage(cube.state, dt));
    return objective.softness();
  };
  const double one = softness(1e4, 0.01);
  EXPECT_NEAR(softness(1e2, 0.01), 100 * one, 1e-6 * one);
  EXPECT_NEAR(softness(1e4, 0.001), 100 * one, 1e-6 * one);
}

TEST(StageObjective, ScriptedVerticesHaveNoGradientAndStandWhereTheScriptSays) {
  Begun s;
  Vector g;
  s.objective.evaluate(s.x, &g);
  int scripted = 0;
  for (Index i = 0; i < g.size(); ++i) {
    if (!s.objective.fixed()[i]) continue;
    ++scripted;
    EXPECT_EQ(g[i], 0);
  }
  EXPECT_EQ(scripted, 2 * 9 * 3);
  const int pulled = s.cube.model.scripts[1].vertices[0];
  EXPECT_NEAR(s.x[3 * pulled], 0.5 + 0.5 * 0.04, 1e-15);
}

TEST(StageObjective, DifferencesKeepTheirDigitsBesideALargeTotal) {
  // Values are measured from the reference element by element: a tiny move is seen although the total is
  // huge.
  Begun s;
  Vector g;
  s.objective.evaluate(s.x, &g);
  s.objective.set_reference();
  const Vector d = s.free_direction(5);
  const double t = 1e-9;
  EXPECT_NEAR(s.objective.evaluate(s.x + t * d, nullptr), t * g.dot(d), 1e-4 * t * std::abs(g.dot(d)));
}

TEST(StageObjective, EnergiesAreThoseOfThePointLastEvaluatedWhateverTheReference) {
  Begun s;
  Vector g;
  const auto energies = [&] {
    const auto span = s.objective.energies_of(0);
    return std::vector<double>(span.begin(), span.end());
  };
  const Vector elsewhere = s.x + 0.01 * s.free_direction(6);
  const double first = s.objective.evaluate(s.x, &g);
  const std::vector<double> here = energies();
  s.objective.set_reference();
  s.objective.set_reference();
  EXPECT_EQ(energies(), here);
  const double away = s.objective.evaluate(elsewhere, &g);
  const std::vector<double> there = energies();
  EXPECT_NE(there, here);
  s.objective.set_reference();
  EXPECT_EQ(energies(), there);
  EXPECT_NEAR(s.objective.evaluate(s.x, &g), -away, 1e-12 * std::abs(first));
  s.objective.set_reference();
  s.objective.begin(s.objective.stage());
  EXPECT_EQ(energies(), here);
  EXPECT_EQ(s.objective.evaluate(s.x, &g), first) << "values of a stage are measured from zero";
}

TEST(StageObjective, VelocityResidualDoesNotDependOnMeshSizeOrUnits) {
  // The same uniform velocity error gives the same number on a coarse and a fine mesh, and for any density.
  const auto residual_of_error = [](int cells, double density_factor) {
    Cube cube({.cells = cells});
    cube.model.mass *= density_factor;
    StageObjective objective(cube.model, ResidualNorm::velocity);
    BackwardEuler scheme(cube.model, {});
    objective.begin(scheme.first_stage(cube.state, 0.04));
    // Rigidly displaced by dt times the error: only inertia resists.
    Vector x = cube.state.x, g;
    for (Index i = 0; i < x.size(); i += 3) x.segment<3>(i) += 0.04 * Vec3(0, 0.25, 0);
    objective.evaluate(x, &g);
    return objective.residual(g);
  };
  EXPECT_NEAR(residual_of_error(2, 1), 0.25, 1e-10);
  EXPECT_NEAR(residual_of_error(5, 1), 0.25, 1e-10);
  EXPECT_NEAR(residual_of_error(2, 1000), 0.25, 1e-10);
}

TEST(StageObjective, GradientResidualIsThePlainNorm) {
  Begun s(ResidualNorm::gradient);
  Vector g;
  s.objective.evaluate(s.x, &g);
  EXPECT_NEAR(s.objective.residual(g), g.norm(), 1e-12 * g.norm());
}

/// The constant matrix of a stage, and the number that says which it is.
struct Constant {
  Eigen::MatrixXd matrix;
  int number;
};

Constant constant_matrix(StageObjective& objective, double c_a, double c_v, const Vector& x) {
  Stage stage;
  stage.c_a = c_a;
  stage.c_v = c_v;
  stage.x_a = stage.x_v = stage.x_step = x;
  objective.begin(stage);
  const int number = objective.number();
  const ScalarMatrix found = objective.matrix();
  Eigen::MatrixXd matrix(x.size() / 3, x.size() / 3);
  Vector column;
  for (Index i = 0; i < matrix.rows(); ++i) {
    found.multiply(Vector::Unit(x.size(), 3 * i), column);
    for (Index j = 0; j < matrix.rows(); ++j) matrix(j, i) = column[3 * j];
  }
  return {matrix, number};
}

TEST(StageObjective, HasTheConstantMatrixOfItsLengthAndDamping) {
  const double alpha = 0.7, beta = 0.03;
  const Cube plain, damped({.stiffness_damping = beta, .mass_damping = alpha});
  StageObjective of_plain(plain.model, ResidualNorm::velocity),
      of_damped(damped.model, ResidualNorm::velocity);
  const Vector& x = plain.state.x;
  const Eigen::MatrixXd M = plain.model.mass.asDiagonal();
  const Eigen::MatrixXd L = constant_matrix(of_plain, 1, 1, x).matrix - M;
  EXPECT_GT(L.norm(), 100 * M.norm());
  for (const double s : {1.0 / 24, 0.01}) {
    const Eigen::MatrixXd expected = (1 / (s * s) + alpha / s) * M + (1 + beta / s) * L;
    const Eigen::MatrixXd found = constant_matrix(of_damped, 1 / (s * s), 1 / s, x).matrix;
    EXPECT_LT((found - expected).norm(), 1e-12 * expected.norm()) << s;
  }
  // Newmark's lengths of accelerations and of velocities differ.
  const double c_a = 900, c_v = 70;
  const Eigen::MatrixXd expected = (c_a + alpha * c_v) * M + (1 + beta * c_v) * L;
  EXPECT_LT((constant_matrix(of_damped, c_a, c_v, x).matrix - expected).norm(), 1e-12 * expected.norm());
}

TEST(StageObjective, KnowsItsConstantMatrixAgain) {
  const Cube cube;
  StageObjective objective(cube.model, ResidualNorm::velocity);
  const auto number = [&](double s) {
    return constant_matrix(objective, 1 / (s * s), 1 / s, cube.state.x).number;
  };
  const int one = number(0.02), other = number(0.01);
  EXPECT_NE(one, other);
  EXPECT_EQ(number(0.02), one);
  EXPECT_EQ(number(0.01), other);
  EXPECT_NE(constant_matrix(objective, 2500, 60, cube.state.x).number, one) << "c_v is another";
}

TEST(StageObjective, HasAConstantMatrixOfItsOwnOnceVerticesAreReleased) {
  Cube cube({.pull = true});
  cube.model.scripts[1].release = 0.1;
  StageObjective objective(cube.model, ResidualNorm::velocity);
  const auto number = [&](double time) {
    Stage stage = BackwardEuler(cube.model, {}).first_stage(cube.state, 0.02);
    stage.time = stage.time_end = time;
    objective.begin(stage);
    return objective.number();
  };
  EXPECT_EQ(number(0.02), number(0.04));
  EXPECT_NE(number(0.02), number(0.2));
}

/// A cube whose stages are quadratic.
struct Quadratic {
  Cube cube;
  Quadratic() {
    const TetMesh& rest = cube.model.bodies[0].rest;
    cube.model.terms.clear();
    cube.model.stage_terms.push_back(std::make_unique<LaggedSolid>(
        std::vector<std::shared_ptr<Potential>>{make_lagged_corotated({rest}, lame(1e4, 0.3))}));
    cube.model.finish();
  }
  Stage stage(double c, unsigned start) const {
    Stage stage;
    stage.c_a = c * c;
    stage.c_v = c;
    stage.x_a = stage.x_v = stage.x_step = cube.state.x + 0.1 * random_vector(cube.state.x.size(), start);
    return stage;
  }
};

/// It is not made again where it must be the same, and is where not.
TEST(StageObjective, HasTheHessianOfItsStageWhateverCameBefore) {
  const Quadratic s;
  StageObjective used(s.cube.model, ResidualNorm::velocity);
  const Vector d = random_vector(s.cube.state.x.size(), 7);
  for (const auto& [c, start] : {std::pair(30.0, 1U), {30.0, 1U}, {60.0, 1U}, {60.0, 2U}, {60.0, 2U}}) {
    StageObjective fresh(s.cube.model, ResidualNorm::velocity);
    Vector by_used, by_fresh;
    used.begin(s.stage(c, start));
    fresh.begin(s.stage(c, start));
    for (int again = 0; again < 2; ++again)
      used.hessian(s.cube.state.x, Definiteness::none).multiply(d, by_used);
    fresh.hessian(s.cube.state.x, Definiteness::none).multiply(d, by_fresh);
    EXPECT_EQ(by_used, by_fresh) << c << " " << start;
  }
}

}  // namespace
}  // namespace pliant::stage_objective_test
