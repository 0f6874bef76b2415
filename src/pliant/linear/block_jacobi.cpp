#include "pliant/linear/block_jacobi.hpp"

#include <algorithm>

#include "pliant/base/parallel.hpp"
#include "pliant/base/svd_kernel.hpp"

namespace pliant {

namespace {

constexpr Index kVerticesAtOnce = 2048;

void store_symmetric(const Symmetric33<double>& s, double* to) {
  const double entries[9] = {s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz};
  std::copy(entries, entries + 9, to);
}

void apply(const std::vector<double>& blocks, const Vector& a, Vector& b) {
  b.resize(a.size());
  parallel_chunks(a.size() / 3, kVerticesAtOnce, [&](Index begin, Index end) {
    const double* m = blocks.data() + 9 * begin;
    for (Index v = begin; v < end; ++v, m += 9) {
      const double* p = a.data() + 3 * v;
      double* q = b.data() + 3 * v;
      for (int i = 0; i < 3; ++i) q[i] = m[3 * i] * p[0] + m[3 * i + 1] * p[1] + m[3 * i + 2] * p[2];
    }
  });
}

/// The inverse by cofactors; false unless the block is surely definite with no eigenvalue below `least`: the
/// two others add up to less than the trace, so their product is below (trace/2)^2.
bool invert_definite(const Symmetric33<double>& s, double least, double* inverse) {
  const Symmetric33<double> c{s.yy * s.zz - s.yz * s.yz, s.xz * s.yz - s.xy * s.zz,
                              s.xy * s.yz - s.xz * s.yy, s.xx * s.zz - s.xz * s.xz,
                              s.xy * s.xz - s.xx * s.yz, s.xx * s.yy - s.xy * s.xy};
  const double determinant = s.xx * c.xx + s.xy * c.xy + s.xz * c.xz;
  const double half_trace = 0.5 * (s.xx + s.yy + s.zz);
  if (!(s.xx > 0 && c.zz > 0 && determinant >= least * half_trace * half_trace)) return false;
  const double factor = 1 / determinant;
  store_symmetric({factor * c.xx, factor * c.xy, factor * c.xz, factor * c.yy, factor * c.yz, factor * c.zz},
                  inverse);
  return true;
}

/// Negative eigenvalues turned around and small ones lifted to `least`, in the block and its inverse.
void lift(const Symmetric33<double>& s, double least, double* block, double* inverse) {
  Eigen33<double> e = eigen_symmetric(s);
  for (int k = 0; k < 3; ++k) e.value[k] = std::max(std::abs(e.value[k]), least);
  store_symmetric(compose(e), block);
  for (int k = 0; k < 3; ++k) e.value[k] = 1 / e.value[k];
  store_symmetric(compose(e), inverse);
}

}  // namespace

void BlockJacobi::assign(const BlockMatrix& matrix, const Vector& floor) {
  blocks_.resize(9 * Index{matrix.rows()});
  inverses_.resize(blocks_.size());
  parallel_chunks(matrix.rows(), kVerticesAtOnce, [&](Index begin, Index end) {
    for (Index v = begin; v < end; ++v) {
      const double* b = matrix.block(matrix.pattern().diagonal(static_cast<int>(v)));
      const Symmetric33<double> s{b[0], b[1], b[2], b[4], b[5], b[8]};
      const double least = std::min({floor[3 * v], floor[3 * v + 1], floor[3 * v + 2]});
      if (invert_definite(s, least, &inverses_[9 * v]))
        store_symmetric(s, &blocks_[9 * v]);
      else
        lift(s, least, &blocks_[9 * v], &inverses_[9 * v]);
    }
  });
}

void BlockJacobi::assign(const Vector& diagonal) {
  blocks_.assign(3 * diagonal.size(), 0.0);
  inverses_.assign(3 * diagonal.size(), 0.0);
  for (Index i = 0; i < diagonal.size(); ++i) {
    blocks_[9 * (i / 3) + 4 * (i % 3)] = diagonal[i];
    inverses_[9 * (i / 3) + 4 * (i % 3)] = 1 / diagonal[i];
  }
}

void BlockJacobi::solve(const Vector& r, Vector& z) const { apply(inverses_, r, z); }
void BlockJacobi::multiply(const Vector& p, Vector& z) const { apply(blocks_, p, z); }

}  // namespace pliant
