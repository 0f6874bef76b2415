#include "pliant/potential/element_schedule.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "pliant/base/curve.hpp"

namespace pliant {

std::vector<int> order_of_elements(std::span<const Vec3> centers) {
  constexpr Index kLanes = 16;  // of the widest pack
  const std::vector<int> along = order_along_curve(centers);
  std::vector<int> order;
  order.reserve(along.size());
  for (Index begin = 0; begin < std::ssize(along); begin += ElementSchedule::kSmallest) {
    const Index count = std::min<Index>(ElementSchedule::kSmallest, std::ssize(along) - begin);
    const Index apart = (count + kLanes - 1) / kLanes;
    for (Index first = 0; first < apart; ++first)
      for (Index k = first; k < count; k += apart) order.push_back(along[begin + k]);
  }
  return order;
}

ElementSchedule::ElementSchedule(std::span<const int> corners, int corners_per_element,
                                 std::vector<int> order)
    : order_(std::move(order)),
      chunk_(static_cast<int>(
          std::clamp<size_t>(std::bit_floor(order_.size() / kChunks), kSmallest, kLargest))) {
  if (order_.empty()) return;
  const int chunk_count = static_cast<int>((order_.size() + chunk_ - 1) / chunk_);
  const int vertex_count = *std::max_element(corners.begin(), corners.end()) + 1;

  // Round by round: a colour takes every chunk left over that touches no vertex of the colour yet.
  std::vector<int> left(chunk_count);
  std::iota(left.begin(), left.end(), 0);
  std::vector<int> taken_by(vertex_count, -1);
  for (int colour = 0; !left.empty(); ++colour) {
    std::vector<int> later;
    for (const int chunk : left) {
      const Index begin = Index{chunk} * chunk_, end = std::min<Index>(begin + chunk_, std::ssize(order_));
      const auto corner = [&](Index place, int k) {
        return corners[Index{order_[place]} * corners_per_element + k];
      };
      bool free = true;
      for (Index place = begin; place < end && free; ++place)
        for (int k = 0; k < corners_per_element; ++k) free = free && taken_by[corner(place, k)] != colour;
      if (!free) {
        later.push_back(chunk);
        continue;
      }
      chunks_.push_back(chunk);
      for (Index place = begin; place < end; ++place)
        for (int k = 0; k < corners_per_element; ++k) taken_by[corner(place, k)] = colour;
    }
    colour_start_.push_back(std::ssize(chunks_));
    left = std::move(later);
  }
}

void ElementSchedule::for_each_chunk(FunctionRef<void(Index, Index)> body) const {
  const Index count = std::ssize(order_);
  for (int colour = 0; colour < colours(); ++colour) {
    const auto chunks = chunks_of(colour);
    parallel_chunks(std::ssize(chunks), 1, [&](Index i, Index) {
      const Index begin = Index{chunks[i]} * chunk_;
      body(begin, std::min(begin + chunk_, count));
    });
  }
}

}  // namespace pliant
