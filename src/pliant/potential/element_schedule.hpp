#pragma once

#include <array>
#include <span>
#include <vector>

#include "pliant/base/parallel.hpp"
#include "pliant/base/types.hpp"

namespace pliant {

/// An order in which to visit the elements of a mesh so that sums over them can run in parallel with the same
/// bits for any number of threads: elements in a good order (see order_of_elements) are cut into chunks, and
/// chunks are coloured so that two of one colour share no vertex. Colours run one after another, the chunks
/// of a colour at once.
class ElementSchedule {
 public:
  /// Elements of a chunk: a multiple of every pack width. Few, where a mesh of a few thousand is to keep all
  /// threads busy; more in a large one, where each chunk begins with waiting for the memory.
  static constexpr int kSmallest = 128, kLargest = 1024, kChunks = 256;

  ElementSchedule() = default;
  /// `corners` has `corners_per_element` vertices for each element.
  ElementSchedule(std::span<const int> corners, int corners_per_element, std::vector<int> order);

  /// The element visited at each place.
  const std::vector<int>& order() const { return order_; }
  int chunk() const { return chunk_; }
  int colours() const { return static_cast<int>(colour_start_.size()) - 1; }
  /// Numbers of the chunks of a colour; chunk c covers the places from c * chunk().
  std::span<const int> chunks_of(int colour) const {
    return {chunks_.data() + colour_start_[colour], chunks_.data() + colour_start_[colour + 1]};
  }

  /// Calls body(begin, end) for ranges of places; calls that run at once touch different vertices.
  void for_each_chunk(FunctionRef<void(Index, Index)> body) const;

 private:
  std::vector<int> order_;
  int chunk_ = kSmallest;
  std::vector<int> chunks_;  ///< chunk numbers, colour by colour
  std::vector<Index> colour_start_{0};
};

/// An order in which what is near in space is near in memory, but for neighbours: these share vertices, and
/// to add to one that another element has just added to means to wait. Those of a pack are taken from all
/// over some elements along a curve, few enough to stay in the cache.
std::vector<int> order_of_elements(std::span<const Vec3> centers);

}  // namespace pliant
