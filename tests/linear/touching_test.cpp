// What contacts add to matrices: blocks outside of the pattern, and vertices that lose directions.
#include <random>

#include "linear/on_host.hpp"
#include "pliant/linear/cholesky.hpp"
#include "pliant/linear/lattice_preconditioner.hpp"
#include "pliant/linear/merged_matrix.hpp"

namespace pliant::touching_test {
namespace {

/// A ring of vertices that couple with their neighbours, and the same matrix dense.
struct Ring {
  int rows;
  BlockPattern pattern;
  BlockMatrix matrix;
  Eigen::MatrixXd dense;
  std::mt19937 random{5};

  explicit Ring(int size) : rows(size) {
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < rows; ++i) edges.emplace_back(i, (i + 1) % rows);
    pattern = BlockPattern(rows, edges);
    matrix = BlockMatrix(pattern);
    matrix.set_zero();
    dense = Eigen::MatrixXd::Zero(3 * rows, 3 * rows);
    for (int i = 0; i < rows; ++i) {
      const Mat3 block = random_block();
      add_diagonal(i, block + block.transpose() + 20 * Mat3::Identity());
      add(i, (i + 1) % rows, random_block());
    }
  }
  Mat3 random_block() {
    std::uniform_real_distribution<double> uniform(-1, 1);
    return Mat3::NullaryExpr([&] { return uniform(random); });
  }
  void add_diagonal(int i, const Mat3& block) {
    matrix.add_diagonal_block(i, block);
    dense.block<3, 3>(3 * i, 3 * i) += block;
  }
  void add(int a, int b, const Mat3& block) {
    matrix.add_block(a, b, block);
    dense.block<3, 3>(3 * a, 3 * b) += block;
    dense.block<3, 3>(3 * b, 3 * a) += block.transpose();
  }
  /// Pairs that the pattern does not know, one of them twice and one turned round.
  void touch() {
    for (const auto& [a, b] : {std::pair(1, 7), {7, 1}, {3, 11}, {3, 11}, {2, 9}}) add(a, b, random_block());
  }
  Vector rhs() const { return Vector::LinSpaced(3 * rows, -1, 2); }
};

double difference(const BlockMatrix& matrix, const Eigen::MatrixXd& dense) {
  double largest = 0;
  Vector y;
  for (Index d = 0; d < dense.cols(); ++d) {
    const Vector unit = Vector::Unit(dense.cols(), d);
    const double product = matrix.multiply(unit, y);
    largest = std::max({largest, (y - dense.col(d)).norm(), std::abs(product - dense(d, d))});
  }
  return largest;
}

TEST(ExtraBlocks, MultiplyAsInADenseMatrix) {
  Ring ring(12);
  EXPECT_TRUE(ring.matrix.extra_blocks().empty());
  ring.touch();
  EXPECT_EQ(ring.matrix.extra_blocks().size(), 5);
  EXPECT_LT(difference(ring.matrix, ring.dense), 1e-13);
  Vector y;
  const double product = ring.matrix.multiply(ring.rhs(), y);
  EXPECT_NEAR(product, ring.rhs().dot(ring.dense * ring.rhs()), 1e-12 * std::abs(product));
}

TEST(ExtraBlocks, AreScaledAndAddedWithTheRest) {
  Ring other(12);
  other.touch();
  BlockMatrix sum(other.pattern);
  sum.set_zero();
  sum.add_scaled(other.matrix, 3);
  sum.scale(2);
  EXPECT_LT(difference(sum, 6 * other.dense), 1e-12);
}

TEST(ExtraBlocks, LoseFixedDofs) {
  Ring ring(12);
  ring.touch();
  std::vector<char> fixed(36, 0);
  for (const int dof : {3, 4, 22, 35}) {
    fixed[dof] = 1;
    ring.dense.row(dof).setZero();
    ring.dense.col(dof).setZero();
    ring.dense(dof, dof) = 1;
  }
  ring.matrix.fix_dofs(fixed);
  EXPECT_LT(difference(ring.matrix, ring.dense), 1e-13);
}

TEST(MergedMatrix, IsTheMatrixItselfWhereNothingTouches) {
  Ring ring(12);
  MergedMatrix merged;
  EXPECT_EQ(&merged.of(ring.matrix), &ring.matrix);
}

TEST(MergedMatrix, HasTheSameProductsAndFactors) {
  Ring ring(12);
  ring.touch();
  MergedMatrix merged;
  const BlockMatrix& all = merged.of(ring.matrix);
  EXPECT_TRUE(all.extra_blocks().empty());
  EXPECT_LT(difference(all, ring.dense), 1e-13);
  for (const auto& cholesky : {make_cholesky(), make_eigen_cholesky()}) {
    ASSERT_TRUE(cholesky->factor(all));
    Vector x;
    cholesky->solve(ring.rhs(), x);
    EXPECT_LT((ring.dense * x - ring.rhs()).norm(), 1e-12);
  }
}

TEST(MergedMatrix, KeepsItsPatternWhileNoNewPairTouches) {
  Ring ring(12);
  ring.touch();
  MergedMatrix merged;
  const auto id = merged.of(ring.matrix).pattern().id();
  ring.matrix.set_zero();
  ring.matrix.add_block(9, 2, Mat3::Identity());
  EXPECT_EQ(merged.of(ring.matrix).pattern().id(), id);
  Vector y;
  merged.of(ring.matrix).multiply(Vector::Unit(36, 6), y);
  EXPECT_EQ(y, Vector(Vector::Unit(36, 27))) << "what touched before is gone";
  ring.matrix.add_block(4, 8, Mat3::Identity());
  EXPECT_NE(merged.of(ring.matrix).pattern().id(), id);
}

/// Projections onto a plane, a line, a point and everything.
std::vector<Restriction> restrictions() {
  const Vec3 n = Vec3(1, 2, -1).normalized();
  return {{1, Mat3::Identity() - n * n.transpose()},
          {3, n * n.transpose()},
          {7, Mat3::Zero()},
          {8, Mat3::Identity()}};
}

TEST(Restrictions, TakeDirectionsFromBothSidesAndPutTheDiagonalThere) {
  Ring ring(12);
  ring.touch();
  const Vector diagonal = Vector::LinSpaced(12, 1, 2).replicate(1, 3).transpose().reshaped();
  Eigen::MatrixXd T = Eigen::MatrixXd::Identity(36, 36);
  for (const Restriction& one : restrictions()) T.block<3, 3>(3 * one.vertex, 3 * one.vertex) = one.free;
  const Eigen::MatrixXd lost = Eigen::MatrixXd::Identity(36, 36) - T;
  ring.matrix.restrict_vertices(restrictions(), diagonal);
  const Eigen::MatrixXd expected = T * ring.dense * T + diagonal.asDiagonal() * lost;
  EXPECT_LT((expected - expected.transpose()).norm(), 1e-12);
  EXPECT_LT(difference(ring.matrix, expected), 1e-12);
  MergedMatrix merged;
  EXPECT_LT(difference(merged.of(ring.matrix), expected), 1e-12);
}

TEST(Restrictions, EndWhenTheMatrixIsFilledAgain) {
  Ring ring(12);
  ring.matrix.restrict_vertices(restrictions(), Vector::Ones(36));
  EXPECT_EQ(ring.matrix.restrictions().size(), 4);
  ring.matrix.set_zero();
  EXPECT_TRUE(ring.matrix.restrictions().empty());
}

/// A cube of springs on unit masses whose lowest layer may only slide, as on the ground; some of it is
/// turned so that directions are not those of the axes.
struct Grounded {
  BlockPattern pattern;
  BlockMatrix matrix;
  BlockJacobi jacobi;
  LatticePreconditioner lattice;
  std::vector<Restriction> held;

