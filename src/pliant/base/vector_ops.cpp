#include "pliant/base/vector_ops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "pliant/base/lanes.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {

bool equal(const Vector& a, const Vector& b) { return a.size() == b.size() && a == b; }

namespace {

constexpr Index kChunk = 8192;

template <class Term>
double sum_range(Index begin, Index end, Term term) {
  LaneSum sum;
  sum.add(begin, end, term);
  return sum.total();
}

/// Sums over all chunks, in their order. A chunk stays in the cache for all of them, one after another: of
/// several at once a compiler makes worse code.
template <class... Terms>
std::array<double, sizeof...(Terms)> sum_all(Index count, Terms... terms) {
  std::vector<std::array<double, sizeof...(Terms)>> parts(static_cast<size_t>((count + kChunk - 1) / kChunk));
  parallel_chunks(count, kChunk,
                  [&](Index begin, Index end) { parts[begin / kChunk] = {sum_range(begin, end, terms)...}; });
  std::array<double, sizeof...(Terms)> sums = {};
  for (const auto& part : parts)
    for (size_t s = 0; s < sums.size(); ++s) sums[s] += part[s];
  return sums;
}

}  // namespace

double dot(const Vector& a, const Vector& b) {
  return parallel_sum(a.size(), kChunk, [&](Index begin, Index end) {
    const double *p = a.data(), *q = b.data();
    return sum_range(begin, end, [p, q](Index i) { return p[i] * q[i]; });
  });
}

double norm(const Vector& a) { return std::sqrt(dot(a, a)); }

double sum(const double* a, Index count) {
  return parallel_sum(count, kChunk, [a](Index begin, Index end) {
    return sum_range(begin, end, [a](Index i) { return a[i]; });
  });
}

Products products(const Vector& a, const Vector& b) {
  const double *p = a.data(), *q = b.data();
  const auto [ab, aa, bb] = sum_all(
      a.size(), [p, q](Index i) { return p[i] * q[i]; }, [p](Index i) { return p[i] * p[i]; },
      [q](Index i) { return q[i] * q[i]; });
  return {ab, aa, bb};
}

Totals totals_of(const Vector& a, const Vector& b) {
  const double *p = a.data(), *q = b.data();
  const auto [magnitude, difference] = sum_all(
      a.size(), [p](Index i) { return std::abs(p[i]); }, [p, q](Index i) { return p[i] - q[i]; });
  return {magnitude, difference};
}

bool all_finite(const Vector& a) {
  const double* p = a.data();
  // What is not finite is no number when multiplied by zero.
  return sum_all(a.size(), [p](Index i) { return 0 * p[i]; })[0] == 0;
}

double longest_vertex(const Vector& a) {
  const double squared = parallel_max(a.size() / 3, kChunk, [&](Index begin, Index end) {
    double largest = 0;
    for (Index v = begin; v < end; ++v) {
      const double* p = a.data() + 3 * v;
      const double here = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
      largest = here <= largest ? largest : std::isnan(here) ? std::numeric_limits<double>::infinity() : here;
    }
    return largest;
  });
  return std::sqrt(squared);
}

void copy(const Vector& x, Vector& y) {
  y.resize(x.size());
  parallel_chunks(x.size(), kChunk, [&](Index begin, Index end) {
    std::copy(x.data() + begin, x.data() + end, y.data() + begin);
  });
}

void set_zero(Index size, Vector& y) {
  y.resize(size);
  parallel_chunks(size, kChunk,
                  [&](Index begin, Index end) { std::fill(y.data() + begin, y.data() + end, 0.0); });
}

void scale(double a, Vector& y) {
  parallel_chunks(y.size(), kChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) y[i] *= a;
  });
}

void add_scaled(double a, const Vector& x, const Vector& y, Vector& z) {
  z.resize(x.size());
  parallel_chunks(x.size(), kChunk, [&](Index begin, Index end) {
    const double *p = x.data(), *q = y.data();
    double* to = z.data();
    for (Index i = begin; i < end; ++i) to[i] = q[i] + a * p[i];
  });
}

void add_scaled(double a, const Vector& x, Vector& y) {
  parallel_chunks(x.size(), kChunk, [&](Index begin, Index end) {
    const double* p = x.data();
    double* q = y.data();
    for (Index i = begin; i < end; ++i) q[i] += a * p[i];
  });
}

void scale_and_add(double a, const Vector& x, Vector& y) {
  parallel_chunks(x.size(), kChunk, [&](Index begin, Index end) {
    const double* p = x.data();
    double* q = y.data();
    for (Index i = begin; i < end; ++i) q[i] = p[i] + a * q[i];
  });
}

}  // namespace pliant
