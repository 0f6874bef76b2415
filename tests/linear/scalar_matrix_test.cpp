#include "pliant/linear/scalar_matrix.hpp"

#include <random>

#include "linear/on_host.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linear/incomplete_cholesky.hpp"

namespace pliant::scalar_matrix_test {
namespace {

/// A Laplacian on a grid of vertices, with something on the diagonal.
struct Grid {
  BlockPattern pattern;
  ScalarMatrix matrix;
  Eigen::MatrixXd dense;  ///< of one axis

  Grid(int side, double shift) {
    std::vector<std::pair<int, int>> edges;
    std::vector<Vec3> points;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(0.5, 2);
    for (int i = 0; i < side * side; ++i) {
      points.emplace_back(i % side, i / side, 0);
      if (i % side > 0) edges.emplace_back(i, i - 1);
      if (i >= side) edges.emplace_back(i - side, i);
    }
    pattern = BlockPattern(side * side, edges, points);
    matrix = ScalarMatrix(pattern);
    dense = shift * Eigen::MatrixXd::Identity(side * side, side * side);
    for (int i = 0; i < side * side; ++i) matrix.add_diagonal(i, shift);
    for (const auto& [a, b] : edges) {
      const double weight = uniform(random);
      matrix.add_diagonal(a, weight);
      matrix.add_diagonal(b, weight);
      matrix.add_pair(a, b, -weight);
      dense(a, a) += weight;
      dense(b, b) += weight;
      dense(a, b) -= weight;
      dense(b, a) -= weight;
    }
  }
  Vector any() const { return Vector::LinSpaced(3 * dense.rows(), -1, 2).array().sin(); }
};

TEST(ScalarMatrix, MultipliesAsItsDenseCounterpart) {
  const Grid grid(45, 0.1);  // more rows than one chunk has
  const Vector x = grid.any();
  Vector y;
  const double product = grid.matrix.multiply(x, y);
  EXPECT_NEAR(product, x.dot(y), 1e-12 * std::abs(product));
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
  const Eigen::Map<const Rows> from(x.data(), x.size() / 3, 3), to(y.data(), x.size() / 3, 3);
  EXPECT_LT((grid.dense * from - to).norm(), 1e-12 * to.norm());
}

TEST(ScalarMatrix, MultipliesToTheSameBitsWithAnyNumberOfThreads) {
  const Grid grid(70, 0.1);
  Vector one, four;
  set_threads(1);
  grid.matrix.multiply(grid.any(), one);
  set_threads(4);
  grid.matrix.multiply(grid.any(), four);
  set_threads(0);
  EXPECT_EQ(one, four);
}

TEST(IncompleteCholesky, TakesFarFewerIterationsThanTheDiagonal) {
  const Grid grid(40, 1e-3);
  BlockJacobi jacobi;
  Vector diagonal(3 * grid.dense.rows());
  for (Index d = 0; d < diagonal.size(); ++d) diagonal[d] = grid.dense(d / 3, d / 3);
  jacobi.assign(Field(diagonal));
  IncompleteCholesky incomplete;
  ASSERT_TRUE(incomplete.factor(grid.matrix));
  ConjugateGradient cg;
  Vector x, again;
  const int by_diagonal = testing::solve(cg, grid.matrix, jacobi, grid.any(), 1e-10, x).iterations;
  const int by_factor = testing::solve(cg, grid.matrix, incomplete, grid.any(), 1e-10, again).iterations;
  EXPECT_LT(by_factor, by_diagonal / 2);
  EXPECT_LT((x - again).norm(), 1e-6 * x.norm());
}

TEST(IncompleteCholesky, OfBlocksServesAsThatOfNumbersDoes) {
  const Grid grid(30, 1e-3);
  BlockMatrix blocks(grid.pattern);
  blocks.set_zero();
  for (Index k = 0; k < grid.pattern.blocks(); ++k)
    for (int i = 0; i < 3; ++i) blocks.block(k)[4 * i] = grid.matrix[k];
  IncompleteCholesky of_blocks, of_numbers;
  ASSERT_TRUE(of_blocks.factor(blocks));
  ASSERT_TRUE(of_numbers.factor(grid.matrix));
  const BlockJacobi jacobi = testing::jacobi_of(blocks, Vector::Ones(3 * grid.pattern.rows()));
  ConjugateGradient cg;
  Vector x, again;
  const int by_diagonal = testing::solve(cg, blocks, jacobi, grid.any(), 1e-10, x).iterations;
  EXPECT_LT(testing::solve(cg, blocks, of_blocks, grid.any(), 1e-10, x).iterations, by_diagonal / 2);
  EXPECT_LT(testing::solve(cg, grid.matrix, of_numbers, grid.any(), 1e-10, again).iterations,
            by_diagonal / 2);
  EXPECT_LT((x - again).norm(), 1e-6 * x.norm());
}

}  // namespace
}  // namespace pliant::scalar_matrix_test
