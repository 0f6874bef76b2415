#include <random>

#include "linear/on_host.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linear/lattice_preconditioner.hpp"

namespace pliant::lattice_test {
namespace {

/// Springs along the edges, face and body diagonals of a cube's cells: stiff along each and a little across,
/// on unit masses. Several cubes stand apart.
struct Cubes {
  BlockPattern pattern;
  BlockMatrix matrix;
  BlockJacobi jacobi;
  LatticePreconditioner lattice;
  std::vector<char> fixed;

  explicit Cubes(int side, int count = 1, double stiffness = 1e4, double mass = 1, bool placed = true) {
    std::vector<Vec3> points;
    std::vector<std::pair<int, int>> edges;
    for (int cube = 0; cube < count; ++cube)
      for (int k = 0; k < side * side * side; ++k) {
        const int v = static_cast<int>(points.size());
        const int x = k % side, y = k / side % side, z = k / side / side;
        points.emplace_back(x + 0.1 * cube, y, z);  // cubes overlap, but do not couple
        for (int d = 1; d < 8; ++d) {
          const int dx = d & 1, dy = d >> 1 & 1, dz = d >> 2;
          if (x + dx < side && y + dy < side && z + dz < side)
            edges.emplace_back(v, v + dx + side * (dy + side * dz));
        }
      }
    const int rows = static_cast<int>(points.size());
    pattern = BlockPattern(rows, edges, placed ? points : std::vector<Vec3>{});
    matrix = BlockMatrix(pattern);
    matrix.add_diagonal(Vector::Constant(3 * rows, mass));
    for (const auto& [a, b] : edges) {
      const Vec3 along = (points[b] - points[a]).normalized();
      const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> spring =
          stiffness * (along * along.transpose() + 0.05 * Mat3::Identity());
      for (int e = 0; e < 9; ++e) {
        matrix.block(pattern.diagonal(a))[e] += spring.data()[e];
        matrix.block(pattern.diagonal(b))[e] += spring.data()[e];
        matrix.block(pattern.find(a, b).block)[e] -= spring.data()[e];
      }
    }
    fixed.assign(3 * rows, 0);
  }

  void assign() {
    matrix.fix_dofs(fixed);
    jacobi = testing::jacobi_of(matrix, Vector::Ones(size()));
    lattice.assign(matrix, jacobi, fixed);
  }
  Index size() const { return 3 * Index{matrix.rows()}; }
  Vector random(unsigned seed) const {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    return Vector::NullaryExpr(size(), [&] { return uniform(generator); });
  }
  int iterations(const Preconditioner& preconditioner) const {
    ConjugateGradient cg;
    Vector x;
    const auto report = testing::solve(cg, matrix, preconditioner, random(1), 1e-3, x);
    EXPECT_TRUE(report.converged);
    return report.iterations;
  }
};

/// z . s = r . t for z = B^-1 r and t = B^-1 s, and r . z > 0, also for residuals that vary slowly.
void expect_symmetric_and_definite(const Cubes& cubes) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Vector r = cubes.random(seed), s = cubes.random(seed + 100), z, t, product;
    for (unsigned smoothing = 0; smoothing < 3 * seed; ++smoothing) {
      testing::solve(cubes.jacobi, cubes.matrix.multiply(r, product) > 0 ? product : r, z);
      r -= 0.5 * z;
    }
    const double rz = testing::precondition(cubes.lattice, r, z).product;
    testing::precondition(cubes.lattice, s, t);
    EXPECT_GT(rz, 0);
    EXPECT_NEAR(rz, r.dot(z), 1e-5 * rz);
    EXPECT_NEAR(z.dot(s), r.dot(t), 1e-5 * r.norm() * t.norm());
  }
}

TEST(LatticePreconditioner, IsSymmetricAndDefinite) {
  Cubes cubes(12);
  cubes.assign();
  EXPECT_GE(cubes.lattice.nodes().size(), 2U);
  expect_symmetric_and_definite(cubes);
}

TEST(LatticePreconditioner, IsDefiniteForAnIndefiniteMatrix) {
  for (const double stiffness : {-1e4, 1e4}) {
    Cubes cubes(14, 1, stiffness);
    Vector disturbed = 3e4 * cubes.random(3);
    cubes.matrix.add_diagonal(disturbed);
    cubes.assign();
    expect_symmetric_and_definite(cubes);
  }
}

