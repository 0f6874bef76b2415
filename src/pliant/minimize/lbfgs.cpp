#include "pliant/minimize/lbfgs.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/parallel.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/base/vector_ops.hpp"

namespace pliant {

namespace {

constexpr Index kAtOnce = 4096;  ///< so that a piece of a vector stays in the cache for all pairs

template <class Real>
double dot_of(const Real* s, const double* y, Index begin, Index end) {
  constexpr int kAtTheSameTime = 8;
  double sums[kAtTheSameTime] = {};
  Index i = begin;
  for (; i + kAtTheSameTime <= end; i += kAtTheSameTime)
    for (int k = 0; k < kAtTheSameTime; ++k) sums[k] += s[i + k] * y[i + k];
  for (int k = 0; i < end; ++i, ++k) sums[k] += s[i] * y[i];
  double sum = 0;
  for (const double part : sums) sum += part;
  return sum;
}

/// Sums of several quantities, each given for pieces of a vector, in the order of the pieces.
template <class Parts>
std::vector<double> sum_pieces(Index size, Index quantities, const Parts& parts) {
  std::vector<double> all((size + kAtOnce - 1) / kAtOnce * quantities);
  parallel_chunks(size, kAtOnce, [&](Index begin, Index end) {
    parts(begin, end, all.data() + begin / kAtOnce * quantities);
  });
  std::vector<double> sums(quantities, 0.0);
  for (Index p = 0; p < std::ssize(all); ++p) sums[p % quantities] += all[p];
  return sums;
}

/// The products of several vectors with one, in one pass over memory.
std::vector<double> products_with(const std::vector<const float*>& several, const Vector& y) {
  return sum_pieces(y.size(), std::ssize(several), [&](Index begin, Index end, double* to) {
    for (const float* with : several) *to++ = dot_of(with, y.data(), begin, end);
  });
}

/// y += sum of factors times vectors, for a piece of them that stays in the cache.
void add_piece(const std::vector<const float*>& vectors, const std::vector<double>& factors, Index begin,
               Index end, double* y) {
  for (size_t k = 0; k < vectors.size(); ++k) {
    const float* from = vectors[k];
    const double factor = factors[k];
    for (Index i = begin; i < end; ++i) y[i] += factor * from[i];
  }
}

}  // namespace

void Lbfgs::learn(const Vector& step, const Vector& before, const Vector& after) {
  const Index size = step.size();
  rest_.resize(size);
  next_.step.resize(size);
  next_.change.resize(size);
  const std::vector<const float*> older = steps();
  const Index own = std::ssize(older);
  // The change, the pair in single precision, and all products of it, in one pass.
  std::vector<double> sums = sum_pieces(size, own + 3, [&](Index begin, Index end, double* to) {
    const double *s = step.data(), *g = before.data(), *h = after.data();
    double* y = rest_.data();
    for (Index i = begin; i < end; ++i) {
      y[i] = h[i] - g[i];
      next_.step[i] = static_cast<float>(s[i]);
      next_.change[i] = static_cast<float>(y[i]);
    }
    for (const float* with : older) *to++ = dot_of(with, y, begin, end);
    *to++ = dot_of(s, y, begin, end);
    *to++ = dot_of(s, s, begin, end);
    *to++ = dot_of(y, y, begin, end);
  });
  // Curvature that is not clearly positive would make the matrix indefinite.
  constexpr double kLeast = 1e-8;
  if (!(sums[own] > kLeast * std::sqrt(sums[own + 1]) * std::sqrt(sums[own + 2]))) return;
  initial_->learn(step, rest_);
  sums.resize(own + 1);
  next_.products = std::move(sums);
  pairs_.push_back(std::move(next_));
  next_ = {};
  if (std::ssize(pairs_) > window_) {
    next_ = std::move(pairs_.front());
    forget();
  }
}

std::vector<const float*> Lbfgs::steps() const {
  std::vector<const float*> all;
  for (const Pair& pair : pairs_) all.push_back(pair.step.data());
  return all;
}

std::vector<const float*> Lbfgs::changes() const {
  std::vector<const float*> all;
  for (const Pair& pair : pairs_) all.push_back(pair.change.data());
  return all;
}

/// Forgets the oldest.
void Lbfgs::forget() {
  pairs_.pop_front();
  for (Pair& pair : pairs_) pair.products.erase(pair.products.begin());
}

DirectionReport Lbfgs::compute(Objective& objective, const DirectionQuery& query, Vector& step) {
  DirectionReport report;
  if (query.iteration == 1) {
    pairs_.clear();
    usable_ = initial_->begin(objective, query, report);
    if (usable_)
      initial_->assign(objective, preconditioner_);
    else
      preconditioner_.assign(objective.metric());
  }
  if (!usable_) {
    report.failed = true;
    return report;
  }
  const auto worth = static_cast<Index>(std::lround(window_ * (1 - query.renewed)));
  while (std::ssize(pairs_) > worth) forget();
  const ScopedTimer timer(report.linear_seconds);
  report.linear_solves = 1;
  report.downhill = true;
  // The two loops of algorithm 4. The products that they need follow from those with the first vector of each
  // and from those of pairs with each other, which do not change.
  const Index count = std::ssize(pairs_);
  const std::vector<const float*> s = steps(), t = changes();
  std::vector<double> zeta = products_with(s, query.gradient), away(count);
  for (Index i = count - 1; i >= 0; --i) {
    for (Index newer = i + 1; newer < count; ++newer) zeta[i] -= zeta[newer] * pairs_[newer].products[i];
    zeta[i] /= pairs_[i].products[i];
    away[i] = -zeta[i];
  }
  const Index size = query.gradient.size();
  if (count > 0) {
    rest_.resize(size);
    parallel_chunks(size, kAtOnce, [&](Index begin, Index end) {
      std::copy(query.gradient.data() + begin, query.gradient.data() + end, rest_.data() + begin);
      add_piece(t, away, begin, end, rest_.data());
    });
  }
  initial_->solve(count > 0 ? rest_ : query.gradient, step, report);
  std::vector<double> back = products_with(t, step);
  for (Index i = 0; i < count; ++i) {
    for (Index older = 0; older < i; ++older) back[i] += back[older] * pairs_[i].products[older];
    back[i] = zeta[i] - back[i] / pairs_[i].products[i];
  }
  const std::span<const char> fixed = objective.fixed();
  parallel_chunks(size, kAtOnce, [&](Index begin, Index end) {
    double* to = step.data();
    add_piece(s, back, begin, end, to);
    for (Index d = begin; d < end; ++d) to[d] = !fixed.empty() && fixed[d] ? 0 : -to[d];
  });
  objective.restrict(step);
  return report;
}

}  // namespace pliant
