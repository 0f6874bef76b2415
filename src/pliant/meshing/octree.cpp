#include "pliant/meshing/octree.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

constexpr int kMostUnits = 1 << 20;
constexpr size_t kMostLeaves = 5'000'000;
/// Beyond so many sides outside, neither a cell nor one that shares a face with it has a vertex inside.
constexpr double kFarOutside = 1.7;
constexpr double kHalfDiagonal = 0.8661;  // of a cube of side 1, rounded up

}  // namespace

Octree::Octree(const Shape& shape, double finest, FunctionRef<double(const Vec3&)> size) : unit_(finest / 2) {
  const Bounds bounds = shape.bounds();
  if (bounds.isEmpty()) throw InputError("the shape is empty: its parts have nothing in common");
  if (!bounds.sizes().allFinite())
    throw InputError("the shape is infinite and cannot be meshed; intersect it with a box");
  const double widest = bounds.sizes().maxCoeff();
  if (!(widest / unit_ < kMostUnits / 4))
    throw InputError(
        format("cells of {:.3g} m are too small for a shape {:.3g} m wide; use larger ones", finest, widest));
  constexpr int kRootsAcross = 4;
  while (side_in_metres(top_level_) * kRootsAcross < widest) ++top_level_;
  const int root = 1 << top_level_;
  std::array<int, 3> roots{};
  for (int axis = 0; axis < 3; ++axis) {
    roots[axis] = static_cast<int>(std::ceil(bounds.sizes()[axis] / (unit_ * root))) + 2;
    range_[axis] = roots[axis] * root;
  }
  // In the middle, so that a symmetric shape gets a symmetric mesh.
  origin_ = bounds.center() - unit_ / 2 * Vec3(range_[0], range_[1], range_[2]);

  split_.resize(top_level_ + 2);
  const auto for_each_root = [&](auto visit) {
    for (int z = 0; z < roots[2]; ++z)
      for (int y = 0; y < roots[1]; ++y)
        for (int x = 0; x < roots[0]; ++x) visit(Cell{top_level_, {x * root, y * root, z * root}});
  };
  for_each_root([&](const Cell& cell) { split(shape, size, cell, Where::near); });
  balance();
  for_each_root([&](const Cell& cell) { collect(shape, cell, Where::near); });
  leaf_.reserve(leaves_.size());
  for (size_t i = 0; i < leaves_.size(); ++i) leaf_[leaves_[i]] = static_cast<int>(i);
}

int Octree::leaf(const Cell& cell) const {
  const auto found = leaf_.find(cell);
  return found == leaf_.end() ? -1 : found->second;
}

bool Octree::inside_range(const Cell& cell) const {
  for (int axis = 0; axis < 3; ++axis)
    if (cell.corner[axis] < 0 || cell.corner[axis] >= range_[axis]) return false;
  return true;
}

/// A signed distance changes by at most the way gone, so that one value tells about the whole cell.
Octree::Where Octree::where(const Shape& shape, const Cell& cell) const {
  const double distance = shape.distance(position(cell.centre())), side = side_in_metres(cell.level);
  if (distance > kFarOutside * side) return Where::outside;
  return distance < -kHalfDiagonal * side ? Where::inside : Where::near;
}

void Octree::split(const Shape& shape, FunctionRef<double(const Vec3&)> size, const Cell& cell, Where known) {
  if (known == Where::near) known = where(shape, cell);
  if (known == Where::outside || cell.level == 1) return;
  constexpr double kSlack = 1 + 1e-9;
  if (side_in_metres(cell.level) <= kSlack * size(position(cell.centre()))) return;
  split_[cell.level].insert(cell);
  if (8 * split_[cell.level].size() > kMostLeaves)
    throw InputError(
        format("cells of {:.3g} m would be more than {}; use larger ones", 2 * unit_, kMostLeaves));
  for_each_child(cell, [&](const Cell& child) { split(shape, size, child, known); });
}

/// From the finest level up: where a cell is split, those that share a face or an edge with it must be cells
/// of their own, so that their parents must be split.
void Octree::balance() {
  for (int level = 2; level < top_level_; ++level) {
    for (const Cell& cell : split_[level]) {
      for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
          for (int x = -1; x <= 1; ++x) {
            const Cell neighbour = cell.shifted(x, y, z);
            if (std::abs(x) + std::abs(y) + std::abs(z) <= 2 && inside_range(neighbour))
              split_[level + 1].insert(neighbour.parent());
          }
    }
  }
}

void Octree::collect(const Shape& shape, const Cell& cell, Where known) {
  if (known == Where::near) known = where(shape, cell);
  if (known == Where::outside) return;
  if (split_[cell.level].contains(cell))
    for_each_child(cell, [&](const Cell& child) { collect(shape, child, known); });
  else
    leaves_.push_back(cell);
}

}  // namespace pliant
