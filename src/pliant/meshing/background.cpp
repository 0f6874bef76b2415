#include "pliant/meshing/background.hpp"

#include <utility>

#include "pliant/meshing/octree.hpp"

namespace pliant {

namespace {

using Place = std::array<int, 3>;

class Builder {
 public:
  Builder(const Octree& octree, Background& background) : octree_(octree), background_(background) {}

  void build() {
    number_vertices();
    for (const Cell& cell : octree_.leaves())
      for (int axis = 0; axis < 3; ++axis)
        for (const int direction : {-1, 1}) fill_face(cell, axis, direction);
  }

 private:
  void number_vertices() {
    number_.reserve(3 * octree_.leaves().size());
    for (const Cell& cell : octree_.leaves()) {
      add(cell.centre());
      for (int corner = 0; corner < 8; ++corner)
        add({cell.corner[0] + (corner & 1) * cell.side(), cell.corner[1] + (corner >> 1 & 1) * cell.side(),
             cell.corner[2] + (corner >> 2) * cell.side()});
    }
  }

  void add(const Place& place) {
    const auto [where, is_new] =
        number_.try_emplace(key_of(place), static_cast<int>(background_.vertices.size()));
    if (is_new) background_.vertices.push_back(octree_.position(place));
  }

  /// What lies between a cell's centre and that of its neighbour across a face.
  void fill_face(const Cell& cell, int axis, int direction) {
    std::array<int, 3> step{};
    step[axis] = direction;
    const Cell neighbour = cell.shifted(step[0], step[1], step[2]);
    const bool same = octree_.leaf(neighbour) >= 0;
    if (same && direction < 0) return;  // done from the other side
    const bool larger = !same && octree_.leaf(neighbour.parent()) >= 0;
    if (!same && !larger) return;  // outside, or done from the smaller cells

    // The corners of the face in turn.
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::array<Place, 4> corners;
    for (int k = 0; k < 4; ++k) {
      corners[k] = cell.corner;
      if (direction > 0) corners[k][axis] += cell.side();
      if (k == 1 || k == 2) corners[k][u] += cell.side();
      if (k >= 2) corners[k][v] += cell.side();
    }
    if (same)
      surround_axis(cell.centre(), neighbour.centre(), corners);
    else
      join_pyramids(cell.centre(), neighbour.parent(), corners);
  }

  /// Four tetrahedra around the line between the centres of two cells of one size; where an edge of the face
  /// is divided by smaller cells, so is the tetrahedron there.
  void surround_axis(const Place& below, const Place& above, const std::array<Place, 4>& corners) {
    for (int k = 0; k < 4; ++k) {
      const Place &from = corners[k], &to = corners[(k + 1) % 4];
      const Place middle{(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2};
      if (number_.contains(key_of(middle))) {
        add_tet(below, above, from, middle);
        add_tet(below, above, middle, to);
      } else {
        add_tet(below, above, from, to);
      }
    }
  }

  /// Two pyramids over a cell's face, to its own centre and to that of a neighbour twice as large, each cut
  /// in two along the diagonal that meets the middle of the neighbour's face.
  void join_pyramids(const Place& centre, const Cell& large, const std::array<Place, 4>& corners) {
    const Place far = large.centre();
    int middle = 0;
    for (int k = 0; k < 4; ++k) {
      int shared = 0;
      for (int axis = 0; axis < 3; ++axis) shared += corners[k][axis] == far[axis];
      if (shared == 2) middle = k;
    }
    for (const Place& apex : {centre, far})
      for (const int side : {1, 3})
        add_tet(apex, corners[middle], corners[(middle + side) % 4], corners[(middle + 2) % 4]);
  }

  void add_tet(const Place& a, const Place& b, const Place& c, const Place& d) {
    const auto edge = [&](const Place& to, int axis) {
      return static_cast<std::int64_t>(to[axis]) - a[axis];
    };
    std::int64_t volume = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      volume += edge(b, axis) * (edge(c, u) * edge(d, v) - edge(c, v) * edge(d, u));
    }
    std::array<int, 4> tet{number(a), number(b), number(c), number(d)};
    if (volume < 0) std::swap(tet[2], tet[3]);
    background_.tets.push_back(tet);
  }

  int number(const Place& place) const { return number_.at(key_of(place)); }

  const Octree& octree_;
  Background& background_;
  std::unordered_map<std::uint64_t, int> number_;
};

}  // namespace

Background make_background(const Shape& shape, double finest, SizeField size) {
  Background background;
  background.finest = finest;
  Builder(Octree(shape, finest, size), background).build();
  return background;
}

}  // namespace pliant
