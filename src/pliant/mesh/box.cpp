#include "pliant/mesh/box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/cell_cutter.hpp"

namespace pliant {

namespace {

void check(const BoxShape& shape) {
  std::vector<Complaint> complaints;
  const auto complain = [&](std::string message) { complaints.push_back({"", 0, 0, std::move(message)}); };
  double vertices = 1, tets = shape.tets_per_cell;
  for (int axis = 0; axis < 3; ++axis) {
    const double size = shape.size[axis];
    const int cells = shape.cells[axis];
    if (!(size > 0 && std::isfinite(size))) {
      complain(format("box: size along {} is {}; it must be positive and finite", "xyz"[axis], size));
    }
    if (cells < 1) complain(format("box: {} cells along {}; there must be at least 1", cells, "xyz"[axis]));
    vertices *= 1.0 + cells;
    tets *= cells;
  }
  if (shape.tets_per_cell != 5 && shape.tets_per_cell != 6) {
    complain(format("box: {} tetrahedra a cell; 5 or 6 are possible", shape.tets_per_cell));
  }
  if (complaints.empty() && std::max(vertices, tets) > std::numeric_limits<int>::max()) {
    complain(format("box: {} x {} x {} cells give more than {} elements or vertices; use fewer cells",
                    shape.cells[0], shape.cells[1], shape.cells[2], std::numeric_limits<int>::max()));
  }
  if (!complaints.empty()) throw InputError(std::move(complaints));
}

/// The corners of the cell whose cut these tetrahedra begin with; nothing where they are not that cut of one.
std::optional<std::array<int, 8>> uncut(std::span<const std::array<int, 4>> tets, const Cut& cut) {
  if (tets.size() < cut.size()) return {};
  std::array<int, 8> corners{};
  corners.fill(-1);
  for (size_t t = 0; t < cut.size(); ++t)
    for (size_t k = 0; k < 4; ++k) {
      int& corner = corners[static_cast<size_t>(cut[t][k])];
      if (corner >= 0 && corner != tets[t][k]) return {};
      corner = tets[t][k];
    }
  return corners;
}

/// Whether corners lie as those of a brick. Which corner is which is told by this alone, since the mirrored
/// cut of five has the same pattern as the other.
bool is_brick(const std::array<int, 8>& corners, const std::vector<Vec3>& vertices) {
  const auto from_first = [&](size_t corner) -> Vec3 {
    return vertices[static_cast<size_t>(corners[corner])] - vertices[static_cast<size_t>(corners[0])];
  };
  const Vec3 x = from_first(1), y = from_first(2), z = from_first(4);
  constexpr double kRoundoff = 1e-6;
  const double most = kRoundoff * (x.norm() + y.norm() + z.norm());
  for (const size_t corner : {3U, 5U, 6U, 7U}) {
    Vec3 place = Vec3::Zero();
    if (corner & 1U) place += x;
    if (corner & 2U) place += y;
    if (corner & 4U) place += z;
    if (!((from_first(corner) - place).norm() <= most)) return false;
  }
  return true;
}

/// Exactly opposite for i and n - i.
double coordinate(double size, int i, int n) { return size * ((2.0 * i - n) / (2.0 * n)); }

}  // namespace

TetMesh make_box(const BoxShape& shape) {
  check(shape);
  const auto [nx, ny, nz] = shape.cells;
  TetMesh mesh;
  for (int k = 0; k <= nz; ++k) {
    for (int j = 0; j <= ny; ++j) {
      for (int i = 0; i <= nx; ++i) {
        mesh.vertices.emplace_back(coordinate(shape.size.x(), i, nx), coordinate(shape.size.y(), j, ny),
                                   coordinate(shape.size.z(), k, nz));
      }
    }
  }
  const CellCutter cutter(shape.tets_per_cell);
  const auto vertex = [nx = nx, ny = ny](int i, int j, int k) { return i + (nx + 1) * (j + (ny + 1) * k); };
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        std::array<int, 8> corners{};
        for (int c = 0; c < 8; ++c) corners[c] = vertex(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2));
        cutter.add(corners, i ^ j ^ k, mesh);
        if (shape.hexahedra) mesh.hexes.push_back(corners);
      }
  return mesh;
}

std::vector<std::array<int, 8>> find_hexes(const TetMesh& mesh) {
  const Cut cuts[] = {five_tets(false), five_tets(true), six_tets()};
  std::vector<std::array<int, 8>> hexes;
  std::span<const std::array<int, 4>> left = mesh.tets;
  while (!left.empty()) {
    const size_t before = left.size();
    for (const Cut& cut : cuts) {
      const std::optional<std::array<int, 8>> corners = uncut(left, cut);
      if (!corners || !is_brick(*corners, mesh.vertices)) continue;
      hexes.push_back(*corners);
      left = left.subspan(cut.size());
      break;
    }
    if (left.size() == before) return {};
  }
  return hexes;
}

}  // namespace pliant
