#include "pliant/contact/constraints.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "pliant/base/parallel.hpp"
#include "pliant/base/vector_ops.hpp"
#include "pliant/contact/definite.hpp"

namespace pliant {

namespace {

constexpr Index kVerticesOfChunk = 256;

/// Up to three directions, and what follows from them.
class Normals {
 public:
  void add(const Vec3& normal) { N_.row(count_++) = normal; }
  int count() const { return count_; }

  /// The multipliers of the smallest sum of normals with these products; false where normals do not span
  /// enough.
  bool solve(const Eigen::Vector3d& products, Eigen::Vector3d& multipliers) const {
    Mat3 gram = Mat3::Identity();
    gram.topLeftCorner(count_, count_) = N_.topRows(count_) * N_.topRows(count_).transpose();
    constexpr double kParallel = 1e-8;
    if (std::abs(gram.determinant()) < kParallel) return false;
    multipliers.setZero();
    multipliers.head(count_) = gram.topLeftCorner(count_, count_).inverse() * products.head(count_);
    return true;
  }
  Vec3 sum(const Eigen::Vector3d& multipliers) const {
    return N_.topRows(count_).transpose() * multipliers.head(count_);
  }
  Eigen::Vector3d products(const Vec3& with) const {
    Eigen::Vector3d all = Eigen::Vector3d::Zero();
    all.head(count_) = N_.topRows(count_) * with;
    return all;
  }
  /// Projects onto what is perpendicular to all.
  Mat3 perpendicular() const {
    Mat3 rest = Mat3::Identity();
    for (int k = 0; k < count_; ++k) {
      const Vec3 direction = rest * N_.row(k).transpose();
      if (direction.norm() < 1e-6) continue;
      rest -= direction * direction.transpose() / direction.squaredNorm();
    }
    return count_ == 3 && rest.norm() < 1e-6 ? Mat3(Mat3::Zero()) : rest;
  }

