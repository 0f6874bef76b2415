#pragma once

#include <deque>
#include <vector>

#include "pliant/base/field.hpp"

namespace pliant {

/// Steps and how each changed the gradient, with the products of them that quasi-Newton directions need. In
/// single precision: a direction need not be exact, and they are read twice an iteration. Passes over memory
/// are few: a piece of a vector stays in the cache for all pairs.
class SecantPairs {
 public:
  Index count() const { return std::ssize(pairs_); }
  void clear() { pairs_.clear(); }
  void forget_oldest();

  /// The change of a gradient along a step, with what tells whether the pair is of use.
  struct Learned {
    double curvature = 0;  ///< step . change
    double steps = 0;      ///< step . step
    double changes = 0;    ///< change . change
  };
  /// change = after - before. Kept by `keep`, or else gone with the next.
  Learned measure(const Field& step, const Field& before, const Field& after, Field& change);
  void keep();

  /// The product of change `newer` with step `older`, both numbered from the oldest.
  double product(Index newer, Index older) const { return pairs_[newer].products[older]; }

  /// The products of all steps, or of all changes, with y.
  std::vector<double> steps_with(const Field& y) const;
  std::vector<double> changes_with(const Field& y) const;

  /// to = from + sum of factors times changes.
  void add_changes(const std::vector<double>& factors, const Field& from, Field& to) const;
  /// y = -(y + sum of factors times steps), but zero where `held`.
  void add_steps_and_turn(const std::vector<double>& factors, Mask held, Field& y) const;

 private:
  struct Pair {
    std::vector<float> step, change;
    std::vector<double> products;  ///< of the change with the steps up to its own, the oldest first
  };
  std::vector<const float*> steps() const;
  std::vector<const float*> changes() const;

  std::deque<Pair> pairs_;  ///< the latest comes last
  Pair next_;               ///< the one measured, and memory for the one to come
};

}  // namespace pliant
