#pragma once

#include "pliant/base/types.hpp"

namespace pliant {

/// A sum in 32 interleaved partial sums, number i going to sum i mod 32, which are added in a fixed order: a
/// compiler may work on several at once and a GPU on all without changing a bit.
class LaneSum {
 public:
  static constexpr int kLanes = 32;

  /// Adds term(begin), ..., term(end - 1); all but the last call add a multiple of the lanes.
  template <class Term>
  void add(Index begin, Index end, Term term) {
    Index i = begin;
    for (; i + kLanes <= end; i += kLanes)
      for (int k = 0; k < kLanes; ++k) lanes_[k] += term(i + k);
    for (int k = 0; i < end; ++i, ++k) lanes_[k] += term(i);
  }

  /// The upper half onto the lower one until as many are left as asked for.
  const double* folded(int left) {
    for (int half = kLanes / 2; half >= left; half /= 2)
      for (int k = 0; k < half; ++k) lanes_[k] += lanes_[k + half];
    return lanes_;
  }
  double total() { return folded(1)[0]; }

 private:
  double lanes_[kLanes] = {};
};

}  // namespace pliant
