#pragma once

#include <memory>

#include "pliant/linear/cholesky.hpp"
#include "pliant/linear/conjugate_gradient.hpp"
#include "pliant/linear/lattice_preconditioner.hpp"
#include "pliant/linear/minres.hpp"
#include "pliant/minimize/direction.hpp"

namespace pliant {

/// Newton's direction by conjugate gradients, no more exactly than the distance to the minimum deserves: to
/// the relative tolerance min(1/2, sigma sqrt(max(residual, tau))), and only as far as the matrix is found
/// definite (gast-2014, section 3.1). Preconditioned by a lattice where that saves more than it costs. Later
/// iterations, which only hard problems see, are worth more effort.
class NewtonCg final : public Direction {
 public:
  explicit NewtonCg(double sigma) : sigma_(sigma) {}
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Vector& step) override;

 private:
  double expected_iterations(const Objective& objective, double relative_tolerance) const;
  ConjugateGradient::Report solve(const BlockMatrix& H, const Objective& objective, double tolerance,
                                  Vector& step, DirectionReport& report);

  double sigma_;
  LatticePreconditioner lattice_;
  ConjugateGradient cg_;
  Vector rhs_;
};

/// Newton's direction by factorisation: of the Hessian itself where it is definite, otherwise with element
/// Hessians made definite.
class NewtonCholesky final : public Direction {
 public:
  NewtonCholesky() : factor_(make_cholesky()) {}
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Vector& step) override;

 private:
  std::unique_ptr<Cholesky> factor_;
  Vector rhs_;
};

/// Solves with the Hessian as it is, definite or not, by the minimal residual method. The step may lead
/// uphill.
class MinresDirection : public Direction {
 protected:
  DirectionReport solve(Objective& objective, const DirectionQuery& query, double relative_tolerance,
                        int max_iterations, Vector& step);

 private:
  Minres minres_;
  Vector rhs_;
};

/// Newton's direction by the minimal residual method, as exactly as that by conjugate gradients, and not
/// ended early where the matrix is indefinite (gast-2014, section 3.1).
class NewtonMinres final : public MinresDirection {
 public:
  explicit NewtonMinres(double sigma) : sigma_(sigma) {}
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Vector& step) override;

 private:
  double sigma_;
};

/// Newton's method for root finding: full accuracy whatever the distance. For comparison.
class NewtonRoot final : public MinresDirection {
 public:
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Vector& step) override;
};

/// Steepest descent in the metric of the objective. For comparison.
class SteepestDescent final : public Direction {
 public:
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Vector& step) override;
};

}  // namespace pliant
