#include "pliant/contact/thin_collision.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace pliant {

namespace {

constexpr double kMargin = 0.5;      ///< in parts of the distance kept
constexpr double kNeighbours = 1.5;  ///< closer than this at rest, likewise

using Cell = std::array<std::int64_t, 3>;

/// Which balls are in which cell of a grid: a list for each of many baskets, which cells are thrown into.
class Grid {
 public:
  explicit Grid(std::vector<Cell> cells) : cells_(std::move(cells)), next_(cells_.size(), -1) {
    size_t baskets = 64;
    while (baskets < 2 * cells_.size()) baskets *= 2;
    first_.assign(baskets, -1);
    // Backwards, so that lists are ascending.
    for (size_t i = cells_.size(); i-- > 0;) {
      int& first = first_[basket(cells_[i])];
      next_[i] = first;
      first = static_cast<int>(i);
    }
  }
  const Cell& cell(int ball) const { return cells_[ball]; }
  template <class Visit>
  void for_each_in(const Cell& cell, Visit visit) const {
    for (int i = first_[basket(cell)]; i >= 0; i = next_[i])
      if (cells_[i] == cell) visit(i);
  }

 private:
  size_t basket(const Cell& cell) const {
    const auto mixed = static_cast<std::uint64_t>(cell[0]) * 73856093U ^
                       static_cast<std::uint64_t>(cell[1]) * 19349663U ^
                       static_cast<std::uint64_t>(cell[2]) * 83492791U;
    return static_cast<size_t>(mixed) & (first_.size() - 1);
  }

  std::vector<Cell> cells_;
  std::vector<int> first_, next_;
};

}  // namespace

/// Two balls that overlap.
struct ThinCollision::Touch {
  int a, b;  ///< among the balls
  double k;  ///< Pa
  double depth;
  double distance;
  Vec3 normal;  ///< from b to a

  double energy() const { return k * depth * depth * depth; }
  double force() const { return 3 * k * depth * depth; }
};

ThinCollision::ThinCollision(std::vector<int> vertices, std::vector<int> body, std::vector<Vec3> rest,
                             Options options)
    : vertices_(std::move(vertices)),
      body_(std::move(body)),
      rest_(std::move(rest)),
      options_(std::move(options)) {}

bool ThinCollision::are_neighbours(int a, int b) const {
  const double apart = kNeighbours * options_.distance;
  return body_[a] == body_[b] && (rest_[a] - rest_[b]).squaredNorm() < apart * apart;
}

bool ThinCollision::has_moved_far(const Vector& x) const {
  if (near_x_.size() != x.size()) return true;
  const double far = 0.5 * kMargin * options_.distance;
  for (int i = 0; i < std::ssize(vertices_); ++i)
    if (!((place(x, i) - place(near_x_, i)).squaredNorm() < far * far)) return true;
  return false;
}

void ThinCollision::find_near(const Vector& x) const {
  if (!has_moved_far(x)) return;
  near_x_ = x;
  near_.clear();
  const double reach = (1 + kMargin) * options_.distance;
  std::vector<Cell> cells(vertices_.size());
  for (int i = 0; i < std::ssize(vertices_); ++i) {
    const Vec3 cell = (place(x, i) / reach).array().floor();
    // Places that are no numbers, or beyond all numbers, touch nothing wherever they are put.
    const bool somewhere = (cell.array().abs() < 1e15).all();
    for (int k = 0; k < 3; ++k) cells[i][k] = somewhere ? static_cast<std::int64_t>(cell[k]) : 0;
  }
  const Grid grid(std::move(cells));
  for (int a = 0; a < std::ssize(vertices_); ++a)
    for (int n = 0; n < 27; ++n) {
      Cell around = grid.cell(a);
      around[0] += n % 3 - 1;
      around[1] += n / 3 % 3 - 1;
      around[2] += n / 9 - 1;
      grid.for_each_in(around, [&](int b) {
        if (b > a && (place(x, a) - place(x, b)).squaredNorm() < reach * reach && !are_neighbours(a, b))
          near_.push_back({a, b});
      });
    }
  // Sums must not depend on when this was done last.
  std::sort(near_.begin(), near_.end(),
            [](const Pair& p, const Pair& q) { return std::pair(p.a, p.b) < std::pair(q.a, q.b); });
}

template <class Visit>
void ThinCollision::for_each_touch(const Vector& x, Visit visit) const {
  find_near(x);
  for (const auto [a, b] : near_) {
    const Vec3 apart = place(x, a) - place(x, b);
    const double distance = apart.norm();
    if (!(distance < options_.distance)) continue;
    const Vec3 normal = distance > 0 ? Vec3(apart / distance) : Vec3(Vec3::UnitY());
    const double k = std::min(options_.stiffness[vertices_[a]], options_.stiffness[vertices_[b]]);
    visit(Touch{a, b, k, options_.distance - distance, distance, normal});
  }
}

void ThinCollision::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  std::fill(energies.begin(), energies.end(), 0.0);
  for_each_touch(x, [&](const Touch& touch) {
    energies[touch.a] += touch.energy();
    if (!gradient) return;
    const Vec3 force = touch.force() * touch.normal;
    gradient->segment<3>(3 * Index{vertices_[touch.a]}) -= force;
    gradient->segment<3>(3 * Index{vertices_[touch.b]}) += force;
  });
}

/// Along the normal 6 k depth; across it the force over the distance, which is negative.
void ThinCollision::add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const {
  for_each_touch(x, [&](const Touch& touch) {
    constexpr double kLeast = 1e-9;  // of the distance kept
    double across = -touch.force() / std::max(touch.distance, kLeast * options_.distance);
    if (definiteness == Definiteness::clamp) across = 0;
    if (definiteness == Definiteness::abs) across = -across;
    const Mat3 along = touch.normal * touch.normal.transpose();
    const Mat3 block = 6 * touch.k * touch.depth * along + across * (Mat3::Identity() - along);
    const int a = vertices_[touch.a], b = vertices_[touch.b];
    hessian.add_diagonal_block(a, block);
    hessian.add_diagonal_block(b, block);
    hessian.add_block(a, b, -block);
  });
}

double ThinCollision::stored(const Vector& x, double) const {
  double sum = 0;
  for_each_touch(x, [&](const Touch& touch) { sum += touch.energy(); });
  return sum;
}

void ThinCollision::add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const {
  for_each_touch(x, [&](const Touch& touch) {
    ContactPoint contact;
    contact.vertices[0] = vertices_[touch.a];
    contact.vertices[1] = vertices_[touch.b];
    contact.weights = {1, -1, 0, 0};
    contact.normal = touch.normal;
    contact.force = touch.force();
    contact.friction = options_.friction;
    contacts.push_back(contact);
  });
}

double ThinCollision::overlap(const Vector& x) const {
  double deepest = 0;
  for_each_touch(x, [&](const Touch& touch) { deepest = std::max(deepest, touch.depth); });
  return deepest;
}

}  // namespace pliant