  explicit Grounded(int side) {
    std::vector<Vec3> points;
    std::vector<std::pair<int, int>> edges;
    for (int k = 0; k < side * side * side; ++k) {
      const int x = k % side, y = k / side % side, z = k / side / side;
      points.emplace_back(x, y, z);
      for (int d = 1; d < 8; ++d) {
        const int dx = d & 1, dy = d >> 1 & 1, dz = d >> 2;
        if (x + dx < side && y + dy < side && z + dz < side)
          edges.emplace_back(k, k + dx + side * (dy + side * dz));
      }
    }
    const int rows = static_cast<int>(points.size());
    pattern = BlockPattern(rows, edges, points);
    matrix = BlockMatrix(pattern);
    matrix.set_zero();
    matrix.add_diagonal(Vector::Ones(3 * rows));
    for (const auto& [a, b] : edges) {
      const Vec3 along = (points[b] - points[a]).normalized();
      const Mat3 spring = 1e4 * (along * along.transpose() + 0.05 * Mat3::Identity());
      matrix.add_diagonal_block(a, spring);
      matrix.add_diagonal_block(b, spring);
      matrix.add_block(a, b, -spring);
    }
    for (int k = 0; k < rows; ++k) {
      const Vec3 n = Vec3(0.01 * k, 1, 0.3).normalized();
      if (points[k].y() == 0) held.push_back({k, Mat3::Identity() - n * n.transpose()});
    }
    matrix.restrict_vertices(held, Vector::Ones(3 * rows));
    jacobi = testing::jacobi_of(matrix, Vector::Ones(3 * rows));
    lattice.assign(matrix, jacobi, {});
  }
  /// Without a part in the directions lost.
  Vector random(unsigned seed) const {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Vector b = Vector::NullaryExpr(3 * Index{matrix.rows()}, [&] { return uniform(generator); });
    for (const Restriction& one : held)
      b.segment<3>(3 * one.vertex) = (one.free * b.segment<3>(3 * one.vertex)).eval();
    return b;
  }
};

TEST(LatticePreconditioner, IsSymmetricAndDefiniteWhereVerticesLoseDirections) {
  const Grounded cube(12);
  ASSERT_FALSE(cube.lattice.nodes().empty());
  Vector za, zb;
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Vector a = cube.random(seed), b = cube.random(10 + seed);
    testing::precondition(cube.lattice, a, za);
    testing::precondition(cube.lattice, b, zb);
    EXPECT_GT(a.dot(za), 0);
    EXPECT_NEAR(a.dot(zb), b.dot(za), 1e-5 * a.norm() * zb.norm());  // lattices are in single precision
    for (const Restriction& one : cube.held) {
      const Vec3 z = za.segment<3>(3 * one.vertex);
      EXPECT_LT((z - one.free * z).norm(), 1e-12 * za.norm());
    }
  }
}

TEST(LatticePreconditioner, KeepsTheAnswerWhereVerticesLoseDirections) {
  const Grounded cube(12);
  const Vector b = cube.random(4);
  Vector with, without;
  ConjugateGradient cg;
  const auto few = testing::solve(cg, cube.matrix, cube.lattice, b, 1e-12, with);
  const auto many = testing::solve(cg, cube.matrix, cube.jacobi, b, 1e-12, without);
  EXPECT_TRUE(few.converged && many.converged);
  EXPECT_LT((with - without).norm(), 1e-9 * without.norm());
  EXPECT_LT(few.iterations, many.iterations);
}

}  // namespace
}  // namespace pliant::touching_test
