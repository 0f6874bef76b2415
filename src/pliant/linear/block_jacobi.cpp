#include "pliant/linear/block_jacobi.hpp"

#include <algorithm>

#include "pliant/base/parallel.hpp"
#include "pliant/base/svd_kernel.hpp"

namespace pliant {

namespace {

constexpr Index kVerticesAtOnce = 2048;

void store_symmetric(const Symmetric33<double>& s, double* to) {
  const double entries[6] = {s.xx, s.xy, s.xz, s.yy, s.yz, s.zz};
  std::copy(entries, entries + 6, to);
}

/// b = M a; returns a . b.
double apply(const std::vector<double>& blocks, const Vector& a, Vector& b) {
  b.resize(a.size());
  return parallel_sum(a.size() / 3, kVerticesAtOnce, [&](Index begin, Index end) {
    const double *m = blocks.data() + 6 * begin, *p = a.data() + 3 * begin;
    double* q = b.data() + 3 * begin;
    double sum[3] = {};
    for (Index v = begin; v < end; ++v, m += 6, p += 3, q += 3) {
      const double x = p[0], y = p[1], z = p[2];
      q[0] = m[0] * x + m[1] * y + m[2] * z;
      q[1] = m[1] * x + m[3] * y + m[4] * z;
      q[2] = m[2] * x + m[4] * y + m[5] * z;
      sum[0] += x * q[0];
      sum[1] += y * q[1];
      sum[2] += z * q[2];
    }
    return (sum[0] + sum[1]) + sum[2];
  });
}

/// The condition of a block up to which its inverse has digits enough to be definite too.
constexpr double kCondition = 1e10;

/// The inverse by cofactors; false unless the block is surely definite with no eigenvalue below `least`, nor
/// so far below the others that the determinant is roundoff: the two others add up to less than the trace, so
/// their product is below (trace/2)^2.
bool invert_definite(const Symmetric33<double>& s, double least, double* inverse) {
  const Symmetric33<double> c{s.yy * s.zz - s.yz * s.yz, s.xz * s.yz - s.xy * s.zz,
                              s.xy * s.yz - s.xz * s.yy, s.xx * s.zz - s.xz * s.xz,
                              s.xy * s.xz - s.xx * s.yz, s.xx * s.yy - s.xy * s.xy};
  const double determinant = s.xx * c.xx + s.xy * c.xy + s.xz * c.xz;
  const double half_trace = 0.5 * (s.xx + s.yy + s.zz);
  const double floor = std::max(least, half_trace / kCondition);
  if (!(s.xx > 0 && c.zz > 0 && determinant >= floor * half_trace * half_trace)) return false;
  const double factor = 1 / determinant;
  store_symmetric({factor * c.xx, factor * c.xy, factor * c.xz, factor * c.yy, factor * c.yz, factor * c.zz},
                  inverse);
  return true;
}

/// Negative eigenvalues turned around and small ones lifted to `least`, and to what the condition allows, in
/// the block and its inverse.
void lift(const Symmetric33<double>& s, double least, double* block, double* inverse) {
  Eigen33<double> e = eigen_symmetric(s);
  for (int k = 0; k < 3; ++k) least = std::max(least, std::abs(e.value[k]) / kCondition);
  for (int k = 0; k < 3; ++k) e.value[k] = std::max(std::abs(e.value[k]), least);
  store_symmetric(compose(e), block);
  for (int k = 0; k < 3; ++k) e.value[k] = 1 / e.value[k];
  store_symmetric(compose(e), inverse);
}

}  // namespace

void BlockJacobi::assign(const BlockMatrix& matrix, const Vector& floor) {
  blocks_.resize(6 * Index{matrix.rows()});
  inverses_.resize(blocks_.size());
  parallel_chunks(matrix.rows(), kVerticesAtOnce, [&](Index begin, Index end) {
    for (Index v = begin; v < end; ++v) {
      const double* b = matrix.block(matrix.pattern().diagonal(static_cast<int>(v)));
      const Symmetric33<double> s{b[0], b[1], b[2], b[4], b[5], b[8]};
      const double least = std::min({floor[3 * v], floor[3 * v + 1], floor[3 * v + 2]});
      if (invert_definite(s, least, &inverses_[6 * v]))
        store_symmetric(s, &blocks_[6 * v]);
      else
        lift(s, least, &blocks_[6 * v], &inverses_[6 * v]);
    }
  });
}

void BlockJacobi::assign(const Vector& diagonal) {
  blocks_.assign(2 * diagonal.size(), 0.0);
  inverses_.assign(2 * diagonal.size(), 0.0);
  constexpr int kEntry[3] = {0, 3, 5};
  for (Index i = 0; i < diagonal.size(); ++i) {
    blocks_[6 * (i / 3) + kEntry[i % 3]] = diagonal[i];
    inverses_[6 * (i / 3) + kEntry[i % 3]] = 1 / diagonal[i];
  }
}

double BlockJacobi::solve(const Vector& r, Vector& z) const { return apply(inverses_, r, z); }
double BlockJacobi::multiply(const Vector& p, Vector& z) const { return apply(blocks_, p, z); }

}  // namespace pliant
