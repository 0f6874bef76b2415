#include "pliant/spatial/box_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "pliant/base/parallel.hpp"

namespace pliant {

namespace {

constexpr int kWidth = BoxTree::kWidth;
constexpr float kEndless = std::numeric_limits<float>::infinity();

/// Levels that one task fits on its own, from the elements upward: 512 elements.
constexpr int kLevelsAtOnce = 3;
constexpr Index kNodesAtOnce = kWidth * kWidth;

/// Four times the error of rounding to single precision, and the smallest number for those near zero.
constexpr float kOutward = 0x1p-22f, kTiniest = std::numeric_limits<float>::min();

float rounded_down(double a) {
  const auto nearest = static_cast<float>(a);
  return nearest - (std::abs(nearest) * kOutward + kTiniest);
}
float rounded_up(double a) {
  const auto nearest = static_cast<float>(a);
  return nearest + (std::abs(nearest) * kOutward + kTiniest);
}

void make_empty(BoxTree::Node& node, int lane) {
  for (int axis = 0; axis < 3; ++axis) {
    node.low[axis][lane] = kEndless;
    node.high[axis][lane] = -kEndless;
  }
}

/// Orders elements so that any two halves of a complete binary tree over them lie on two sides of a plane
/// across the longest extent. Boxes overlap much less than along a space-filling curve.
void split_in_halves(std::span<int> order, const std::vector<Vec3>& middles) {
  if (order.size() <= 2) return;
  Bounds spread;
  for (const int element : order) spread.extend(middles[element]);
  int axis = 0;
  spread.sizes().maxCoeff(&axis);
  const size_t half = std::bit_ceil(order.size()) / 2;
  std::nth_element(order.begin(), order.begin() + half, order.end(), [&](int s, int t) {
    return middles[s][axis] != middles[t][axis] ? middles[s][axis] < middles[t][axis] : s < t;
  });
  split_in_halves(order.first(half), middles);
  split_in_halves(order.subspan(half), middles);
}

}  // namespace

BoxTree::BoxTree(std::span<const int> corners, int corners_each, const Vector& rest, int first_vertex)
    : corners_each_(corners_each), first_vertex_(first_vertex) {
  const Index count = std::ssize(corners) / corners_each;
  std::vector<Vec3> middles(count, Vec3::Zero());
  int vertices = 0;
  for (Index i = 0; i < std::ssize(corners); ++i) {
    middles[i / corners_each] += rest.segment<3>(3 * (Index{first_vertex} + corners[i]));
    vertices = std::max(vertices, corners[i] + 1);
  }
  positions_.resize(3 * static_cast<size_t>(vertices));
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0);
  split_in_halves(order_, middles);
  place_of_.resize(order_.size());
  for (Index place = 0; place < count; ++place) place_of_[order_[place]] = static_cast<int>(place);

  Index nodes = std::max<Index>(1, (count + kWidth - 1) / kWidth);
  corners_.resize(nodes * corners_each * kWidth);
  for (Index place = 0; place < nodes * kWidth && count > 0; ++place) {
    const Index element = order_[std::min(place, count - 1)];
    for (int k = 0; k < corners_each; ++k)
      corners_[(place / kWidth * corners_each + k) * kWidth + place % kWidth] =
          3 * corners[element * corners_each + k];
  }
  level_start_.push_back(nodes);
  while (nodes > 1) {
    nodes = (nodes + kWidth - 1) / kWidth;
    level_start_.push_back(level_start_.back() + nodes);
  }
  nodes_.resize(level_start_.back());
  refit(rest);
}

void BoxTree::fit_elements(Index number) {
  Node& node = nodes_[number];
  if (order_.empty()) {
    for (int lane = 0; lane < kWidth; ++lane) make_empty(node, lane);
    return;
  }
  const int* corners = corners_.data() + number * corners_each_ * kWidth;
  for (int axis = 0; axis < 3; ++axis) {
    const double* x = positions_.data() + axis;
    double low[kWidth], high[kWidth];
    for (int lane = 0; lane < kWidth; ++lane) low[lane] = high[lane] = x[corners[lane]];
    for (int k = 1; k < corners_each_; ++k)
      for (int lane = 0; lane < kWidth; ++lane) {
        const double here = x[corners[k * kWidth + lane]];
        low[lane] = here < low[lane] ? here : low[lane];
        high[lane] = here > high[lane] ? here : high[lane];
      }
    for (int lane = 0; lane < kWidth; ++lane) {
      node.low[axis][lane] = rounded_down(low[lane]);
      node.high[axis][lane] = rounded_up(high[lane]);
    }
  }
  for (Index place = number * kWidth; place < (number + 1) * kWidth; ++place)
    if (place >= size()) make_empty(node, static_cast<int>(place % kWidth));
}

void BoxTree::fit_children(int level, Index number) {
  Node& node = nodes_[level_start_[level] + number];
  for (int lane = 0; lane < kWidth; ++lane) {
    const Index child_number = number * kWidth + lane;
    make_empty(node, lane);
    if (child_number >= nodes_of(level - 1)) continue;
    const Node& child = this->node(level - 1, child_number);
    for (int axis = 0; axis < 3; ++axis) {
      float low = kEndless, high = -kEndless;
      for (int k = 0; k < kWidth; ++k) {
        low = child.low[axis][k] < low ? child.low[axis][k] : low;
        high = child.high[axis][k] > high ? child.high[axis][k] : high;
      }
      node.low[axis][lane] = low;
      node.high[axis][lane] = high;
    }
  }
}

void BoxTree::refit(const Vector& positions) {
  std::copy_n(positions.data() + 3 * Index{first_vertex_}, positions_.size(), positions_.data());
  // Subtrees are fitted whole, while what they need is at hand; what is above them is small.
  parallel_chunks(nodes_of(0), kNodesAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) fit_elements(i);
    for (int level = 1; level < std::min(kLevelsAtOnce, levels()); ++level) {
      begin /= kWidth;
      end = (end + kWidth - 1) / kWidth;
      for (Index i = begin; i < end; ++i) fit_children(level, i);
    }
  });
  for (int level = kLevelsAtOnce; level < levels(); ++level)
    for (Index i = 0; i < nodes_of(level); ++i) fit_children(level, i);
}

Bounds BoxTree::bounds() const {
  const Node& root = nodes_.back();
  Bounds bounds;
  for (int lane = 0; lane < kWidth; ++lane) {
    if (!(root.low[0][lane] <= root.high[0][lane])) continue;
    const auto corner = [lane](const float(&of)[3][kWidth]) {
      return Vec3(of[0][lane], of[1][lane], of[2][lane]);
    };
    bounds.extend(Bounds(corner(root.low), corner(root.high)));
  }
  return bounds;
}

}  // namespace pliant
