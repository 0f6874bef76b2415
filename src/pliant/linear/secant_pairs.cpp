#include "pliant/linear/secant_pairs.hpp"

#include <algorithm>

#include "pliant/base/parallel.hpp"

namespace pliant {

namespace {

constexpr Index kPiece = 4096;  ///< so that a piece of a vector stays in the cache for all pairs

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
  std::vector<double> all((size + kPiece - 1) / kPiece * quantities);
  parallel_chunks(size, kPiece, [&](Index begin, Index end) {
    parts(begin, end, all.data() + begin / kPiece * quantities);
  });
  std::vector<double> sums(quantities, 0.0);
  for (Index p = 0; p < std::ssize(all); ++p) sums[p % quantities] += all[p];
  return sums;
}

/// The products of several vectors with one, in one pass over memory.
std::vector<double> products_with(const std::vector<const float*>& several, const Field& y) {
  return sum_pieces(y.size(), std::ssize(several), [&](Index begin, Index end, double* to) {
    for (const float* with : several) *to++ = dot_of(with, y.host().data(), begin, end);
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

SecantPairs::Learned SecantPairs::measure(const Field& step, const Field& before, const Field& after,
                                          Field& change) {
  const Index size = step.size();
  change.host().resize(size);
  next_.step.resize(size);
  next_.change.resize(size);
  const std::vector<const float*> older = steps();
  const Index own = std::ssize(older);
  // The change, the pair in single precision, and all products of it, in one pass.
  std::vector<double> sums = sum_pieces(size, own + 3, [&](Index begin, Index end, double* to) {
    const double *s = step.host().data(), *g = before.host().data(), *h = after.host().data();
    double* y = change.host().data();
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
  const Learned learned{sums[own], sums[own + 1], sums[own + 2]};
  sums.resize(own + 1);
  next_.products = std::move(sums);
  return learned;
}

void SecantPairs::keep() {
  pairs_.push_back(std::move(next_));
  next_ = {};
}

void SecantPairs::forget_oldest() {
  next_ = std::move(pairs_.front());  // its memory serves the next
  pairs_.pop_front();
  for (Pair& pair : pairs_) pair.products.erase(pair.products.begin());
}

std::vector<const float*> SecantPairs::steps() const {
  std::vector<const float*> all;
  for (const Pair& pair : pairs_) all.push_back(pair.step.data());
  return all;
}

std::vector<const float*> SecantPairs::changes() const {
  std::vector<const float*> all;
  for (const Pair& pair : pairs_) all.push_back(pair.change.data());
  return all;
}

std::vector<double> SecantPairs::steps_with(const Field& y) const { return products_with(steps(), y); }
std::vector<double> SecantPairs::changes_with(const Field& y) const { return products_with(changes(), y); }

void SecantPairs::add_changes(const std::vector<double>& factors, const Field& from, Field& to) const {
  const std::vector<const float*> all = changes();
  const double* start = from.host().data();
  to.host().resize(from.size());
  double* y = to.host().data();
  parallel_chunks(from.size(), kPiece, [&](Index begin, Index end) {
    std::copy(start + begin, start + end, y + begin);
    add_piece(all, factors, begin, end, y);
  });
}

void SecantPairs::add_steps_and_turn(const std::vector<double>& factors, Mask held, Field& y) const {
  const std::vector<const float*> all = steps();
  double* to = y.host().data();
  parallel_chunks(y.size(), kPiece, [&](Index begin, Index end) {
    add_piece(all, factors, begin, end, to);
    for (Index d = begin; d < end; ++d) to[d] = !held.empty() && held[d] ? 0 : -to[d];
  });
}

}  // namespace pliant
