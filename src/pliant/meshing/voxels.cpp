#include "pliant/meshing/voxels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/cell_cutter.hpp"

namespace pliant {

TetMesh make_voxels(const Shape& shape, double cell) {
  const Bounds bounds = shape.bounds();
  std::array<int, 3> count{};
  double total = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double along = std::ceil(bounds.sizes()[axis] / cell - 1e-9);
    total *= along + 1;
    constexpr double kMost = 1e8;
    if (!(total < kMost))
      throw InputError(format("cells of {} m are too many for this shape; use larger ones", cell));
    count[axis] = std::max(1, static_cast<int>(along));
  }
  const Vec3 first = bounds.center() - 0.5 * cell * Vec3(count[0], count[1], count[2]);
  const auto place = [&](int i, int j, int k) -> Vec3 { return first + cell * Vec3(i, j, k); };
  TetMesh mesh;
  const CellCutter cutter(5);
  std::map<std::array<int, 3>, int> number;  // of vertices, by k, j, i
  for (int k = 0; k < count[2]; ++k)
    for (int j = 0; j < count[1]; ++j)
      for (int i = 0; i < count[0]; ++i) {
        if (!(shape.distance(place(i, j, k) + Vec3::Constant(cell / 2)) < 0)) continue;
        std::array<int, 8> corners{};
        for (int c = 0; c < 8; ++c) {
          const std::array<int, 3> at{k + (c >> 2), j + ((c >> 1) & 1), i + (c & 1)};
          const auto [found, is_new] = number.try_emplace(at, static_cast<int>(number.size()));
          if (is_new) mesh.vertices.push_back(place(at[2], at[1], at[0]));
          corners[c] = found->second;
        }
        cutter.add(corners, i ^ j ^ k, mesh);
        mesh.hexes.push_back(corners);
      }
  if (mesh.hexes.empty())
    throw InputError(format("cells of {} m are too large for this shape: no centre is inside", cell));
  return mesh;
}

}  // namespace pliant