TEST(LatticePreconditioner, LeavesFixedDofsToThemselves) {
  Cubes cubes(9);
  std::mt19937 generator(2);
  for (char& dof : cubes.fixed) dof = generator() % 3 == 0;
  cubes.assign();
  expect_symmetric_and_definite(cubes);
  const Vector r = cubes.random(1);
  Vector changed = r, z, z_changed;
  for (Index d = 0; d < r.size(); ++d)
    if (cubes.fixed[d]) changed[d] = 5;
  testing::precondition(cubes.lattice, r, z);
  testing::precondition(cubes.lattice, changed, z_changed);
  for (Index d = 0; d < r.size(); ++d) {
    if (cubes.fixed[d])
      EXPECT_DOUBLE_EQ(z[d], r[d]);
    else
      EXPECT_EQ(z[d], z_changed[d]);
  }
}

TEST(LatticePreconditioner, FollowsFixedDofsThatAreReleased) {
  Cubes held(9), free(9);
  BlockMatrix whole = held.matrix;
  std::fill_n(held.fixed.begin(), 300, char{1});
  held.assign();
  std::fill(held.fixed.begin(), held.fixed.end(), char{0});
  held.matrix = whole;
  held.assign();
  free.assign();
  Vector z, expected;
  testing::precondition(held.lattice, held.random(1), z);
  testing::precondition(free.lattice, held.random(1), expected);
  EXPECT_EQ(z, expected);
}

TEST(LatticePreconditioner, KeepsPartsThatDoNotCoupleApart) {
  Cubes cubes(9, 2);
  cubes.assign();
  expect_symmetric_and_definite(cubes);
  Vector r = cubes.random(1), z;
  const Index half = r.size() / 2;
  r.tail(half).setZero();
  testing::precondition(cubes.lattice, r, z);
  EXPECT_GT(z.head(half).norm(), 0);
  EXPECT_EQ(z.tail(half).norm(), 0);
}

TEST(LatticePreconditioner, GivesTheSameBitsForAnyNumberOfThreads) {
  Cubes cubes(24);
  const Vector r = cubes.random(1);
  Vector z[2];
  for (const int count : {1, 3}) {
    set_threads(count);
    cubes.lattice = {};
    cubes.assign();
    testing::precondition(cubes.lattice, r, z[count == 3]);
  }
  set_threads(0);
  EXPECT_EQ(z[0], z[1]);
}

TEST(LatticePreconditioner, NeedsFarFewerIterationsThanJacobiAndHardlyMoreOnAFinerMesh) {
  Cubes coarse(9, 1, 1e4, 0.1), fine(25, 1, 1e4, 0.1);
  coarse.assign();
  fine.assign();
  const int few = fine.iterations(fine.lattice);
  EXPECT_LT(5 * few, fine.iterations(fine.jacobi));
  EXPECT_LT(few, 2 * coarse.iterations(coarse.lattice));
}

TEST(LatticePreconditioner, IsJacobiWithoutRestPositionsAndForSmallParts) {
  Cubes unplaced(9, 1, 1e4, 1, false), small(5, 3);
  for (Cubes* cubes : {&unplaced, &small}) {
    cubes->assign();
    EXPECT_TRUE(cubes->lattice.nodes().empty());
    Vector z, expected;
    testing::precondition(cubes->lattice, cubes->random(1), z);
    testing::solve(cubes->jacobi, cubes->random(1), expected);
    EXPECT_EQ(z, expected);
  }
}

TEST(LatticePreconditioner, MeasuresResidualsAsJacobiDoes) {
  Cubes cubes(9);
  cubes.assign();
  const Vector r = cubes.random(1);
  Vector z;
  EXPECT_EQ(testing::precondition(cubes.lattice, r, z).squared, testing::solve(cubes.jacobi, r, z));
}

TEST(ConjugateGradient, GoesOnWithAnotherPreconditionerToTheSameResidual) {
  Cubes cubes(9);
  cubes.assign();
  const Vector b = cubes.random(1);
  ConjugateGradient cg;
  Vector x, product, z, z_of_b;
  EXPECT_FALSE(testing::solve(cg, cubes.matrix, cubes.jacobi, b, 1e-6, x, 5).converged);
  EXPECT_TRUE(testing::go_on(cg, cubes.matrix, cubes.lattice, x).converged);
  cubes.matrix.multiply(x, product);
  EXPECT_LE(testing::solve(cubes.jacobi, b - product, z), 1.01e-12 * testing::solve(cubes.jacobi, b, z_of_b));
}

}  // namespace
}  // namespace pliant::lattice_test
