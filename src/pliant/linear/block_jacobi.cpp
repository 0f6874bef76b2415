#include "pliant/linear/block_jacobi.hpp"

#include <algorithm>

#include "pliant/base/lanes.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linear/definite_block.hpp"

namespace pliant {

namespace {

constexpr Index kVerticesAtOnce = 2048;
constexpr Index kAtHand =
    64;  ///< vertices whose products are still in the first cache when they are added up

/// b = M a; returns a . b.
double apply(const std::vector<double>& blocks, const Vector& a, Vector& b) {
  b.resize(a.size());
  return parallel_sum(a.size() / 3, kVerticesAtOnce, [&](Index begin, Index end) {
    const double* from = a.data();
    double* to = b.data();
    LaneSum sum;
    for (Index first = begin; first < end; first += kAtHand) {
      const Index last = std::min(first + kAtHand, end);
      const double *m = blocks.data() + 6 * first, *p = from + 3 * first;
      double* q = to + 3 * first;
      for (Index v = first; v < last; ++v, m += 6, p += 3, q += 3) {
        const double x = p[0], y = p[1], z = p[2];
        q[0] = m[0] * x + m[1] * y + m[2] * z;
        q[1] = m[1] * x + m[3] * y + m[4] * z;
        q[2] = m[2] * x + m[4] * y + m[5] * z;
      }
      sum.add(3 * first, 3 * last, [from, to](Index i) { return from[i] * to[i]; });
    }
    return sum.total();
  });
}

}  // namespace

void BlockJacobi::assign(const Operator& matrix, const Field& floor) {
  const double* least_of = floor.host().data();
  blocks_.resize(2 * floor.size());
  inverses_.resize(blocks_.size());
  matrix.diagonal(blocks_);
  parallel_chunks(floor.size() / 3, kVerticesAtOnce, [&](Index begin, Index end) {
    for (Index v = begin; v < end; ++v) {
      const double* b = &blocks_[6 * v];
      const double least = std::min({least_of[3 * v], least_of[3 * v + 1], least_of[3 * v + 2]});
      const DefiniteBlock definite = make_definite({{b[0], b[1], b[2], b[3], b[4], b[5]}}, least);
      std::copy_n(definite.block.entries, 6, &blocks_[6 * v]);
      std::copy_n(definite.inverse.entries, 6, &inverses_[6 * v]);
    }
  });
}

void BlockJacobi::assign(const Field& diagonal) {
  const Vector& values = diagonal.host();
  blocks_.assign(2 * values.size(), 0.0);
  inverses_.assign(2 * values.size(), 0.0);
  constexpr int kEntry[3] = {0, 3, 5};
  for (Index i = 0; i < values.size(); ++i) {
    blocks_[6 * (i / 3) + kEntry[i % 3]] = values[i];
    inverses_[6 * (i / 3) + kEntry[i % 3]] = 1 / values[i];
  }
}

void BlockJacobi::assign(const ScalarMatrix& matrix) {
  const Vector once = matrix.diagonal();
  Vector values(3 * once.size());
  for (Index d = 0; d < values.size(); ++d) values[d] = once[d / 3];
  assign(Field(std::move(values)));
}

double BlockJacobi::solve(const Field& r, Field& z) const { return apply(inverses_, r.host(), z.host()); }
double BlockJacobi::multiply(const Field& p, Field& z) const { return apply(blocks_, p.host(), z.host()); }

double BlockJacobi::trace(Mask fixed) const {
  return parallel_sum(std::ssize(blocks_) / 6, kVerticesAtOnce, [&](Index begin, Index end) {
    constexpr int kEntry[3] = {0, 3, 5};
    double sum = 0;
    for (Index v = begin; v < end; ++v)
      for (int k = 0; k < 3; ++k)
        if (fixed.empty() || !fixed[3 * v + k]) sum += blocks_[6 * v + kEntry[k]];
    return sum;
  });
}

}  // namespace pliant
