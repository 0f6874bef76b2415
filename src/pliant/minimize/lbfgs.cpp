#include "pliant/minimize/lbfgs.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/parallel.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/base/vector_ops.hpp"

namespace pliant {

namespace {

constexpr Index kAtOnce = 8192;
constexpr size_t kFactorsKept = 4;

/// y += a x; returns s . y of the result. `s` may be null.
double add_and_dot(double a, const std::vector<float>& x, const std::vector<float>* s, Vector& y) {
  return parallel_sum(y.size(), kAtOnce, [&](Index begin, Index end) {
    constexpr int kAtTheSameTime = 8;
    double sums[kAtTheSameTime] = {};
    double* to = y.data();
    const float* from = x.data();
    Index i = begin;
    if (!s) {
      for (; i < end; ++i) to[i] += a * from[i];
      return 0.0;
    }
    const float* with = s->data();
    for (; i + kAtTheSameTime <= end; i += kAtTheSameTime)
      for (int k = 0; k < kAtTheSameTime; ++k) {
        to[i + k] += a * from[i + k];
        sums[k] += with[i + k] * to[i + k];
      }
    for (int k = 0; i < end; ++i, ++k) {
      to[i] += a * from[i];
      sums[k] += with[i] * to[i];
    }
    double sum = 0;
    for (const double part : sums) sum += part;
    return sum;
  });
}

double dot_of(const std::vector<float>& s, const Vector& y) {
  return parallel_sum(y.size(), kAtOnce, [&](Index begin, Index end) {
    constexpr int kAtTheSameTime = 8;
    double sums[kAtTheSameTime] = {};
    const double* to = y.data();
    const float* with = s.data();
    Index i = begin;
    for (; i + kAtTheSameTime <= end; i += kAtTheSameTime)
      for (int k = 0; k < kAtTheSameTime; ++k) sums[k] += with[i + k] * to[i + k];
    for (int k = 0; i < end; ++i, ++k) sums[k] += with[i] * to[i];
    double sum = 0;
    for (const double part : sums) sum += part;
    return sum;
  });
}

void zero_fixed(std::span<const char> fixed, Vector& step) {
  parallel_chunks(std::ssize(fixed), kAtOnce, [&](Index begin, Index end) {
    for (Index d = begin; d < end; ++d)
      if (fixed[d]) step[d] = 0;
  });
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
    const Vector diagonal = proxy.diagonal();
    now.diagonal.resize(3 * diagonal.size());
    for (Index d = 0; d < now.diagonal.size(); ++d) now.diagonal[d] = diagonal[d / 3];
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

void Lbfgs::learn(const Vector& step, const Vector& before, const Vector& after) {
  // Curvature that is not clearly positive would make the matrix indefinite.
  constexpr double kLeast = 1e-8;
  rest_ = after - before;
  const double product = dot(step, rest_);
  if (!(product > kLeast * norm(step) * norm(rest_))) return;
  Pair pair;
  if (std::ssize(pairs_) == window_) {
    pair = std::move(pairs_.front());
    pairs_.pop_front();
  }
  pair.step.resize(step.size());
  pair.change.resize(step.size());
  parallel_chunks(step.size(), kAtOnce, [&](Index begin, Index end) {
    for (Index d = begin; d < end; ++d) {
      pair.step[d] = static_cast<float>(step[d]);
      pair.change[d] = static_cast<float>(rest_[d]);
    }
  });
  pair.product = product;
  pairs_.push_back(std::move(pair));
}

DirectionReport Lbfgs::compute(Objective& objective, const DirectionQuery& query, Vector& step) {
  DirectionReport report;
  if (query.iteration == 1) {
    pairs_.clear();
    if (!initial_->begin(objective, query, report)) {
      preconditioner_.assign(objective.metric());
      report.failed = true;
      return report;
    }
    initial_->assign(objective, preconditioner_);
  }
  const ScopedTimer timer(report.linear_seconds);
  report.linear_solves = 1;
  report.downhill = true;
  rest_ = query.gradient;
  if (!pairs_.empty()) pairs_.back().factor = dot_of(pairs_.back().step, rest_) / pairs_.back().product;
  for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair) {
    const auto next = std::next(pair);
    const double product =
        add_and_dot(-pair->factor, pair->change, next == pairs_.rend() ? nullptr : &next->step, rest_);
    if (next != pairs_.rend()) next->factor = product / next->product;
  }
  initial_->solve(rest_, step);
  double product = pairs_.empty() ? 0 : dot_of(pairs_.front().change, step);
  for (auto pair = pairs_.begin(); pair != pairs_.end(); ++pair) {
    const auto next = std::next(pair);
    product = add_and_dot(pair->factor - product / pair->product, pair->step,
                          next == pairs_.end() ? nullptr : &next->change, step);
  }
  zero_fixed(objective.fixed(), step);
  objective.restrict(step);
  scale(-1, step);
  return report;
}

}  // namespace pliant
