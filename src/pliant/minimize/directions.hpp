#pragma once

#include <memory>

#include "pliant/linear/cholesky.hpp"
#include "pliant/linear/conjugate_gradient.hpp"
#include "pliant/linear/lattice_preconditioner.hpp"
#include "pliant/linear/lu.hpp"
#include "pliant/linear/merged_matrix.hpp"
#include "pliant/linear/minres.hpp"
#include "pliant/minimize/direction.hpp"

namespace pliant {

/// What is done where the Hessian is indefinite: the last iterate of conjugate gradients is taken
/// (gast-2014), or the system is solved again with element Hessians made definite.
enum class Indefinite { truncate, project };

/// Newton's direction for descents that creep among indefinite matrices, by factorisation of
/// (1 - s) H + s C: H is the Hessian, C that with element Hessians made definite. C itself, s = 1, can be
/// far too stiff: where a body under stress of its own turns, stiff elements balance in H and not in C. It
/// can also be far too soft: elements turned inside out have hardly any stiffness left, and steps lead too
/// far. At s = 2 their eigenvalues count with their absolute values. So s is made larger where
/// the matrix is indefinite or the last step was cut short, and smaller where that was not. Fails where
/// neither that nor C itself is definite.
class NewtonBlended final : public Direction {
 public:
  NewtonBlended() : factor_(make_cholesky()) {}
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Field& step) override;

 private:
  void adapt(double length);
  bool solve(const BlockMatrix& matrix, const Field& metric, Field& step, DirectionReport& report);

  static constexpr double kLeast = 1e-6, kMost = 2, kRaise = 4;  ///< of the share, unless that is zero
  double share_ = 1;                                             ///< s
  std::unique_ptr<Cholesky> factor_;
  MergedMatrix merged_;
  BlockMatrix hessian_, blended_;
  Field rhs_;
};

/// Newton's direction by conjugate gradients, no more exactly than the distance to the minimum deserves: to
/// the relative tolerance min(1/2, sigma sqrt(max(residual, tau))) (gast-2014, section 3.1), and to a
/// thousandth in long descents. Preconditioned by a lattice where that saves more than it costs. With a
/// number of iterations given, no more are taken than these, with block Jacobi. Without, a descent that
/// creeps although these solves cost as much as factorisations goes on with NewtonBlended.
class NewtonCg final : public Direction {
 public:
  explicit NewtonCg(double sigma, Indefinite indefinite = Indefinite::project, int iterations = 0)
      : sigma_(sigma), indefinite_(indefinite), iterations_(iterations) {}
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Field& step) override;

 private:
  double expected_iterations(const Objective& objective, double relative_tolerance) const;
  bool solve(Objective& objective, const DirectionQuery& query, Definiteness definiteness, double tolerance,
             Field& step, DirectionReport& report);
  void keep_going(const Field& gradient, Field& step);
  bool is_time_to_blend(const DirectionQuery& query) const;
  DirectionReport blend(Objective& objective, DirectionQuery query, Field& step);

  double sigma_;
  Indefinite indefinite_;
  int iterations_;
  LatticePreconditioner lattice_;
  ConjugateGradient cg_;
  Field rhs_;
  bool assembled_ = false;   ///< the Hessian is there as a matrix
  bool projecting_ = false;  ///< the Hessian was indefinite when last looked at
  /// Of the last iteration, if that projected; else the second is empty. The step is the one taken.
  Field last_gradient_, last_newton_, last_step_;
  int last_cg_iterations_ = 0;
  std::unique_ptr<NewtonBlended> blended_;                                      ///< made when first needed
  enum class Blending { not_yet, used, failed } blending_ = Blending::not_yet;  ///< in this descent
};

/// Newton's direction by factorisation: of the Hessian itself where it is definite, otherwise with element
/// Hessians made definite.
class NewtonCholesky final : public Direction {
 public:
  NewtonCholesky() : factor_(make_cholesky()) {}
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Field& step) override;

 private:
  std::unique_ptr<Cholesky> factor_;
  MergedMatrix merged_;
  Field rhs_;
};

/// Newton's direction by factorisation, of the Hessian with as much of its mean diagonal added to it as makes
/// it definite, found by trying (liu-2018, section 4.2.2). For comparison.
class NewtonTikhonov final : public Direction {
 public:
  NewtonTikhonov() : factor_(make_cholesky()) {}
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Field& step) override;

 private:
  std::unique_ptr<Cholesky> factor_;
  MergedMatrix merged_;
  BlockMatrix shifted_;
  Field rhs_;
};

/// Newton's direction by factorisation of the Hessian as it is: Cholesky's, and LU where it is indefinite
/// (loschner-2020, section 5.3). The step may lead uphill.
class NewtonDirect final : public Direction {
 public:
  NewtonDirect() : factor_(make_cholesky()) {}
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Field& step) override;

 private:
  std::unique_ptr<Cholesky> factor_;
  Lu lu_;
  MergedMatrix merged_;
  Field rhs_;
};

/// Solves with the Hessian as it is, definite or not, by the minimal residual method. The step may lead
/// uphill.
class MinresDirection : public Direction {
 protected:
  DirectionReport solve(Objective& objective, const DirectionQuery& query, double relative_tolerance,
                        int max_iterations, Field& step);

 private:
  Minres minres_;
  Field rhs_;
};

/// Newton's direction by the minimal residual method, as exactly as that by conjugate gradients, and not
/// ended early where the matrix is indefinite (gast-2014, section 3.1).
class NewtonMinres final : public MinresDirection {
 public:
  explicit NewtonMinres(double sigma) : sigma_(sigma) {}
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Field& step) override;

 private:
  double sigma_;
};

/// Newton's method for root finding: full accuracy whatever the distance. For comparison.
class NewtonRoot final : public MinresDirection {
 public:
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Field& step) override;
};

/// Steepest descent in the metric of the objective. For comparison.
class SteepestDescent final : public Direction {
 public:
  DirectionReport compute(Objective& objective, const DirectionQuery& query, Field& step) override;
};

}  // namespace pliant
