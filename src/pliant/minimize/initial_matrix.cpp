#include "pliant/minimize/initial_matrix.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/linear/rotate.hpp"

namespace pliant {

namespace {

constexpr size_t kFactorsKept = 4;

template <class Capability>
Capability& required(Objective& objective) {
  auto* found = dynamic_cast<Capability*>(&objective);
  if (!found)
    throw InputError(
        "lbfgs and local-global start from a constant matrix, which this problem has none of; use newton-cg, "
        "or lbfgs with lbfgs.initial = \"identity\" or \"start\"");
  return *found;
}

/// Of those that factor it.
const BlockMatrix& assembled(const Operator& matrix) {
  if (!matrix.assembled())
    throw InputError("lbfgs cannot factor a Hessian that is given by its products alone; use newton-cg");
  return *matrix.assembled();
}

/// So many iterations, whatever the residual: a direction that costs the same wherever it is asked for.
void iterate_on(ConjugateGradient& cg, const Operator& matrix, const Preconditioner& preconditioner,
                const Field& b, int iterations, Field& x, DirectionReport& report) {
  report.cg_iterations += cg.solve(matrix, preconditioner, b, 0, x, iterations).iterations;
}

}  // namespace

bool ConstantMatrix::begin(Objective& objective, const DirectionQuery&, DirectionReport& report) {
  auto& of = required<ConstantMatrixOf>(objective);
  const int number = of.number();
  const auto found = std::find_if(factored_.begin(), factored_.end(),
                                  [&](const auto& factored) { return factored->number == number; });
  if (found != factored_.end()) {
    std::rotate(factored_.begin(), found, found + 1);
  } else {
    ScalarMatrix matrix;
    {
      const ScopedTimer timer(report.assembly_seconds);
      matrix = of.matrix();
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
    now.jacobi.assign(matrix);
    if (!now.factor.factor(matrix)) {
      factored_.pop_front();
      current_ = nullptr;
      return false;
    }
  }
  current_ = factored_.front().get();
  return true;
}

void ConstantMatrix::assign(Objective&, BlockJacobi& preconditioner) const {
  preconditioner = current_->jacobi;
}

bool TornMatrix::begin(Objective& objective, const DirectionQuery&, DirectionReport& report) {
  auto& of = required<ConstantMatrixOf>(objective);
  double assembly = 0, all = 0;
  bool definite = false;
  {
    const ScopedTimer timer(all);
    definite = kept_->begin(of.number(), of.inertia_weight(), [&] {
      const ScopedTimer timer_of_assembly(assembly);
      return of.matrix();
    });
  }
  report.assembly_seconds += assembly;
  report.linear_seconds += all - assembly;
  return definite;
}

bool ConstantMatrixByCg::begin(Objective& objective, const DirectionQuery&, DirectionReport& report) {
  auto& of = required<ConstantMatrixOf>(objective);
  const int number = of.number();
  if (number == number_) return true;
  const ScopedTimer timer(report.assembly_seconds);
  number_ = number;
  matrix_ = of.matrix();
  jacobi_.assign(matrix_);
  return true;
}

void ConstantMatrixByCg::assign(Objective&, BlockJacobi& preconditioner) const { preconditioner = jacobi_; }

void ConstantMatrixByCg::solve(const Field& b, Field& x, DirectionReport& report) {
  iterate_on(cg_, matrix_, jacobi_, b, iterations_, x, report);
}

bool ScaledIdentity::begin(Objective& objective, const DirectionQuery&, DirectionReport&) {
  inverse_ = static_cast<double>(objective.layout().size()) / sum_of_free(objective.metric(), {});
  return true;
}

void ScaledIdentity::assign(Objective& objective, BlockJacobi& preconditioner) const {
  preconditioner.assign(objective.metric());
}

void ScaledIdentity::learn(const Field& step, const Field& change) {
  inverse_ = dot(step, change) / dot(change, change);
}

void ScaledIdentity::solve(const Field& b, Field& x, DirectionReport&) {
  copy(b, x);
  scale(inverse_, x);
}

bool RestHessian::begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) {
  auto& frame = required<RestFrame>(objective);
  if (warped_) {
    const ScopedTimer timer(report.assembly_seconds);
    rotations_ = frame.rotations(query.x);
  }
  const int number = frame.number();
  if (number == number_) return true;
  const BlockMatrix* matrix = nullptr;
  {
    const ScopedTimer timer(report.assembly_seconds);
    matrix = &assembled(frame.rest_hessian());
  }
  const ScopedTimer timer(report.linear_seconds);
  jacobi_.assign(*matrix, objective.metric());
  const bool definite = factor_->factor(*matrix);
  number_ = definite ? number : -1;
  return definite;
}

void RestHessian::assign(Objective&, BlockJacobi& preconditioner) const { preconditioner = jacobi_; }

/// x = R A^-1 R^T b
void RestHessian::solve(const Field& b, Field& x, DirectionReport&) {
  if (!warped_) return factor_->solve(b, x);
  rotate_back(rotations_, b, rotated_);
  factor_->solve(rotated_, x);
  rotate(rotations_, x);
}

bool StartHessian::begin(Objective& objective, const DirectionQuery& query, DirectionReport& report) {
  merged_.forget();
  for (const Definiteness definiteness : {Definiteness::none, Definiteness::clamp}) {
    const BlockMatrix* matrix = nullptr;
    {
      const ScopedTimer timer(report.assembly_seconds);
      matrix = &assembled(objective.hessian(query.x, definiteness));
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
  const Operator& hessian = objective.hessian(query.x, Definiteness::clamp);
  products_ = &hessian;
  if (const BlockMatrix* blocks = hessian.assembled()) {
    matrix_ = *blocks;
    products_ = &matrix_;
  }
  jacobi_.assign(*products_, objective.metric());
  return true;
}

/// The preconditioner that stays.
bool StartHessianByCg::prepare(Objective& objective) {
  if (with_ == CgPreconditioner::jacobi) return true;
  auto& frame = required<RestFrame>(objective);
  const int number = frame.number();
  if (number == number_) return true;
  const bool found = with_ == CgPreconditioner::rest ? incomplete_.factor(assembled(frame.rest_hessian()))
                                                     : incomplete_.factor(frame.matrix());
  number_ = found ? number : -1;
  return found;
}

void StartHessianByCg::assign(Objective&, BlockJacobi& preconditioner) const { preconditioner = jacobi_; }

void StartHessianByCg::solve(const Field& b, Field& x, DirectionReport& report) {
  const bool diagonal = with_ == CgPreconditioner::jacobi;
  iterate_on(cg_, *products_, diagonal ? static_cast<const Preconditioner&>(jacobi_) : incomplete_, b,
             iterations_, x, report);
}

}  // namespace pliant
