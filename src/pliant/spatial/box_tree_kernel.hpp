#pragma once

// Walks through a BoxTree. A node's eight boxes are tested together, as packs.

#include <bit>
#include <limits>

#include "pliant/base/pack.hpp"
#include "pliant/spatial/box_tree.hpp"

namespace pliant {

/// Children that wait to be visited: at most seven more for each level of a tree over all that fits in
/// memory.
inline constexpr int kWaitingBoxes = 96;

/// A point, or all points less than a margin from it along each axis.
class Around {
 public:
  Around(const Vec3& point, double margin) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = static_cast<float>(point[axis] - margin);
      high[axis] = static_cast<float>(point[axis] + margin);
    }
  }
  float low[3], high[3];
};

/// Which of a node's boxes hold one of some points: a bit for each. Rounding keeps the
/// order of numbers, so that a rounded point is within whatever the point itself is within.
class LanesThatHold {
 public:
  PLIANT_KERNEL LanesThatHold(const BoxTree::Node& node, const Around& points) {
    using Eight = PackOf<BoxTree::kWidth, float>;
    const auto within = [&](int axis) {
      return load<Eight>(node.low[axis]) <= Eight(points.high[axis]) &&
             load<Eight>(node.high[axis]) >= Eight(points.low[axis]);
    };
    bits_ = bits_of(within(0) && within(1) && within(2));
  }

  bool any() const { return bits_ != 0; }
  int take_first() {
    const int lane = std::countr_zero(bits_);
    bits_ &= bits_ - 1;
    return lane;
  }
  int take_last() {
    const int lane = std::bit_width(bits_) - 1;
    bits_ &= ~std::bit_floor(bits_);
    return lane;
  }

 private:
  unsigned bits_;
};

/// Calls visit(place) for all elements whose boxes hold a point of these, in the order of places, until it
/// returns false.
template <class Visit>
void visit_boxes_that_hold(const BoxTree& tree, const Around& points, Visit visit) {
  struct Waiting {
    int level;
    Index node;
  };
  Waiting waiting[kWaitingBoxes];
  int count = 0;
  waiting[count++] = {tree.levels() - 1, 0};
  while (count > 0) {
    const auto [level, number] = waiting[--count];
    LanesThatHold lanes(tree.node(level, number), points);
    if (level == 0) {
      while (lanes.any())
        if (!visit(number * BoxTree::kWidth + lanes.take_first())) return;
    } else {
      // The last one first, so that the first one is taken up first.
      while (lanes.any()) waiting[count++] = {level - 1, number * BoxTree::kWidth + lanes.take_last()};
    }
  }
}

/// Squared distances from a point to a node's boxes; less than that by a few roundoffs, never more. Infinite
/// for boxes that are empty.
inline void squared_distances(const BoxTree::Node& node, const Vec3& point,
                              double (&distances)[BoxTree::kWidth]) {
  constexpr double kRoundoffs = 1e-14;
  for (int lane = 0; lane < BoxTree::kWidth; ++lane) {
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double below = node.low[axis][lane] - point[axis], above = point[axis] - node.high[axis][lane];
      const double larger = below > above ? below : above, away = larger > 0 ? larger : 0;
      sum += away * away;
    }
    distances[lane] = (1 - kRoundoffs) * sum;
  }
}

/// Calls visit(place) for the elements whose boxes are no farther from a point than `bound` (a squared
/// distance), nearer ones rather earlier. It returns the bound to go on with.
template <class Visit>
void visit_boxes_near(const BoxTree& tree, const Vec3& point, double bound, Visit visit) {
  struct Waiting {
    double distance;
    int level;  ///< -1 for an element
    Index number;
  };
  Waiting waiting[kWaitingBoxes];
  int count = 0;
  waiting[count++] = {0, tree.levels() - 1, 0};
  while (count > 0) {
    const auto [distance, level, number] = waiting[--count];
    if (distance > bound) continue;
    if (level < 0) {
      bound = visit(number);
      continue;
    }
    double distances[BoxTree::kWidth];
    squared_distances(tree.node(level, number), point, distances);
    const int first = count;
    for (int lane = 0; lane < BoxTree::kWidth; ++lane) {
      // Also where the bound is infinite there is nothing in an empty box.
      if (!(distances[lane] <= bound) || distances[lane] == std::numeric_limits<double>::infinity()) continue;
      int at = count++;
      for (; at > first && waiting[at - 1].distance < distances[lane]; --at) waiting[at] = waiting[at - 1];
      waiting[at] = {distances[lane], level - 1, number * BoxTree::kWidth + lane};
    }
  }
}

}  // namespace pliant
