#include "pliant/meshing/stuffing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {

namespace {

/// A cut closer to a vertex than this share of the edge pulls the vertex onto the surface. The values are
/// those of the paper for angles between 10.7 and 164.8 degrees; edges along an axis of the lattice are the
/// long ones.
constexpr double kTooCloseLong = 0.24999, kTooCloseShort = 0.41189;
constexpr Index kCutVerticesAtOnce = 512;

/// An edge of the background that the surface passes through.
struct CutEdge {
  int a, b;      ///< a < b
  double share;  ///< of the way from a to b where the surface is; negative once an end has been moved there
  int vertex;    ///< of the mesh, at the cut
  bool operator<(const CutEdge& other) const { return a != other.a ? a < other.a : b < other.b; }
};

class Stuffer {
 public:
  Stuffer(const Shape& shape, Background& background) : shape_(shape), lattice_(background) {}

  Stuffing run() {
    evaluate();
    find_cuts();
    warp();
    fill();
    compact();
    return std::move(made_);
  }

 private:
  enum Side : signed char { kInside = 1, kOn = 0, kOutside = -1 };

  void evaluate() {
    const Index count = std::ssize(lattice_.vertices);
    const double on_it = 1e-9 * lattice_.finest;  // the sign of less is roundoff
    distance_.resize(count);
    side_.resize(count);
    parallel_chunks(count, kCutVerticesAtOnce, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        distance_[i] = shape_.distance(lattice_.vertices[i]);
        side_[i] = std::abs(distance_[i]) <= on_it ? kOn : distance_[i] < 0 ? kInside : kOutside;
      }
    });
  }

  void find_cuts() {
    for (const auto& tet : lattice_.tets)
      for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j)
          if (side_[tet[i]] * side_[tet[j]] < 0)
            cuts_.push_back({std::min(tet[i], tet[j]), std::max(tet[i], tet[j]), 0, -1});
    std::sort(cuts_.begin(), cuts_.end());
    cuts_.erase(std::unique(cuts_.begin(), cuts_.end(),
                            [](const CutEdge& x, const CutEdge& y) { return x.a == y.a && x.b == y.b; }),
                cuts_.end());
    parallel_chunks(std::ssize(cuts_), kCutVerticesAtOnce, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) cuts_[k].share = find_surface(cuts_[k]);
    });
  }

  /// Where the distance is zero on an edge whose ends lie on different sides: the method of false position,
  /// which halves the weight of an end that stays (Illinois).
  double find_surface(const CutEdge& edge) const {
    const Vec3 &from = lattice_.vertices[edge.a], &to = lattice_.vertices[edge.b];
    double low = 0, high = 1, at_low = distance_[edge.a], at_high = distance_[edge.b];
    const double enough = 1e-12 * (to - from).norm();
    double share = 0.5;
    int last = 0;
    for (int iteration = 0; iteration < 60; ++iteration) {
      share = (low * at_high - high * at_low) / (at_high - at_low);
      const double here = shape_.distance(from + share * (to - from));
      if (std::abs(here) <= enough || high - low < 1e-15) break;
      if ((here < 0) == (at_low < 0)) {
        low = share, at_low = here;
        if (last < 0) at_high /= 2;
        last = -1;
      } else {
        high = share, at_high = here;
        if (last > 0) at_low /= 2;
        last = 1;
      }
    }
    return share;
  }

  Vec3 point(const CutEdge& edge) const {
    return lattice_.vertices[edge.a] + edge.share * (lattice_.vertices[edge.b] - lattice_.vertices[edge.a]);
  }

  /// Along a diagonal of the lattice's cubes.
  bool is_short(const CutEdge& edge) const {
    const Vec3 along = (lattice_.vertices[edge.b] - lattice_.vertices[edge.a]).cwiseAbs();
    return along.maxCoeff() - along.minCoeff() < 1e-6 * along.maxCoeff();
  }

  /// Vertices in order: one with a cut too close goes to the closest of its cuts, which removes all cuts of
  /// its edges.
  void warp() {
    std::vector<std::pair<int, int>> incident;  // vertex, cut
    std::vector<double> limit(cuts_.size());
    for (size_t k = 0; k < cuts_.size(); ++k) {
      incident.emplace_back(cuts_[k].a, static_cast<int>(k));
      incident.emplace_back(cuts_[k].b, static_cast<int>(k));
      limit[k] = is_short(cuts_[k]) ? kTooCloseShort : kTooCloseLong;
    }
    std::sort(incident.begin(), incident.end());
    std::vector<std::pair<int, Vec3>> moved;
    for (size_t first = 0; first < incident.size();) {
      size_t last = first;
      const int vertex = incident[first].first;
      int closest = -1;
      double shortest = 0;
      for (; last < incident.size() && incident[last].first == vertex; ++last) {
        const CutEdge& edge = cuts_[incident[last].second];
        if (edge.share < 0) continue;
        const double share = edge.a == vertex ? edge.share : 1 - edge.share;
        if (share >= limit[incident[last].second]) continue;
        const double way = share * (lattice_.vertices[edge.b] - lattice_.vertices[edge.a]).norm();
        if (closest < 0 || way < shortest) closest = incident[last].second, shortest = way;
      }
      if (closest >= 0) {
        moved.emplace_back(vertex, point(cuts_[closest]));
        side_[vertex] = kOn;
        for (size_t k = first; k < last; ++k) cuts_[incident[k].second].share = -1;
      }
      first = last;
    }
    // Cuts are places on the edges as they were.
    std::vector<Vec3> cut_points(cuts_.size());
    for (size_t k = 0; k < cuts_.size(); ++k)
      if (cuts_[k].share >= 0) cut_points[k] = point(cuts_[k]);
    for (const auto& [vertex, place] : moved) lattice_.vertices[vertex] = place;
    made_.mesh.vertices = lattice_.vertices;
    made_.on_surface.assign(lattice_.vertices.size(), 0);
    for (size_t i = 0; i < side_.size(); ++i) made_.on_surface[i] = side_[i] == kOn;
    for (size_t k = 0; k < cuts_.size(); ++k) {
      if (cuts_[k].share < 0) continue;
      cuts_[k].vertex = static_cast<int>(made_.mesh.vertices.size());
      made_.mesh.vertices.push_back(cut_points[k]);
      made_.on_surface.push_back(1);
    }
  }

  int cut(int a, int b) const {
    const CutEdge wanted{std::min(a, b), std::max(a, b), 0, -1};
    return std::lower_bound(cuts_.begin(), cuts_.end(), wanted)->vertex;
  }

  void fill() {
    for (const auto& tet : lattice_.tets) {
      int inside = 0, outside = 0;
      for (const int vertex : tet) {
        inside += side_[vertex] == kInside;
        outside += side_[vertex] == kOutside;
      }
      if (inside == 0) continue;
      if (outside == 0)
        made_.mesh.tets.push_back(tet);
      else
        fill_part(tet, inside, outside);
    }
  }

  /// The inner part of a tetrahedron with corners on both sides.
  void fill_part(std::array<int, 4> tet, int inside, int outside) {
    // Inner corners first, then those on the surface, then outer ones; an even permutation.
    std::array<int, 4> order{0, 1, 2, 3};
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return side_[tet[i]] > side_[tet[j]]; });
    bool odd = false;
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) odd ^= order[i] > order[j];
    tet = {tet[order[0]], tet[order[1]], tet[order[2]], tet[order[3]]};
    if (inside == 1) {
      for (int i = 4 - outside; i < 4; ++i) tet[i] = cut(tet[0], tet[i]);
      return add(tet, odd);
    }
    const auto [p, q, r, n] = tet;
    if (inside == 3) return add_prism({p, q, r}, {cut(p, n), cut(q, n), cut(r, n)}, odd, false);
    if (outside == 2) return add_prism({p, cut(p, r), cut(p, n)}, {q, cut(q, r), cut(q, n)}, odd, true);
    // Two inside, one on the surface, one outside: a pyramid over a quadrilateral, with its top on the
    // surface.
    const int cut_p = cut(p, n), cut_q = cut(q, n);
    if (joins(p, q, cut_p, cut_q)) {
      add({p, q, r, cut_q}, odd);
      add({p, cut_q, r, cut_p}, odd);
    } else {
      add({p, q, r, cut_p}, odd);
      add({q, cut_q, r, cut_p}, odd);
    }
  }

  void add(std::array<int, 4> tet, bool odd) {
    if (odd) std::swap(tet[2], tet[3]);
    made_.mesh.tets.push_back(tet);
  }

  /// Whether the quadrilateral p, q, cut_q, cut_p of a face is cut along p - cut_q, the shorter diagonal; the
  /// answer is the same for the tetrahedra on both sides of the face.
  bool joins(int p, int q, int cut_p, int cut_q) const {
    const auto& x = made_.mesh.vertices;
    const double from_p = (x[p] - x[cut_q]).squaredNorm(), from_q = (x[q] - x[cut_p]).squaredNorm();
    if (std::abs(from_p - from_q) > 1e-9 * (from_p + from_q)) return from_p < from_q;
    return p < q;
  }

  /// A prism with the triangles `bottom` and `top`, of positive volume where its top lies on the side that
  /// bottom's normal points to. Its last quadrilateral is on the surface of the shape where `free`: it may be
  /// cut either way.
  void add_prism(const std::array<int, 3>& bottom, const std::array<int, 3>& top, bool odd, bool free) {
    // Column i wins over column j where the diagonal between them starts at the bottom of i.
    const auto wins = [&](int i, int j) { return joins(bottom[i], bottom[j], top[i], top[j]); };
    std::array<bool, 3> first_wins{};
    for (int i = 0; i < 3; ++i) first_wins[i] = wins(i, (i + 1) % 3);
    if (free) {
      // Columns are (p, q), (cut, cut), (cut, cut): faces 0-1 and 2-0 are shared with others.
      first_wins[0] = joins(bottom[0], top[0], bottom[1], top[1]);
      first_wins[2] = !joins(bottom[0], top[0], bottom[2], top[2]);
      if (first_wins[0] == first_wins[2]) first_wins[1] = !first_wins[0];
    }
    if (first_wins[0] == first_wins[1] && first_wins[1] == first_wins[2])
      return add_prism_around_centre(bottom, top, first_wins[0], odd);
    std::array<int, 3> column{0, 1, 2};
    std::sort(column.begin(), column.end(),
              [&](int i, int j) { return (i + 1) % 3 == j ? first_wins[i] : !first_wins[j]; });
    const auto [x, y, z] = column;
    const bool turned = odd ^ ((y + 3 - x) % 3 == 2);
    add({bottom[x], bottom[y], bottom[z], top[z]}, turned);
    add({bottom[x], bottom[y], top[y], top[z]}, !turned);
    add({bottom[x], top[x], top[y], top[z]}, turned);
  }

  /// Diagonals that run around in a circle leave no room for three tetrahedra: a vertex in the middle does.
  void add_prism_around_centre(const std::array<int, 3>& bottom, const std::array<int, 3>& top,
                               bool first_wins, bool odd) {
    auto& x = made_.mesh.vertices;
    Vec3 middle = Vec3::Zero();
    for (int i = 0; i < 3; ++i) middle += (x[bottom[i]] + x[top[i]]) / 6;
    const int centre = static_cast<int>(x.size());
    x.push_back(middle);
    made_.on_surface.push_back(0);
    add({bottom[0], bottom[1], bottom[2], centre}, odd);
    add({top[0], top[2], top[1], centre}, odd);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      if (first_wins) {
        add({bottom[i], top[j], bottom[j], centre}, odd);
        add({bottom[i], top[i], top[j], centre}, odd);
      } else {
        add({bottom[i], top[i], bottom[j], centre}, odd);
        add({bottom[j], top[i], top[j], centre}, odd);
      }
    }
  }

  void compact() {
    const std::vector<int> number = drop_unused_vertices(made_.mesh);
    std::vector<char> kept(made_.mesh.vertices.size());
    for (size_t i = 0; i < number.size(); ++i)
      if (number[i] >= 0) kept[number[i]] = made_.on_surface[i];
    made_.on_surface = std::move(kept);
  }

  const Shape& shape_;
  Background& lattice_;
  std::vector<double> distance_;
  std::vector<signed char> side_;
  std::vector<CutEdge> cuts_;
  Stuffing made_;
};

}  // namespace

Stuffing stuff(const Shape& shape, Background background) { return Stuffer(shape, background).run(); }

}  // namespace pliant
