#include "pliant/base/curve.hpp"

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

}  // namespace

std::uint64_t place_on_curve(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return spread(x) | spread(y) << 1 | spread(z) << 2;
}

std::vector<int> order_along_curve(std::span<const Vec3> points) {
  if (points.empty()) return {};
  Vec3 low = points[0], high = points[0];
  for (const Vec3& c : points) {
    low = low.cwiseMin(c);
    high = high.cwiseMax(c);
  }
  const Vec3 size = high - low;
  const double extent = std::max({size.x(), size.y(), size.z(), 1e-300});
  std::vector<std::uint64_t> codes(points.size());
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec3 p = (points[i] - low) / extent * 2097151.0;
    codes[i] = place_on_curve(static_cast<std::uint64_t>(p.x()), static_cast<std::uint64_t>(p.y()),
                              static_cast<std::uint64_t>(p.z()));
  }
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return codes[a] < codes[b]; });
  return order;
}

}  // namespace pliant
