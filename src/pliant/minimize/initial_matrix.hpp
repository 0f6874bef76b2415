#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "pliant/linear/cholesky.hpp"
#include "pliant/linear/conjugate_gradient.hpp"
#include "pliant/linear/constant_factor.hpp"
#include "pliant/linear/incomplete_cholesky.hpp"
#include "pliant/linear/kept_factor.hpp"
#include "pliant/linear/merged_matrix.hpp"
#include "pliant/minimize/direction.hpp"

namespace pliant {

/// What stands for the Hessian before a descent has learned anything of it (liu-2018, section 7.3).
class InitialMatrix {
 public:
  virtual ~InitialMatrix() = default;
  /// Takes up a descent, whose first question is `query`; false where the matrix is of no use.
  virtual bool begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) = 0;
  /// Sets the norm of steps and gradients.
  virtual void assign(Objective& objective, BlockJacobi& preconditioner) const = 0;
  /// Says that a step changed the gradient so.
  virtual void learn(const Field& step, const Field& change) {
    static_cast<void>(step);
    static_cast<void>(change);
  }
  virtual void solve(const Field& b, Field& x, DirectionReport& report) = 0;
};

/// The constant matrix of the objective, factored once for each one there is (liu-2018, Eq. 7.11).
class ConstantMatrix final : public InitialMatrix {
 public:
  bool begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) override;
  void assign(Objective& objective, BlockJacobi& preconditioner) const override;
  void solve(const Field& b, Field& x, DirectionReport&) override { current_->factor.solve(b, x); }

 private:
  struct Factored {
    int number;
    ConstantFactor factor;
    BlockJacobi jacobi;
  };
  std::deque<std::unique_ptr<Factored>> factored_;  ///< the one used last comes first
  Factored* current_ = nullptr;
};

/// The same where bodies tear.
class TornMatrix final : public InitialMatrix {
 public:
  explicit TornMatrix(std::shared_ptr<KeptFactor> kept) : kept_(std::move(kept)) {}
  bool begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) override;
  void assign(Objective&, BlockJacobi& preconditioner) const override {
    preconditioner.assign(kept_->diagonal());
  }
  void solve(const Field& b, Field& x, DirectionReport&) override { kept_->solve(b, x); }

 private:
  std::shared_ptr<KeptFactor> kept_;
};

/// The same, solved by a few iterations of conjugate gradients instead.
class ConstantMatrixByCg final : public InitialMatrix {
 public:
  explicit ConstantMatrixByCg(int iterations) : iterations_(iterations) {}
  bool begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) override;
  void assign(Objective& objective, BlockJacobi& preconditioner) const override;
  void solve(const Field& b, Field& x, DirectionReport& report) override;

 private:
  int iterations_;
  int number_ = -1;
  ScalarMatrix matrix_;
  BlockJacobi jacobi_;
  ConjugateGradient cg_;
};

/// A multiple of the identity, by the last step (Nocedal and Wright 2006, Eq. 7.20; Eq. 7.16 of liu-2018 is
/// its inverse).
class ScaledIdentity final : public InitialMatrix {
 public:
  bool begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) override;
  void assign(Objective& objective, BlockJacobi& preconditioner) const override;
  void learn(const Field& step, const Field& change) override;
  void solve(const Field& b, Field& x, DirectionReport& report) override;

 private:
  double inverse_ = 1;
};

/// The Hessian at rest, factored once; `warped`, it rotates with the surroundings of each vertex, as they are
/// at the start of the descent (Mueller et al. 2002).
class RestHessian final : public InitialMatrix {
 public:
  explicit RestHessian(bool warped) : warped_(warped), factor_(make_cholesky()) {}
  bool begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) override;
  void assign(Objective& objective, BlockJacobi& preconditioner) const override;
  void solve(const Field& b, Field& x, DirectionReport& report) override;

 private:
  bool warped_;
  int number_ = -1;
  std::unique_ptr<Cholesky> factor_;
  BlockJacobi jacobi_;
  std::vector<Mat3> rotations_;
  Field rotated_;
};

/// The Hessian at the start of the descent, made definite and factored.
class StartHessian final : public InitialMatrix {
 public:
  StartHessian() : factor_(make_cholesky()) {}
  bool begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) override;
  void assign(Objective& objective, BlockJacobi& preconditioner) const override;
  void solve(const Field& b, Field& x, DirectionReport&) override { factor_->solve(b, x); }

 private:
  std::unique_ptr<Cholesky> factor_;
  MergedMatrix merged_;
  BlockJacobi jacobi_;
};

/// What conjugate gradients on the Hessian at the start are preconditioned with: its diagonal, or an
/// incomplete factorisation of a matrix that is the same for all steps.
enum class CgPreconditioner { jacobi, projective, rest };

/// The same, solved by a few iterations of conjugate gradients instead.
class StartHessianByCg final : public InitialMatrix {
 public:
  StartHessianByCg(int iterations, CgPreconditioner with) : iterations_(iterations), with_(with) {}
  bool begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) override;
  void assign(Objective& objective, BlockJacobi& preconditioner) const override;
  void solve(const Field& b, Field& x, DirectionReport& report) override;

 private:
  bool prepare(Objective& objective);

  int iterations_;
  CgPreconditioner with_;
  int number_ = -1;
  BlockMatrix matrix_;                   ///< where it can be kept
  const Operator* products_ = &matrix_;  ///< or what multiplies by it until the next Hessian is asked for
  BlockJacobi jacobi_;
  IncompleteCholesky incomplete_;
  ConjugateGradient cg_;
};

}  // namespace pliant
