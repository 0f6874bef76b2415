#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "pliant/base/parallel.hpp"
#include "pliant/spatial/shape.hpp"

namespace pliant {

/// A cell of an octree: a cube of side 2^level in units of half the finest side, so that centres are whole
/// numbers too: the finest level is 1.
struct Cell {
  int level = 1;
  std::array<int, 3> corner{};  ///< the lowest

  int side() const { return 1 << level; }
  std::array<int, 3> centre() const {
    const int half = side() / 2;
    return {corner[0] + half, corner[1] + half, corner[2] + half};
  }
  Cell parent() const {
    const int mask = ~((1 << (level + 1)) - 1);
    return {level + 1, {corner[0] & mask, corner[1] & mask, corner[2] & mask}};
  }
  /// The cell of the same size so many sides away.
  Cell shifted(int x, int y, int z) const {
    return {level, {corner[0] + x * side(), corner[1] + y * side(), corner[2] + z * side()}};
  }
  bool operator==(const Cell&) const = default;
};

/// A number of its own for every place in the octree's range, coordinates from 0 to 2^20.
inline std::uint64_t key_of(const std::array<int, 3>& place) {
  return static_cast<std::uint64_t>(place[0]) | static_cast<std::uint64_t>(place[1]) << 21 |
         static_cast<std::uint64_t>(place[2]) << 42;
}

/// The cells around a shape that are small enough everywhere, in a fixed order in which neighbours are near.
/// Cells that share a face or an edge differ by at most one level. Those that lie outside, more than their
/// neighbours could need, are left out.
class Octree {
 public:
  Octree(const Shape& shape, double finest, FunctionRef<double(const Vec3&)> size);

  const std::vector<Cell>& leaves() const { return leaves_; }
  /// The leaf that is this very cell, or -1.
  int leaf(const Cell& cell) const;
  Vec3 position(const std::array<int, 3>& place) const {
    return origin_ + unit_ * Vec3(place[0], place[1], place[2]);
  }

 private:
  struct Hash {
    size_t operator()(const Cell& cell) const {
      std::uint64_t mixed = key_of(cell.corner) + 0x9e3779b97f4a7c15 * static_cast<std::uint64_t>(cell.level);
      mixed = (mixed ^ (mixed >> 31)) * 0xbf58476d1ce4e5b9;
      return mixed ^ (mixed >> 29);
    }
  };
  enum class Where { outside, near, inside };

  double side_in_metres(int level) const { return std::ldexp(unit_, level); }
  template <class Visit>
  static void for_each_child(const Cell& cell, Visit visit) {
    const int half = cell.side() / 2;
    for (int child = 0; child < 8; ++child)
      visit(Cell{cell.level - 1,
                 {cell.corner[0] + (child & 1) * half, cell.corner[1] + (child >> 1 & 1) * half,
                  cell.corner[2] + (child >> 2) * half}});
  }
  bool inside_range(const Cell& cell) const;
  Where where(const Shape& shape, const Cell& cell) const;
  void split(const Shape& shape, FunctionRef<double(const Vec3&)> size, const Cell& cell, Where known);
  void balance();
  void collect(const Shape& shape, const Cell& cell, Where known);

  double unit_ = 0;  ///< m
  Vec3 origin_ = Vec3::Zero();
  int top_level_ = 1;
  std::array<int, 3> range_{};                         ///< in units, a multiple of the side of the top level
  std::vector<std::unordered_set<Cell, Hash>> split_;  ///< by level: cells that have children
  std::vector<Cell> leaves_;
  std::unordered_map<Cell, int, Hash> leaf_;
};

}  // namespace pliant
