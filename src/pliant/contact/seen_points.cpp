#include "pliant/contact/seen_points.hpp"

#include <stdexcept>

#include "pliant/base/parallel.hpp"

namespace pliant {

void SeenPoints::add(std::span<const Share> point) {
  for (const Share& share : point)
    if (share.block < 0 || share.block >= blocks_)
      throw std::invalid_argument("a point that contact sees has a block that there is none of");
  shares_.insert(shares_.end(), point.begin(), point.end());
  start_.push_back(shares_.size());
}

Vector SeenPoints::taken(const Vector& of_blocks) const {
  constexpr Index kPointsAtOnce = 1024;
  Vector points(3 * Index{count()});
  parallel_chunks(count(), kPointsAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Vec3 place = Vec3::Zero();
      for (const auto& [block, weight] : of(static_cast<int>(i)))
        place += weight * of_blocks.segment<3>(3 * Index{block});
      points.segment<3>(3 * i) = place;
    }
  });
  return points;
}

void SeenPoints::add_back(const Vector& of_points, Vector& of_blocks) const {
  for (int i = 0; i < count(); ++i)
    for (const auto& [block, weight] : of(i))
      of_blocks.segment<3>(3 * Index{block}) += weight * of_points.segment<3>(3 * Index{i});
}

}  // namespace pliant
