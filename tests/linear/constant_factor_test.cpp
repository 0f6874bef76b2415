#include "pliant/linear/constant_factor.hpp"

#include <numeric>

#include "meshes.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linear/ordering.hpp"
#include "pliant/linear/parts.hpp"
#include "pliant/linear/supernodes.hpp"

namespace pliant::constant_factor_test {
namespace {

using testing::random_vector;

/// A grid of so many points along x, y and z whose cells are cut into tetrahedra, as a weighted graph.
struct Grid {
  std::vector<std::pair<int, int>> edges;
  BlockPattern pattern;
  ScalarMatrix matrix;

  explicit Grid(std::array<int, 3> n, double mass = 0.01) {
    std::vector<Vec3> points;
    const auto number = [&](int i, int j, int k) { return (i * n[1] + j) * n[2] + k; };
    for (int i = 0; i < n[0]; ++i)
      for (int j = 0; j < n[1]; ++j)
        for (int k = 0; k < n[2]; ++k) {
          points.emplace_back(i, j, k);
          for (int m = 1; m < 8; ++m) {
            const int a = i + (m & 1), b = j + (m >> 1 & 1), c = k + (m >> 2);
            if (a < n[0] && b < n[1] && c < n[2]) edges.emplace_back(number(i, j, k), number(a, b, c));
          }
        }
    pattern = BlockPattern(n[0] * n[1] * n[2], edges, points);
    fill(mass);
  }

  void fill(double mass) {
    matrix = ScalarMatrix(pattern);
    const Vector weights = random_vector(std::ssize(edges), 1);
    for (size_t e = 0; e < edges.size(); ++e) {
      const double k = 1.5 + weights[static_cast<Index>(e)];
      matrix.add_pair(edges[e].first, edges[e].second, -k);
      matrix.add_diagonal(edges[e].first, k);
      matrix.add_diagonal(edges[e].second, k);
    }
    for (int i = 0; i < pattern.rows(); ++i) matrix.add_diagonal(i, mass);
  }

  Eigen::MatrixXd dense() const {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(pattern.rows(), pattern.rows());
    for (int i = 0; i < pattern.rows(); ++i) A(i, i) = matrix[pattern.diagonal(i)];
    for (const auto& [a, b] : edges) A(a, b) = A(b, a) = matrix[pattern.find(a, b).block];
    return A;
  }
};

TEST(ScalarMatrix, MultipliesEachAxisAlike) {
  const Grid grid({3, 4, 2});
  const Vector x = random_vector(3 * grid.pattern.rows(), 2);
  Vector y;
  const double product = grid.matrix.multiply(x, y);
  EXPECT_NEAR(product, x.dot(y), 1e-12);
  const Eigen::Map<const Eigen::MatrixXd> X(x.data(), 3, grid.pattern.rows()),
      Y(y.data(), 3, grid.pattern.rows());
  EXPECT_LT((grid.dense() * X.transpose() - Y.transpose()).norm(), 1e-12 * y.norm());
}

TEST(ScalarMatrix, LeavesFixedVerticesAlone) {
  Grid grid({3, 3, 3});
  std::vector<char> fixed(27, false);
  fixed[13] = true;
  const double own = grid.matrix[grid.pattern.diagonal(13)];
  grid.matrix.fix_vertices(fixed);
  Vector e = Vector::Zero(81), y;
  e[3 * 13] = 1;
  grid.matrix.multiply(e, y);
  EXPECT_EQ(y[3 * 13], own);
  y[3 * 13] = 0;
  EXPECT_EQ(y.norm(), 0);
}

TEST(Ordering, IsAPermutationAndTheSameEachTime) {
  const Grid grid({9, 8, 7});
  const Neighbours neighbours(grid.pattern);
  std::vector<int> order = dissect(neighbours);
  EXPECT_EQ(order, dissect(neighbours));
  std::sort(order.begin(), order.end());
  for (int i = 0; i < std::ssize(order); ++i) EXPECT_EQ(order[i], i);
}

/// Which entries the factor has, by the textbook.
TEST(Supernodes, HoldEveryNonzeroOfTheFactor) {
  const Grid grid({5, 4, 4});
  const Supernodes nodes(grid.pattern);
  const int n = grid.pattern.rows();
  std::vector<std::vector<char>> filled(n, std::vector<char>(n, false)), held = filled;
  for (const auto& [a, b] : grid.edges) {
    const auto [low, high] = std::minmax(nodes.place_of[a], nodes.place_of[b]);
    filled[low][high] = true;
  }
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i)
      if (filled[k][i])
        for (int j = i + 1; j < n; ++j)
          if (filled[k][j]) filled[i][j] = true;
  Index numbers = 0, exact = n;
  for (int s = 0; s < nodes.count(); ++s) {
    numbers += nodes.size(s);
    for (int column = nodes.start[s]; column < nodes.start[s + 1]; ++column) {
      for (int row = column + 1; row < nodes.start[s + 1]; ++row) held[column][row] = true;
      for (const int row : nodes.rows(s)) held[column][row] = true;
    }
    if (nodes.parent[s] >= 0) {
      EXPECT_GE(nodes.rows(s).front(), nodes.start[nodes.parent[s]]);
      EXPECT_LT(nodes.rows(s).front(), nodes.start[nodes.parent[s] + 1]);
    }
  }
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      EXPECT_LE(filled[k][i], held[k][i]) << k << " " << i;
      exact += filled[k][i];
    }
  EXPECT_LT(numbers, 1.6 * static_cast<double>(exact)) << "too many zeros";
}

