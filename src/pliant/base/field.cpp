#include "pliant/base/field.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "pliant/base/parallel.hpp"

namespace pliant {

namespace {
constexpr Index kOfFields = 8192;
}

UnknownLayout make_layout(Index blocks) {
  static std::atomic<std::uint64_t> made = 0;
  return {++made, blocks};
}

double largest(const Field& a) {
  const double* p = a.host().data();
  return parallel_max(a.size(), kOfFields, [p](Index begin, Index end) {
    double most = 0;
    for (Index i = begin; i < end; ++i) most = std::max(most, std::abs(p[i]));
    return most;
  });
}

void negate(const Field& x, Field& y) {
  y.host().resize(x.size());
  const double* from = x.host().data();
  double* to = y.host().data();
  parallel_chunks(x.size(), kOfFields, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) to[i] = -from[i];
  });
}

void divide(double a, Field& y) {
  double* to = y.host().data();
  parallel_chunks(y.size(), kOfFields, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) to[i] /= a;
  });
}

void advance(double a, const Field& p, const Field& q, Field& x, Field& r) {
  const double *along = p.host().data(), *back = q.host().data();
  double *to = x.host().data(), *left = r.host().data();
  parallel_chunks(x.size(), kOfFields, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      to[i] += a * along[i];
      left[i] -= a * back[i];
    }
  });
}

void clear_where(Mask held, Field& y) {
  double* to = y.host().data();
  parallel_chunks(std::ssize(held), kOfFields, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      if (held[i]) to[i] = 0;
  });
}

void take_where(Mask held, bool is_held, const Field& x, Field& y) {
  const double* from = x.host().data();
  double* to = y.host().data();
  parallel_chunks(y.size(), kOfFields, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      if ((!held.empty() && held[i]) == is_held) to[i] = from[i];
  });
}

double sum_of_free(const Field& a, Mask held) {
  const double* p = a.host().data();
  return parallel_sum(a.size(), kOfFields, [=](Index begin, Index end) {
    double sum = 0;
    for (Index i = begin; i < end; ++i)
      if (held.empty() || !held[i]) sum += p[i];
    return sum;
  });
}

}  // namespace pliant
