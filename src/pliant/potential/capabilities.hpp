#pragma once

#include "pliant/kernel/stretch_range.hpp"
#include "pliant/linear/scalar_matrix.hpp"

namespace pliant {

// What some potentials offer to solvers besides what all do. Second bases: found once, with dynamic_cast, by
// who needs them, never in a loop.

/// A constant matrix that stands in for the second derivative wherever x is and however it is turned, never
/// indefinite (liu-2018, Eq. 6.5 and 7.14). What has none to offer is then in the energy alone.
class ConstantProxy {
 public:
  virtual ~ConstantProxy() = default;
  /// Adds it. A potential that is linear in x has nothing to add.
  virtual void add_proxy(const StretchRange& range, ScalarMatrix& proxy) const = 0;
  /// Whether the energy is the squared distance to a set, in the norm of that matrix: solving with it then
  /// never raises the energy (liu-2018, Eq. 6.1).
  virtual bool is_projective() const = 0;
};

/// The second derivative is the same for all x and all stages of a step with one c_v.
class ConstantHessian {
 protected:
  ~ConstantHessian() = default;
};

}  // namespace pliant
