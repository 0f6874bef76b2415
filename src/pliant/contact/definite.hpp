#pragma once

#include <Eigen/Eigenvalues>

#include "pliant/kernel/definiteness.hpp"
#include "pliant/linear/block_matrix.hpp"

namespace pliant {

/// A small symmetric matrix with its negative eigenvalues treated as said.
template <int N>
Eigen::Matrix<double, N, N> made_definite(const Eigen::Matrix<double, N, N>& matrix,
                                          Definiteness definiteness) {
  if (definiteness == Definiteness::none) return matrix;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, N, N>> solver(matrix);
  if (solver.eigenvalues()[0] >= 0) return matrix;
  const Eigen::Matrix<double, N, 1> kept = definiteness == Definiteness::abs
                                               ? solver.eigenvalues().cwiseAbs().eval()
                                               : solver.eigenvalues().cwiseMax(0.0).eval();
  return solver.eigenvectors() * kept.asDiagonal() * solver.eigenvectors().transpose();
}

}  // namespace pliant
