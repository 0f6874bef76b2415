#pragma once

#include <vector>

#include "pliant/contact/quadratic_program.hpp"

namespace pliant {

/// The program of some contacts with Coulomb friction. Row k is the normal of contact k; with friction, rows
/// count + 2 k and count + 2 k + 1 are two tangents there, of unit length and perpendicular to each other.
///
/// Normal impulses limit those of friction, and depend on them: a few programs in turn, each with the limits
/// that follow from the answer before (staggered projections, Kaufman et al. 2008). Between them the tangents
/// turn along the sliding, so that friction comes to oppose it; what is too much is cut back. Where they do
/// not settle, sweeps over the contacts go on from the best of them. No friction is ever larger than its
/// coefficient times the normal impulse beside it. `ProgramReport::error` says what is left of Coulomb's
/// conditions.
struct FrictionProgram {
  struct Options {
    int rounds = 20;          ///< programs in turn, at most
    int sweeps = 1000;        ///< over all contacts, at most, where the programs do not settle
    double tolerance = 1e-4;  ///< of the error, below which there is no other round
    double enough = 1e-2;     ///< of the error, above which the answer is inaccurate
  };

  Eigen::MatrixXd A;             ///< as in QuadraticProgram
  Vector free, least;            ///< of each row: without impulses, and what it must be, m/s
  std::vector<double> friction;  ///< coefficient of each contact

  bool rubs() const { return least.size() > std::ssize(friction); }
  /// See QuadraticProgram::solve.
  ProgramReport solve(const Options& options, Vector& impulses) const;
};

}  // namespace pliant
