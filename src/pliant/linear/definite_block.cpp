#include "pliant/linear/definite_block.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/kernel/svd.hpp"

namespace pliant {

namespace {

SymmetricBlock entries_of(const Symmetric33<double>& s) { return {{s.xx, s.xy, s.xz, s.yy, s.yz, s.zz}}; }

/// The condition of a block up to which its inverse has digits enough to be definite too.
constexpr double kCondition = 1e10;

Symmetric33<double> cofactors(const Symmetric33<double>& s) {
  return {s.yy * s.zz - s.yz * s.yz, s.xz * s.yz - s.xy * s.zz, s.xy * s.yz - s.xz * s.yy,
          s.xx * s.zz - s.xz * s.xz, s.xy * s.xz - s.xx * s.yz, s.xx * s.yy - s.xy * s.xy};
}

double determinant_of(const Symmetric33<double>& s, const Symmetric33<double>& c) {
  return s.xx * c.xx + s.xy * c.xy + s.xz * c.xz;
}

/// Whether no eigenvalue is below `least`, up to a billionth, by the minors of what is above it.
bool is_above(const Symmetric33<double>& s, double least) {
  const double floor = (1 - 1e-9) * least;
  const Symmetric33<double> rest{s.xx - floor, s.xy, s.xz, s.yy - floor, s.yz, s.zz - floor},
      c = cofactors(rest);
  return rest.xx > 0 && c.zz > 0 && determinant_of(rest, c) > 0;
}

/// The inverse by cofactors; false unless the block is surely definite with no eigenvalue below `least`, nor
/// so far below the others that the determinant is roundoff: the two others add up to less than the trace, so
/// their product is below (trace/2)^2.
bool invert_definite(const Symmetric33<double>& s, double least, SymmetricBlock& inverse) {
  const Symmetric33<double> c = cofactors(s);
  const double determinant = determinant_of(s, c), half_trace = 0.5 * (s.xx + s.yy + s.zz);
  const double squared = half_trace * half_trace;
  if (!(s.xx > 0 && c.zz > 0 && determinant >= half_trace / kCondition * squared)) return false;
  // The first is the quicker test; where the eigenvalues are much alike it fails.
  if (!(determinant >= least * squared) && !is_above(s, least)) return false;
  const double factor = 1 / determinant;
  inverse =
      entries_of({factor * c.xx, factor * c.xy, factor * c.xz, factor * c.yy, factor * c.yz, factor * c.zz});
  return true;
}

}  // namespace

DefiniteBlock make_definite(const SymmetricBlock& block, double least, double shift) {
  const double* b = block.entries;
  Symmetric33<double> s{b[0], b[1], b[2], b[3], b[4], b[5]};
  DefiniteBlock result;
  if (invert_definite(s, least, result.inverse)) {
    if (shift > 0) {
      s.xx += shift;
      s.yy += shift;
      s.zz += shift;
      invert_definite(s, 0, result.inverse);
    }
    result.block = entries_of(s);
    return result;
  }
  Eigen33<double> e = eigen_symmetric(s);
  for (int k = 0; k < 3; ++k) least = std::max(least, std::abs(e.value[k]) / kCondition);
  for (int k = 0; k < 3; ++k) e.value[k] = std::max(std::abs(e.value[k]), least) + shift;
  result.block = entries_of(compose(e));
  for (int k = 0; k < 3; ++k) e.value[k] = 1 / e.value[k];
  result.inverse = entries_of(compose(e));
  return result;
}

}  // namespace pliant
