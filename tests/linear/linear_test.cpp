#include <random>

#include "dense.hpp"
#include "linear/on_host.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linear/block_matrix.hpp"
#include "pliant/linear/cholesky.hpp"

namespace pliant::linear_test {
namespace {

/// A symmetric matrix on a ring of `rows` vertices with some chords; `shift` is added to the diagonal.
struct Example {
  BlockPattern pattern;
  BlockMatrix matrix;
  Eigen::MatrixXd dense;

  Example(int rows, double shift, bool scattered = false) {
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < rows; ++i) {
      edges.emplace_back(i, (i + 1) % rows);
      edges.emplace_back((i * 7) % rows, i);
    }
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Vec3> points;
    if (scattered)
      for (int i = 0; i < rows; ++i) points.emplace_back(uniform(random), uniform(random), uniform(random));
    pattern = BlockPattern(rows, edges, points);
    matrix = BlockMatrix(pattern);
    dense = Eigen::MatrixXd::Zero(3 * rows, 3 * rows);
    for (int row = 0; row < rows; ++row) {
      const int vertex = pattern.vertex(row);
      for (const int column : pattern.columns_of(row)) {
        double* block = matrix.block(pattern.find(vertex, column).block);
        for (int i = 0; i < 3; ++i)
          for (int j = column == vertex ? i : 0; j < 3; ++j) {
            const double value = uniform(random) + (vertex == column && i == j ? shift : 0);
            block[3 * i + j] = value;
            if (column == vertex) block[3 * j + i] = value;
            dense(3 * vertex + i, 3 * column + j) = dense(3 * column + j, 3 * vertex + i) = value;
          }
      }
    }
  }

  Vector rhs() const { return Vector::LinSpaced(dense.rows(), -1, 2); }
  BlockJacobi jacobi() const { return testing::jacobi_of(matrix, Vector::Constant(dense.rows(), 1e-3)); }
};

TEST(BlockMatrix, MultipliesAsItsDenseCounterpart) {
  const Example e(40, 3);
  Vector y;
  e.matrix.multiply(e.rhs(), y);
  EXPECT_LT((y - e.dense * e.rhs()).norm(), 1e-12);
}

TEST(BlockMatrix, MultipliesInAnyOrderOfRowsAndOverSeveralChunks) {
  const Example e(2500, 3, true);
  Vector y;
  const double product = e.matrix.multiply(e.rhs(), y);
  const Vector expected = e.dense * e.rhs();
  EXPECT_LT((y - expected).norm(), 1e-13 * expected.norm());
  EXPECT_NEAR(product, e.rhs().dot(expected), 1e-12 * std::abs(product));
}

TEST(BlockPattern, FindsABlockFromBothSidesAndSaysWhichLiesTransposed) {
  const Example e(40, 3, true);
  for (int row = 0; row < 40; ++row)
    for (const int column : e.pattern.columns_of(row)) {
      const int vertex = e.pattern.vertex(row);
      const auto there = e.pattern.find(vertex, column), back = e.pattern.find(column, vertex);
      EXPECT_EQ(there.block, back.block);
      EXPECT_FALSE(there.transposed);
      EXPECT_EQ(back.transposed, column != vertex);
    }
}

TEST(BlockMatrix, MultipliesWithTheSameBitsForAnyNumberOfThreads) {
  const Example e(3000, 3);
  Vector one, more;
  set_threads(1);
  e.matrix.multiply(e.rhs(), one);
  set_threads(3);
  e.matrix.multiply(e.rhs(), more);
  set_threads(0);
  EXPECT_EQ(one, more);
}

TEST(BlockMatrix, FixedDofsBecomeRowsAndColumnsOfTheIdentity) {
  Example e(10, 3);
  std::vector<char> fixed(30, 0);
  fixed[4] = fixed[15] = fixed[16] = fixed[17] = 1;
  e.matrix.fix_dofs(fixed);
  for (int d = 0; d < 30; ++d) {
    if (!fixed[d]) continue;
    e.dense.row(d).setZero();
    e.dense.col(d).setZero();
    e.dense(d, d) = 1;
  }
  Vector y;
  e.matrix.multiply(e.rhs(), y);
  EXPECT_LT((y - e.dense * e.rhs()).norm(), 1e-12);
}

TEST(BlockJacobi, IsTheInverseOfItsProductAndDefinite) {
  const Example e(20, 0);  // indefinite blocks
  const BlockJacobi jacobi = e.jacobi();
  Vector z, back;
  testing::solve(jacobi, e.rhs(), z);
  testing::multiply(jacobi, z, back);
  EXPECT_LT((back - e.rhs()).norm(), 1e-10);
  EXPECT_GT(z.dot(e.rhs()), 0);
}

TEST(BlockJacobi, IsDefiniteWhereRoundoffSwallowsAnEigenvalue) {
  // Two hard directions and a soft one, whose digits are lost in the entries.
  BlockPattern pattern(1, {});
  BlockMatrix matrix(pattern);
  std::mt19937 random(6);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int round = 0; round < 1000; ++round) {
    Eigen::Matrix3d directions;
    for (double& entry : directions.reshaped()) entry = uniform(random);
    const Eigen::Matrix3d Q = Eigen::HouseholderQR<Eigen::Matrix3d>(directions).householderQ();
    const Eigen::Matrix3d block = Q * Eigen::Vector3d(1e18, 1e15, 1e-3).asDiagonal() * Q.transpose();
    for (int i = 0; i < 9; ++i) matrix.block(0)[i] = block(i / 3, i % 3);
    const Vector r = Q.col(round % 3);
    Vector z;
    testing::solve(testing::jacobi_of(matrix, Vector::Constant(3, 1e-3)), r, z);
    EXPECT_GT(z.dot(r), 0) << round;
  }
}