 private:
  Mat3 N_ = Mat3::Zero();
  int count_ = 0;
};

/// Of x - phi grad phi / |grad phi|^2 by x, with the gradient in the directions `moves` alone. For a distance
/// in space the gradient is a unit vector and one such step leads to the surface; in a plane that cuts an
/// obstacle, or where shapes were blended, it takes more.
Mat3 derivative_of_step(const Jet& phi, const Vec3& moves) {
  const Vec3 g = phi.gradient.cwiseProduct(moves);
  const Mat3 H = moves.asDiagonal() * phi.hessian * moves.asDiagonal();
  const double squared = g.squaredNorm();
  if (squared == 0) return Mat3::Identity();
  const Vec3 bent = 2 * phi.value / squared * (H * g);
  return Mat3::Identity() - (g * (g - bent).transpose() + phi.value * H) / squared;
}

/// Along the gradient. In the middle of a ball no way is shorter than others, and up is one of them.
Vec3 way_out(const Jet& phi, const Vec3& moves) {
  const Vec3 along = phi.gradient.cwiseProduct(moves), up = Vec3::UnitY().cwiseProduct(moves);
  return along.norm() > 1e-6 ? along.normalized() : up.isZero() ? moves.normalized() : up;
}

}  // namespace

void Constraints::begin(double t, std::span<const char> fixed, double extent) {
  touching_ = 1e-10 * extent;
  exact_ = 1e-13 * extent;
  sharpest_ = 1e-4 * extent;
  farthest_ = 1e3 * extent;
  fixed_ = fixed;
  placed_.clear();
  for (const Obstacle* obstacle : obstacles_) placed_.emplace_back(*obstacle, t);
  active_.clear();
  roundoff_ = 0;
  active_of_.assign(fixed.size() / 3, -1);
  moved_.clear();
}

/// 1 where a vertex can move.
Vec3 Constraints::mask(int vertex) const {
  const char* fixed = fixed_.data() + 3 * Index{vertex};
  return {fixed[0] ? 0.0 : 1.0, fixed[1] ? 0.0 : 1.0, fixed[2] ? 0.0 : 1.0};
}

Index Constraints::label(const Vector& x, Vector& gradient) {
  const Index count = x.size() / 3;
  std::vector<std::vector<Active>> found(
      static_cast<size_t>((count + kVerticesOfChunk - 1) / kVerticesOfChunk));
  parallel_chunks(count, kVerticesOfChunk, [&](Index begin, Index end) {
    for (Index vertex = begin; vertex < end; ++vertex)
      register_vertex(static_cast<int>(vertex), x, gradient, found[begin / kVerticesOfChunk]);
  });
  Index fresh = 0;
  for (const auto& chunk : found)
    for (const Active& active : chunk) fresh += active_of_[active.vertex] < 0;
  active_.clear();
  std::fill(active_of_.begin(), active_of_.end(), -1);
  for (const auto& chunk : found)
    for (const Active& active : chunk) {
      active_of_[active.vertex] = static_cast<int>(active_.size());
      active_.push_back(active);
    }
  roundoff_ = 0;
  for (const Active& active : active_)
    for (int k = 0; k < active.count; ++k) roundoff_ += 2 * exact_ * active.force[k];
  return fresh;
}

void Constraints::restrict(Vector& gradient) const {
  for (const Active& active : active_) {
    auto at = gradient.segment<3>(3 * Index{active.vertex});
    at = (active.free * at).eval();
  }
}

/// The obstacles that a vertex is on, each with one face.
int Constraints::find_touching(const Vec3& place, const Vec3& moves, TouchingList& touching) const {
  int count = 0;
  for (int k = 0; k < std::ssize(placed_) && count < kMostTouching; ++k) {
    if (!placed_[k].may_reach(place, touching_)) continue;
    if (!(placed_[k].distance(place) < touching_)) continue;
    const Jet jet = placed_[k].distance_jet(place);
    const Vec3 normal = jet.gradient.cwiseProduct(moves);
    if (normal.norm() > 1e-6) touching[count++] = {k, normal.normalized(), jet.hessian / normal.norm()};
  }
  return count;
}

/// In a crease an obstacle has several faces, of which the distance shows one. Another one is there if the
/// way that is left to go leads inside at once.
bool Constraints::find_face_ahead(const Vec3& place, const Vec3& way, const Vec3& moves,
                                  TouchingList& touching, int& count) const {
  if (count == kMostTouching) return false;
  constexpr double kAhead = 10, kSteep = 0.01, kSameFace = 1 - 1e-6;
  const double length = kAhead * touching_;
  const Vec3 ahead = place + length * way;
  for (int k = 0; k < count; ++k) {
    const int obstacle = touching[k].obstacle;
    if (!(placed_[obstacle].distance(ahead) < -kSteep * length)) continue;
    const Jet jet = placed_[obstacle].distance_jet(ahead);
    const Vec3 across = jet.gradient.cwiseProduct(moves);
    if (across.norm() <= 1e-6) continue;
    const Vec3 normal = across.normalized();
    const bool known = std::any_of(touching.begin(), touching.begin() + count, [&](const Touching& other) {
      return other.obstacle == obstacle && other.normal.dot(normal) > kSameFace;
    });
    if (known) continue;
    touching[count++] = {obstacle, normal, jet.hessian / across.norm()};
    return true;
  }
  return false;
}

/// Of the faces a vertex touches, those are active that the descent along -g runs into: what is left of g is
/// in the cone of feasible directions. For a single one that is the rule of section 3.2, active where
/// g . normal > 0.
bool Constraints::choose_active(std::span<const Touching> touching, const Vec3& g, Active& active) const {
  const int count = static_cast<int>(touching.size());
  const double slack = 1e-8 * g.norm();
  for (int subset = 1; subset < 1 << count; ++subset) {
    if (std::popcount(static_cast<unsigned>(subset)) > kMost) continue;
    Normals normals;
    for (int k = 0; k < count; ++k)
      if (subset >> k & 1) normals.add(touching[k].normal);
    Eigen::Vector3d force;
    if (!normals.solve(normals.products(g), force)) continue;
    if (force.head(normals.count()).minCoeff() <= 0) continue;
    const Vec3 left = g - normals.sum(force);
    bool feasible = true;
    for (int k = 0; k < count; ++k)
      if (!(subset >> k & 1)) feasible &= touching[k].normal.dot(left) <= slack;
    if (!feasible) continue;
    for (int k = 0; k < count; ++k) {
      if (!(subset >> k & 1)) continue;
      active.obstacle[active.count] = touching[k].obstacle;
      active.normal[active.count] = touching[k].normal;
      active.force[active.count] = force[active.count];
      const Mat3& hessian = touching[k].hessian;
      if (hessian.norm() * sharpest_ < 1) active.bending -= force[active.count] * hessian;
      ++active.count;
    }
    active.free = normals.perpendicular();
    return true;
  }
  return false;
}

void Constraints::register_vertex(int vertex, const Vector& x, Vector& gradient,
                                  std::vector<Active>& found) const {
  const Vec3 place = x.segment<3>(3 * Index{vertex}), moves = mask(vertex);
  if (moves.isZero()) return;
  TouchingList touching;
  int count = find_touching(place, moves, touching);
  if (count == 0) return;
  const Vec3 g = gradient.segment<3>(3 * Index{vertex});
  constexpr double kLittle = 1e-9;
  Active active;
  bool held = false;
  Vec3 left = g;
  do {
    active = {};
    active.vertex = vertex;
    held = choose_active({touching.data(), static_cast<size_t>(count)}, g, active);
    for (int c = 0; c < 3; ++c)
      if (moves[c] == 0) active.free.row(c).setZero(), active.free.col(c).setZero();
    left = active.free * g;
  } while (left.norm() > kLittle * g.norm() &&
           find_face_ahead(place, -left.normalized(), moves, touching, count));
  if (!held) return;
  active.bending = active.free * active.bending * active.free;
  gradient.segment<3>(3 * Index{vertex}) = left;
  found.push_back(active);
}

void Constraints::project(Vector& x) {
  const Index count = x.size() / 3;
  moved_.resize(static_cast<size_t>((count + kVerticesOfChunk - 1) / kVerticesOfChunk));
  parallel_chunks(count, kVerticesOfChunk, [&](Index begin, Index end) {
    std::vector<Moved>& moved = moved_[begin / kVerticesOfChunk];
    moved.clear();
    for (Index vertex = begin; vertex < end; ++vertex) {
      const Active* active = active_of_[vertex] < 0 ? nullptr : &active_[active_of_[vertex]];
      Vec3 place = x.segment<3>(3 * vertex);
      Moved here{static_cast<int>(vertex), Mat3::Identity()};
      if (!project_vertex(here.vertex, active, place, here.derivative)) continue;
      x.segment<3>(3 * vertex) = place;
      moved.push_back(here);
    }
  });
}

/// The obstacle that x is deepest inside of, besides some; -1 where there is none.
int Constraints::deepest_around(const Vec3& x, std::span<const int> besides) const {
  double deepest = -exact_;
  int into = -1;
  for (int k = 0; k < std::ssize(placed_); ++k) {
    if (std::find(besides.begin(), besides.end(), k) != besides.end()) continue;
    if (!placed_[k].may_reach(x, 0)) continue;
    const double distance = placed_[k].distance(x);
    if (distance < deepest) deepest = distance, into = k;
  }
  return into;
}

/// Where obstacles overlap, the way out of one leads into the other. Straight on is the way out of both,
/// unless it leads into something without an end: of that way and those out of each of the obstacles, the
/// shortest.
bool Constraints::go_outside(const Vec3& way, const Vec3& moves, Vec3& x) const {
  std::vector<Vec3> ways{way};
  for (const PlacedObstacle& at : placed_)
    if (at.may_reach(x, 0) && at.distance(x) < exact_) ways.push_back(way_out(at.distance_jet(x), moves));
  double nearest = std::numeric_limits<double>::infinity();
  Vec3 outside = x;
  for (const Vec3& direction : ways) {
    Vec3 place = x;
    const double gone = walk_outside(direction, place);
    if (gone < nearest) nearest = gone, outside = place;
  }
  x = outside;
  return nearest < std::numeric_limits<double>::infinity();
}

/// How far it is straight on until outside of all; infinite where it does not end within the scene.
double Constraints::walk_outside(const Vec3& way, Vec3& x) const {
  constexpr int kSteps = 100;
  double gone = 0;
  for (int step = 0; step < kSteps && gone < farthest_; ++step) {
    const int into = deepest_around(x, {});
    if (into < 0) return gone;
    const double stride = std::max(-placed_[into].distance(x), exact_);
    gone += stride;
    x += stride * way;
  }
  return std::numeric_limits<double>::infinity();
}

/// Onto the surfaces of the obstacles that hold the vertex and, one after the other, of those it is inside
/// of; true where there are any.
bool Constraints::project_vertex(int vertex, const Active* active, Vec3& x, Mat3& derivative) const {
  if (!x.allFinite()) return false;
  std::array<int, kMost> held{};
  int count = 0;
  if (active)
    for (int k = 0; k < active->count; ++k)
      if (std::find(held.begin(), held.begin() + count, active->obstacle[k]) == held.begin() + count)
        held[count++] = active->obstacle[k];
  const Vec3 moves = mask(vertex);
  constexpr int kRounds = 8, kNewtonSteps = 30;
  for (int round = 0; round < kRounds; ++round) {
    const int into = deepest_around(x, {held.data(), static_cast<size_t>(count)});
    if (into < 0 && (round > 0 || count == 0)) break;
    if (moves.isZero()) return false;
    if (into >= 0) {
      // With three held already the first one makes room: it may be needed no longer.
      if (count == kMost) std::rotate(held.begin(), held.begin() + 1, held.end()), --count;
      held[count++] = into;
    }
    for (int step = 0; step < kNewtonSteps; ++step) {
      Normals normals;
      Eigen::Vector3d distances = Eigen::Vector3d::Zero();
      Jet jet;
      for (int k = 0; k < count; ++k) {
        jet = placed_[held[k]].distance_jet(x);
        distances[k] = jet.value;
        normals.add(jet.gradient.cwiseProduct(moves));
      }
      if (count == 1)
        derivative = derivative_of_step(jet, moves) * derivative;
      else
        derivative = normals.perpendicular();
      if (distances.cwiseAbs().maxCoeff() < exact_) break;
      Eigen::Vector3d multipliers;
      if (!normals.solve(distances, multipliers)) {
        if (go_outside(way_out(jet, moves), moves, x)) return true;
        break;
      }
      x -= normals.sum(multipliers);
    }
  }
  return count > 0;
}

double Constraints::slope(const Vector& gradient, const Vector& step) const {
  double sum = dot(gradient, step);
  for (const auto& chunk : moved_)
    for (const Moved& moved : chunk) {
      const Index dof = 3 * Index{moved.vertex};
      const Vec3 way = step.segment<3>(dof);
      sum += gradient.segment<3>(dof).dot(moved.derivative * way - way);
    }
  return sum;
}

void Constraints::restrict_hessian(Definiteness definiteness, const Vector& diagonal,
                                   BlockMatrix& hessian) const {
  std::vector<Restriction> restrictions;
  for (const Active& active : active_) {
    hessian.add_diagonal_block(active.vertex, made_definite(active.bending, definiteness));
    restrictions.push_back({active.vertex, active.free});
  }
  hessian.restrict_vertices(std::move(restrictions), diagonal);
}

void Constraints::add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const {
  for (const Active& active : active_)
    for (int k = 0; k < active.count; ++k)
      contacts.push_back(contact_with(placed_[active.obstacle[k]], active.vertex,
                                      x.segment<3>(3 * Index{active.vertex}), active.normal[k],
                                      active.force[k]));
}

void Constraints::take_velocity(const Vector& x, Vector& v) const {
  for (const Active& active : active_) {
    const Index dof = 3 * Index{active.vertex};
    Normals normals;
    Eigen::Vector3d missing = Eigen::Vector3d::Zero(), multipliers;
    for (int k = 0; k < active.count; ++k) {
      const Vec3 target = placed_[active.obstacle[k]].velocity(x.segment<3>(dof));
      normals.add(active.normal[k]);
      missing[k] = active.normal[k].dot(target - v.segment<3>(dof));
    }
    if (normals.solve(missing, multipliers)) v.segment<3>(dof) += normals.sum(multipliers);
  }
}

void Constraints::mark_active(std::vector<char>& fixed) const {
  for (const Active& active : active_) std::fill_n(fixed.begin() + 3 * Index{active.vertex}, 3, char{1});
}

}  // namespace pliant
