#pragma once

// Quadratic programs of a block, for tests.

#include "meshes.hpp"
#include "pliant/base/random.hpp"
#include "pliant/contact/quadratic_program.hpp"
#include "pliant/linear/cholesky.hpp"
#include "pliant/potential/solid.hpp"

namespace pliant::testing {

/// A row of G: sum_k coefficients[k] . v of vertices[k], and what it must be.
struct BoundRow : VelocityBound {
  std::array<int, 4> vertices{-1, -1, -1, -1};  ///< different ones; -1 where there are fewer
  std::array<Vec3, 4> coefficients{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
};

/// A program of a block: inertia and stiffness, and some bounds.
struct Program {
  BlockPattern pattern;
  BlockMatrix C;
  Vector c;
  std::vector<BoundRow> bounds;

  explicit Program(int cells = 1) {
    const TetMesh mesh = cube(cells);
    const auto solid = make_solid("fixed-corotated", mesh, 0, lame(1e3, 0.3));
    std::vector<std::pair<int, int>> edges;
    solid->add_pattern(edges);
    pattern = BlockPattern(static_cast<int>(mesh.vertices.size()), edges);
    solid->attach(pattern);
    C = BlockMatrix(pattern);
    C.set_zero();
    solid->add_hessian(positions(mesh), Definiteness::clamp, C);
    C.add_diagonal(Vector::Constant(3 * pattern.rows(), 50));
    const Vector predicted = random_vector(3 * pattern.rows(), 3);
    C.multiply(predicted, c);
  }

  Index size() const { return 3 * pattern.rows(); }
  Eigen::MatrixXd dense() const {
    Eigen::MatrixXd matrix(size(), size());
    Vector column;
    for (Index d = 0; d < size(); ++d) {
      C.multiply(Vector::Unit(size(), d), column);
      matrix.col(d) = column;
    }
    return matrix;
  }
  Eigen::MatrixXd G() const {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(std::ssize(bounds), size());
    for (size_t r = 0; r < bounds.size(); ++r)
      for (int k = 0; k < 4 && bounds[r].vertices[k] >= 0; ++k)
        matrix.block<1, 3>(static_cast<Index>(r), 3 * Index{bounds[r].vertices[k]}) +=
            bounds[r].coefficients[k].transpose();
    return matrix;
  }
  Vector least() const {
    Vector values(std::ssize(bounds));
    for (size_t r = 0; r < bounds.size(); ++r) values[static_cast<Index>(r)] = bounds[r].least;
    return values;
  }
  Vector limit() const {
    Vector values(std::ssize(bounds));
    for (size_t r = 0; r < bounds.size(); ++r) values[static_cast<Index>(r)] = bounds[r].limit;
    return values;
  }
  /// From and to `multipliers`.
  ProgramReport solve(Vector& v, Vector& multipliers, const QuadraticProgram::Options& options = {}) const {
    const Eigen::MatrixXd rows = G();
    const auto factor = make_cholesky();
    factor->factor(C);
    const Eigen::MatrixXd moves = factor->solve_all(rows.transpose());
    Vector predicted;
    factor->solve(c, predicted);
    const std::vector<VelocityBound> simple(bounds.begin(), bounds.end());
    const ProgramReport report =
        QuadraticProgram(options).solve(rows * moves, rows * predicted, simple, multipliers);
    v = predicted + moves * multipliers;
    return report;
  }
  void add_random(int count, unsigned seed) {
    Random random(seed);
    const auto number = [&] { return 2 * random.uniform() - 1; };
    for (int i = 0; i < count; ++i) {
      BoundRow bound;
      const int corners = i % 2 == 0 ? 1 : 4;
      const int first = static_cast<int>(random.uniform() * (pattern.rows() - 4));
      for (int k = 0; k < corners; ++k) {
        bound.vertices[k] = first + k;
        bound.coefficients[k] = (i % 3 == 0 ? 1e-3 : 1) * Vec3(number(), number(), number());
      }
      bound.least = (i % 3 == 0 ? 1e-3 : 1) * 0.3 * number();
      bounds.push_back(bound);
    }
  }
};

}  // namespace pliant::testing
