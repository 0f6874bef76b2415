#include "pliant/minimize/lbfgs.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/parallel.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/base/vector_ops.hpp"

namespace pliant {

namespace {

constexpr Index kAtOnce = 4096;  ///< so that a piece of a vector stays in the cache for all pairs

double dot_of(const float* s, const double* y, Index begin, Index end) {
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

/// The products of several vectors with one, in one pass over memory.
std::vector<double> products(const std::vector<const float*>& with, const Vector& y) {
  const Index chunks = (y.size() + kAtOnce - 1) / kAtOnce, count = std::ssize(with);
  std::vector<double> parts(chunks * count);
  parallel_chunks(y.size(), kAtOnce, [&](Index begin, Index end) {
    for (Index k = 0; k < count; ++k)
      parts[begin / kAtOnce * count + k] = dot_of(with[k], y.data(), begin, end);
  });
  std::vector<double> sums(count, 0.0);
  for (Index p = 0; p < std::ssize(parts); ++p) sums[p % count] += parts[p];
  return sums;
}

/// y += sum of factors times vectors, in one pass over memory.
void add_all(const std::vector<const float*>& vectors, const std::vector<double>& factors, Vector& y) {
  parallel_chunks(y.size(), kAtOnce, [&](Index begin, Index end) {
    double* to = y.data();
    for (size_t k = 0; k < vectors.size(); ++k) {
      const float* from = vectors[k];
      const double factor = factors[k];
      for (Index i = begin; i < end; ++i) to[i] += factor * from[i];
    }
  });
}

void zero_fixed(std::span<const char> fixed, Vector& step) {
  parallel_chunks(std::ssize(fixed), kAtOnce, [&](Index begin, Index end) {
    for (Index d = begin; d < end; ++d)
      if (fixed[d]) step[d] = 0;
  });
}

}  // namespace

void Lbfgs::learn(const Vector& step, const Vector& before, const Vector& after) {
  // Curvature that is not clearly positive would make the matrix indefinite.
  constexpr double kLeast = 1e-8;
  rest_ = after - before;
  const double product = dot(step, rest_);
  if (!(product > kLeast * norm(step) * norm(rest_))) return;
  initial_->learn(step, rest_);
  Pair pair;
  if (std::ssize(pairs_) == window_) {
    pair.step.swap(pairs_.front().step);
    pair.change.swap(pairs_.front().change);
    forget();
  }
  pair.step.resize(step.size());
  pair.change.resize(step.size());
  parallel_chunks(step.size(), kAtOnce, [&](Index begin, Index end) {
    for (Index d = begin; d < end; ++d) {
      pair.step[d] = static_cast<float>(step[d]);
      pair.change[d] = static_cast<float>(rest_[d]);
    }
  });
  pair.products = products(steps(), rest_);
  pair.products.push_back(product);
  pairs_.push_back(std::move(pair));
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
  rest_ = query.gradient;
  // The two loops of algorithm 4. The products that they need follow from those with the first vector of each
  // and from those of pairs with each other, which do not change.
  const Index count = std::ssize(pairs_);
  const std::vector<const float*> s = steps(), t = changes();
  std::vector<double> zeta = products(s, rest_), away(count);
  for (Index i = count - 1; i >= 0; --i) {
    for (Index newer = i + 1; newer < count; ++newer) zeta[i] -= zeta[newer] * pairs_[newer].products[i];
    zeta[i] /= pairs_[i].products[i];
    away[i] = -zeta[i];
  }
  add_all(t, away, rest_);
  initial_->solve(rest_, step, report);
  std::vector<double> back = products(t, step);
  for (Index i = 0; i < count; ++i) {
    for (Index older = 0; older < i; ++older) back[i] += back[older] * pairs_[i].products[older];
    back[i] = zeta[i] - back[i] / pairs_[i].products[i];
  }
  add_all(s, back, step);
  zero_fixed(objective.fixed(), step);
  objective.restrict(step);
  scale(-1, step);
  return report;
}

}  // namespace pliant