TEST(Parts, CoverAllSupernodesChildrenFirst) {
  const Grid grid({24, 10, 10});
  const Supernodes nodes(grid.pattern);
  const Parts parts(nodes);
  ASSERT_GT(parts.parts.size(), 8);
  int next = 0;
  std::vector<int> level_of(parts.parts.size());
  for (int level = 0; level < std::ssize(parts.levels); ++level)
    for (const int part : parts.levels[level]) level_of[part] = level;
  for (size_t p = 0; p < parts.parts.size(); ++p) {
    const Parts::Part& part = parts.parts[p];
    EXPECT_EQ(part.first, next);
    next = part.last + 1;
    for (const int child : part.children) EXPECT_LT(level_of[child], level_of[p]);
  }
  EXPECT_EQ(next, nodes.count());
}

class Solves : public ::testing::TestWithParam<std::array<int, 3>> {};

TEST_P(Solves, AsExactlyAsItsPrecisionAllows) {
  const Grid grid(GetParam());
  const Vector b = random_vector(3 * grid.pattern.rows(), 3);
  for (const auto& [precision, tolerance] :
       {std::pair(ConstantFactor::Precision::exact, 1e-15), {ConstantFactor::Precision::single, 1e-6}}) {
    ConstantFactor factor(precision);
    ASSERT_TRUE(factor.factor(grid.matrix));
    Vector x, Ax;
    factor.solve(b, x);
    grid.matrix.multiply(x, Ax);
    // As that of any stable solver, the error is that of a matrix slightly off.
    const double size = 2 * grid.matrix.diagonal().maxCoeff();
    EXPECT_LT((Ax - b).norm(), tolerance * (size * x.norm() + b.norm()));
  }
}

INSTANTIATE_TEST_SUITE_P(Grids, Solves,
                         ::testing::Values(std::array{1, 1, 1}, std::array{2, 1, 1}, std::array{40, 1, 1},
                                           std::array{1, 30, 30}, std::array{7, 7, 7}, std::array{30, 12, 12},
                                           std::array{18, 18, 18}));

TEST(ConstantFactor, SolvesSeparatePiecesAndVerticesWithoutNeighbours) {
  std::vector<std::pair<int, int>> edges{{0, 1}, {1, 2}, {5, 6}};
  const BlockPattern pattern(8, edges);
  ScalarMatrix A(pattern);
  for (int i = 0; i < 8; ++i) A.add_diagonal(i, 3 + i);
  for (const auto& [a, b] : edges) A.add_pair(a, b, -1);
  ConstantFactor factor(ConstantFactor::Precision::exact);
  ASSERT_TRUE(factor.factor(A));
  const Vector b = random_vector(24, 4);
  Vector x, Ax;
  factor.solve(b, x);
  A.multiply(x, Ax);
  EXPECT_LT((Ax - b).norm(), 1e-14 * b.norm());
}

TEST(ConstantFactor, SaysWhereAMatrixIsIndefinite) {
  Grid grid({8, 8, 8});
  ConstantFactor factor(ConstantFactor::Precision::single);
  ASSERT_TRUE(factor.factor(grid.matrix));
  grid.matrix.add_diagonal(77, -100);
  EXPECT_FALSE(factor.factor(grid.matrix));
  grid.fill(0.02);
  EXPECT_TRUE(factor.factor(grid.matrix)) << "a failure must not be lasting";
}

TEST(ConstantFactor, GivesTheSameBitsForAnyNumberOfThreads) {
  const Grid grid({30, 16, 16});
  const Vector b = random_vector(3 * grid.pattern.rows(), 5);
  std::vector<Vector> answers;
  for (const int count : {1, 2, 5}) {
    set_threads(count);
    ConstantFactor factor(ConstantFactor::Precision::single);
    ASSERT_TRUE(factor.factor(grid.matrix));
    factor.solve(b, answers.emplace_back());
  }
  set_threads(0);
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_EQ(answers[0], answers[2]);
}

}  // namespace
}  // namespace pliant::constant_factor_test
