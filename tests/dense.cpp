#include "dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace pliant::testing {

Eigenpairs eigenpairs(const Eigen::MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& symmetric) { return eigenpairs(symmetric).values; }

Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return A.partialPivLu().solve(B);
}

}  // namespace pliant::testing
