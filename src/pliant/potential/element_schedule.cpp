#include "pliant/potential/element_schedule.hpp"

#include <algorithm>
#include <numeric>

namespace pliant {

namespace {

/// Spreads the lowest 21 bits so that two zero bits follow each.
std::uint64_t spread(std::uint64_t a) {
  a &= 0x1fffff;
  a = (a | a << 32) & 0x1f00000000ffffULL;
  a = (a | a << 16) & 0x1f0000ff0000ffULL;
  a = (a | a << 8) & 0x100f00f00f00f00fULL;
  a = (a | a << 4) & 0x10c30c30c30c30c3ULL;
  a = (a | a << 2) & 0x1249249249249249ULL;
  return a;
}

std::vector<int> sort_along_curve(std::span<const Vec3> centers) {
  Vec3 low = centers[0], high = centers[0];
  for (const Vec3& c : centers) {
    low = low.cwiseMin(c);
    high = high.cwiseMax(c);
  }
  const Vec3 size = high - low;
  const double extent = std::max({size.x(), size.y(), size.z(), 1e-300});
  std::vector<std::uint64_t> codes(centers.size());
  for (size_t i = 0; i < centers.size(); ++i) {
    const Vec3 p = (centers[i] - low) / extent * 2097151.0;
    codes[i] = spread(static_cast<std::uint64_t>(p.x())) | spread(static_cast<std::uint64_t>(p.y())) << 1 |
               spread(static_cast<std::uint64_t>(p.z())) << 2;
  }
  std::vector<int> order(centers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return codes[a] < codes[b]; });
  return order;
}

}  // namespace

ElementSchedule::ElementSchedule(std::span<const int> corners, int corners_per_element,
                                 std::span<const Vec3> centers) {
  if (centers.empty()) return;
  order_ = sort_along_curve(centers);
  const int chunk_count = static_cast<int>((order_.size() + kChunk - 1) / kChunk);
  const int vertex_count = *std::max_element(corners.begin(), corners.end()) + 1;

  // Round by round: a colour takes every chunk left over that touches no vertex of the colour yet.
  std::vector<int> left(chunk_count);
  std::iota(left.begin(), left.end(), 0);
  std::vector<int> taken_by(vertex_count, -1);
  for (int colour = 0; !left.empty(); ++colour) {
    std::vector<int> later;
    for (const int chunk : left) {
      const Index begin = Index{chunk} * kChunk, end = std::min<Index>(begin + kChunk, std::ssize(order_));
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
      const Index begin = Index{chunks[i]} * kChunk;
      body(begin, std::min(begin + kChunk, count));
    });
  }
}

}  // namespace pliant
