#pragma once

#include <Eigen/Core>

namespace pliant::testing {

// Answers to compare with, compiled once: each of these decompositions takes the compiler seconds.

struct Eigenpairs {
  Eigen::VectorXd values;  ///< increasing
  Eigen::MatrixXd vectors;
};
Eigenpairs eigenpairs(const Eigen::MatrixXd& symmetric);
Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& symmetric);

/// X of A X = B, for any A that has an inverse.
Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

}  // namespace pliant::testing