TEST(ConjugateGradient, SolvesADefiniteSystem) {
  const Example e(60, 8);
  Vector x;
  ConjugateGradient cg;
  const auto report = testing::solve(cg, e.matrix, e.jacobi(), e.rhs(), 1e-12, x);
  EXPECT_TRUE(report.converged);
  EXPECT_FALSE(report.indefinite);
  EXPECT_LT((e.dense * x - e.rhs()).norm() / e.rhs().norm(), 1e-10);
}

TEST(ConjugateGradient, GoesOnAfterAsManyIterationsAsThereAreUnknownsWhereRoundoffAsksForIt) {
  // A chain of hard and soft springs, which hardly anything holds.
  constexpr int kVertices = 40;
  std::vector<std::pair<int, int>> edges;
  for (int i = 1; i < kVertices; ++i) edges.emplace_back(i - 1, i);
  BlockPattern pattern(kVertices, edges);
  BlockMatrix matrix(pattern);
  const Vector floor = Vector::Constant(3 * kVertices, 1e-4);
  matrix.add_diagonal(floor);
  for (const auto& [i, j] : edges)
    for (int k = 0; k < 3; ++k) {
      const double stiffness = std::pow(10.0, (7 * i + 3 * k) % 5);
      for (const int vertex : {i, j}) matrix.block(pattern.diagonal(vertex))[4 * k] += stiffness;
      matrix.block(pattern.find(i, j).block)[4 * k] -= stiffness;
    }
  const BlockJacobi jacobi = testing::jacobi_of(matrix, floor);
  ConjugateGradient cg;
  Vector x;
  const auto report = testing::solve(cg, matrix, jacobi, Vector::LinSpaced(3 * kVertices, -1, 2), 1e-8, x);
  EXPECT_TRUE(report.converged);
  EXPECT_GT(report.iterations, 3 * kVertices);
}

TEST(ConjugateGradient, StopsEarlyAtALooseTolerance) {
  const Example e(60, 8);
  Vector x;
  ConjugateGradient cg;
  EXPECT_LT(testing::solve(cg, e.matrix, e.jacobi(), e.rhs(), 0.5, x).iterations,
            testing::solve(cg, e.matrix, e.jacobi(), e.rhs(), 1e-8, x).iterations);
}

TEST(ConjugateGradient, ReturnsAnUphillProductOnIndefiniteness) {
  const Example e(60, 0.5);
  ASSERT_LT(testing::eigenvalues(e.dense)[0], 0);
  Vector x;
  ConjugateGradient cg;
  const auto report = testing::solve(cg, e.matrix, e.jacobi(), e.rhs(), 1e-10, x);
  EXPECT_TRUE(report.indefinite);
  EXPECT_GT(x.dot(e.rhs()), 0);
}

TEST(ConjugateGradient, ReturnsThePreconditionedRightHandSideWhenIndefiniteFromTheStart) {
  Example e(10, 0);
  e.matrix.set_zero();
  e.matrix.add_diagonal(Vector::Constant(30, -2));
  Vector x, z;
  ConjugateGradient cg;
  EXPECT_TRUE(testing::solve(cg, e.matrix, e.jacobi(), e.rhs(), 0.1, x).indefinite);
  testing::solve(e.jacobi(), e.rhs(), z);
  EXPECT_EQ(x, z);
}

TEST(Minres, SolvesDefiniteAndIndefiniteSystems) {
  for (const double shift : {8.0, 0.5}) {
    const Example e(60, shift);
    Vector x;
    Minres minres;
    const auto report = testing::solve(minres, e.matrix, e.jacobi(), e.rhs(), 1e-11, 1000, x);
    EXPECT_TRUE(report.converged);
    EXPECT_LT((e.dense * x - e.rhs()).norm() / e.rhs().norm(), 1e-8) << "shift " << shift;
  }
}

class CholeskyOf : public ::testing::TestWithParam<bool> {
 protected:
  static std::unique_ptr<Cholesky> make() { return GetParam() ? make_cholesky() : make_eigen_cholesky(); }
};

TEST_P(CholeskyOf, SolvesAndRefactorsWithOtherValues) {
  Example e(50, 8);
  const auto cholesky = make();
  Vector x;
  ASSERT_TRUE(cholesky->factor(e.matrix));
  cholesky->solve(e.rhs(), x);
  EXPECT_LT((e.dense * x - e.rhs()).norm(), 1e-10);
  e.matrix.add_diagonal(Vector::Constant(150, 5));
  e.dense.diagonal().array() += 5;
  ASSERT_TRUE(cholesky->factor(e.matrix));
  cholesky->solve(e.rhs(), x);
  EXPECT_LT((e.dense * x - e.rhs()).norm(), 1e-10);
}

TEST_P(CholeskyOf, RefusesAnIndefiniteMatrix) {
  Example e(50, 0.5);
  const auto cholesky = make();
  EXPECT_FALSE(cholesky->factor(e.matrix));
  e.matrix.add_diagonal(Vector::Constant(150, 10));
  EXPECT_TRUE(cholesky->factor(e.matrix));
}

INSTANTIATE_TEST_SUITE_P(BothLibraries, CholeskyOf, ::testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "Default" : "Eigen"; });

}  // namespace
}  // namespace pliant::linear_test
