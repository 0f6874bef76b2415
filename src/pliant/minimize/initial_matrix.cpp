#include "pliant/minimize/initial_matrix.hpp"

#include <algorithm>

#include "pliant/base/parallel.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/base/vector_ops.hpp"

namespace pliant {

namespace {

constexpr size_t kFactorsKept = 4;

/// Three of each.
Vector for_each_axis(const Vector& diagonal) {
  Vector all(3 * diagonal.size());
  for (Index d = 0; d < all.size(); ++d) all[d] = diagonal[d / 3];
  return all;
}

/// So many iterations, whatever the residual: a direction that costs the same wherever it is asked for.
template <class Matrix>
void iterate_on(ConjugateGradient& cg, const Matrix& matrix, const Preconditioner& preconditioner,
                const Vector& b, int iterations, Vector& x, DirectionReport& report) {
  report.cg_iterations += cg.solve(matrix, preconditioner, b, 0, x, iterations).iterations;
}

}  // namespace

bool ConstantMatrix::begin(Objective& objective, const DirectionQuery&, DirectionReport& report) {
  const int number = objective.proxy_number();
  const auto found = std::find_if(factored_.begin(), factored_.end(),
                                  [&](const auto& factored) { return factored->number == number; });
  if (found != factored_.end()) {
    std::rotate(factored_.begin(), found, found + 1);
  } else {
    ScalarMatrix proxy;
    {
      const ScopedTimer timer(report.assembly_seconds);
      proxy = objective.proxy();
    }
    const ScopedTimer timer(report.linear_seconds);
    if (factored_.size() == kFactorsKept) {
      // Its analysis serves the new one too.
      factored_.push_front(std::move(factored_.back()));
      factored_.pop_back();
    } else {
      factored_.push_front(
          std::make_unique<Factored>(number, ConstantFactor(ConstantFactor::Precision::single)));
    }
    Factored& now = *factored_.front();
    now.number = number;
    now.diagonal = for_each_axis(proxy.diagonal());
    if (!now.factor.factor(proxy)) {
      factored_.pop_front();
      current_ = nullptr;
      return false;
    }
  }
  current_ = factored_.front().get();
  return true;
}

void ConstantMatrix::assign(Objective&, BlockJacobi& preconditioner) const {
  preconditioner.assign(current_->diagonal);
}

bool ConstantMatrixByCg::begin(Objective& objective, const DirectionQuery&, DirectionReport& report) {
  const int number = objective.proxy_number();
  if (number == number_) return true;
  const ScopedTimer timer(report.assembly_seconds);
  number_ = number;
  matrix_ = objective.proxy();
  diagonal_ = for_each_axis(matrix_.diagonal());
  jacobi_.assign(diagonal_);
  return true;
}

void ConstantMatrixByCg::assign(Objective&, BlockJacobi& preconditioner) const {
  preconditioner.assign(diagonal_);
}

void ConstantMatrixByCg::solve(const Vector& b, Vector& x, DirectionReport& report) {
  iterate_on(cg_, matrix_, jacobi_, b, iterations_, x, report);
}

bool ScaledIdentity::begin(Objective& objective, const DirectionQuery&, DirectionReport&) {
  inverse_ = static_cast<double>(objective.size()) / objective.metric().sum();
  return true;
}

void ScaledIdentity::assign(Objective& objective, BlockJacobi& preconditioner) const {
  preconditioner.assign(objective.metric());
}

void ScaledIdentity::learn(const Vector& step, const Vector& change) {
  inverse_ = dot(step, change) / dot(change, change);
}

void ScaledIdentity::solve(const Vector& b, Vector& x, DirectionReport&) {
  x = b;
  scale(inverse_, x);
}

bool RestHessian::begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) {
  if (warped_) {
    const ScopedTimer timer(report.assembly_seconds);
    turns_ = objective.turns(query.x);
  }
  const int number = objective.proxy_number();
  if (number == number_) return true;
  const BlockMatrix* matrix = nullptr;
  {
    const ScopedTimer timer(report.assembly_seconds);
    matrix = &objective.rest_hessian();
  }
  const ScopedTimer timer(report.linear_seconds);
  jacobi_.assign(*matrix, objective.metric());
  const bool definite = factor_->factor(*matrix);
  number_ = definite ? number : -1;
  return definite;
}

void RestHessian::assign(Objective&, BlockJacobi& preconditioner) const { preconditioner = jacobi_; }

/// x = R A^-1 R^T b
void RestHessian::solve(const Vector& b, Vector& x, DirectionReport&) {
  if (!warped_) return factor_->solve(b, x);
  constexpr Index kVerticesTurned = 2048;
  turned_.resize(b.size());
  parallel_chunks(std::ssize(turns_), kVerticesTurned, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      turned_.segment<3>(3 * i) = turns_[i].transpose() * b.segment<3>(3 * i);
  });
  factor_->solve(turned_, x);
  parallel_chunks(std::ssize(turns_), kVerticesTurned, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) x.segment<3>(3 * i) = (turns_[i] * x.segment<3>(3 * i)).eval();
  });
}

bool StartHessian::begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) {
  merged_.forget();
  for (const Definiteness definiteness : {Definiteness::none, Definiteness::clamp}) {
    const BlockMatrix* matrix = nullptr;
    {
      const ScopedTimer timer(report.assembly_seconds);
      matrix = &objective.hessian(query.x, definiteness);
    }
    const ScopedTimer timer(report.linear_seconds);
    jacobi_.assign(*matrix, objective.metric());
    if (factor_->factor(merged_.of(*matrix))) return true;
    report.indefinite = true;
  }
  return false;
}

void StartHessian::assign(Objective&, BlockJacobi& preconditioner) const { preconditioner = jacobi_; }

bool StartHessianByCg::begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) {
  {
    const ScopedTimer timer(report.linear_seconds);
    if (!prepare(objective)) return false;
  }
  const ScopedTimer timer(report.assembly_seconds);
  matrix_ = objective.hessian(query.x, Definiteness::clamp);
  jacobi_.assign(matrix_, objective.metric());
  return true;
}

/// The preconditioner that stays.
bool StartHessianByCg::prepare(Objective& objective) {
  const int number = objective.proxy_number();
  if (number == number_ || with_ == CgPreconditioner::jacobi) return true;
  const bool found = with_ == CgPreconditioner::rest ? incomplete_.factor(objective.rest_hessian())
                                                     : incomplete_.factor(objective.proxy());
  number_ = found ? number : -1;
  return found;
}

void StartHessianByCg::assign(Objective&, BlockJacobi& preconditioner) const { preconditioner = jacobi_; }

void StartHessianByCg::solve(const Vector& b, Vector& x, DirectionReport& report) {
  const bool diagonal = with_ == CgPreconditioner::jacobi;
  iterate_on(cg_, matrix_, diagonal ? static_cast<const Preconditioner&>(jacobi_) : incomplete_, b,
             iterations_, x, report);
}

}  // namespace pliant
