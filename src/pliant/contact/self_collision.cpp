#include "pliant/contact/self_collision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/base/parallel.hpp"
#include "pliant/base/vector_ops.hpp"
#include "pliant/contact/point_primitive.hpp"

namespace pliant {

namespace {

constexpr Index kCandidatesAtOnce = 64, kHitsAtOnce = 32, kMovedAtOnce = 4096;

Vec3 place_of_vertex(const Vector& x, int vertex) { return x.segment<3>(3 * Index{vertex}); }

/// Whether a direction from the first corner leads into a tetrahedron, whatever its orientation.
bool leads_into(const Vec3& direction, const Vec3& a, const Vec3& b, const Vec3& c) {
  const double volume = a.cross(b).dot(c), sign = volume < 0 ? -1 : 1;
  return sign * b.cross(c).dot(direction) >= 0 && sign * c.cross(a).dot(direction) >= 0 &&
         sign * a.cross(b).dot(direction) >= 0;
}

}  // namespace

SelfCollision::SelfCollision(const std::vector<Collider>& colliders, Options options)
    : stiffness_(std::move(options.stiffness)),
      friction_(options.friction),
      within_bodies_(options.within_bodies),
      facing_(options.facing) {
  Vector x = Vector::Zero(3 * stiffness_.size());
  for (size_t number = 0; number < colliders.size(); ++number) {
    const auto& [rest, first_vertex] = colliders[number];
    const int end = first_vertex + static_cast<int>(rest.vertices.size());
    if (rest.tets.empty()) {
      for (int vertex = first_vertex; vertex < end; ++vertex) candidates_.push_back(vertex);
      triangle_start_.resize(candidates_.size() + 1, triangle_start_.back());
      continue;
    }
    for (size_t i = 0; i < rest.vertices.size(); ++i)
      x.segment<3>(3 * (first_vertex + static_cast<Index>(i))) = rest.vertices[i];
    const Surface surface = extract_surface(rest);
    add_candidates(surface, first_vertex);
    std::vector<std::array<int, 3>> triangles = surface.mesh.triangles;
    for (auto& triangle : triangles)
      for (int& corner : triangle) corner = surface.vertex_of[corner];
    bodies_.push_back({static_cast<int>(number), first_vertex, end, rest.tets,
                       TetTree(rest.tets, x, first_vertex), SurfaceTree(triangles, x, first_vertex)});
    add_margin(surface.mesh);
  }
  last_triangle_.assign(candidates_.size(), -1);
  last_collider_.assign(candidates_.size(), -1);
}

/// A part of the shortest mean edge: neighbours of a vertex that it shares no tetrahedron with are not near.
void SelfCollision::add_margin(const TriangleMesh& surface) {
  constexpr double kPart = 0.15;
  double sum = 0;
  for (const auto& [a, b, c] : surface.triangles)
    sum += (surface.vertices[a] - surface.vertices[b]).norm() +
           (surface.vertices[b] - surface.vertices[c]).norm() +
           (surface.vertices[c] - surface.vertices[a]).norm();
  const double part = kPart * sum / (3 * static_cast<double>(surface.triangles.size()));
  margin_ = margin_ > 0 ? std::min(margin_, part) : part;
}

void SelfCollision::add_candidates(const Surface& surface, int first_vertex) {
  std::vector<std::vector<std::array<int, 3>>> around(surface.vertex_of.size());
  for (const auto& triangle : surface.mesh.triangles) {
    std::array<int, 3> in_model{};
    for (int i = 0; i < 3; ++i) in_model[i] = first_vertex + surface.vertex_of[triangle[i]];
    for (const int corner : triangle) around[corner].push_back(in_model);
  }
  for (size_t i = 0; i < around.size(); ++i) {
    candidates_.push_back(first_vertex + surface.vertex_of[i]);
    triangles_.insert(triangles_.end(), around[i].begin(), around[i].end());
    triangle_start_.push_back(std::ssize(triangles_));
  }
}

const std::vector<SelfCollision::Hit>& SelfCollision::find(const Vector& x) const {
  if (x_.size() == x.size() && x_ == x) return hits_;
  x_ = x;
  find_hits(x);
  find_closest(x);
  return hits_;
}

/// Which candidates are inside of which bodies, in the order of candidates, then of bodies.
void SelfCollision::find_hits(const Vector& x) const {
  if (has_moved_far(x)) {
    for (Body& body : bodies_) body.tets.refit(x);
    find_near(x);
  } else {
    const std::vector<char> needed = colliders_of(near_);
    for (size_t b = 0; b < bodies_.size(); ++b)
      if (needed[b]) bodies_[b].tets.refit(x);
  }
  std::vector<char> inside(near_.size());
  parallel_chunks(std::ssize(near_), kCandidatesAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      inside[i] = is_inside(near_[i].candidate, bodies_[near_[i].collider], x);
  });
  hits_.clear();
  for (size_t i = 0; i < near_.size(); ++i)
    if (inside[i]) hits_.push_back(near_[i]);
}

/// Of each body, whether one of these is with it.
std::vector<char> SelfCollision::colliders_of(const std::vector<Hit>& hits) const {
  std::vector<char> are(bodies_.size(), 0);
  for (const Hit& hit : hits) are[hit.collider] = 1;
  return are;
}

/// Whether what was far from each other may touch by now.
bool SelfCollision::has_moved_far(const Vector& x) const {
  if (near_x_.size() != x.size()) return true;
  constexpr double kSafely = 0.999;  // for all roundoff
  const double most = kSafely * margin_ / 2;
  return parallel_sum(x.size() / 3, kMovedAtOnce, [&](Index begin, Index end) {
           double far = 0;
           for (Index i = begin; i < end; ++i)
             if (!((x.segment<3>(3 * i) - near_x_.segment<3>(3 * i)).squaredNorm() < most * most)) ++far;
           return far;
         }) > 0;
}

/// For positions that the trees are fitted to.
void SelfCollision::find_near(const Vector& x) const {
  near_x_ = x;
  near_.clear();
  std::vector<Bounds> bounds;
  for (const Body& body : bodies_) {
    bounds.push_back(body.tets.bounds());
    bounds.back().min().array() -= margin_;
    bounds.back().max().array() += margin_;
  }
  const Index count = std::ssize(candidates_);
  std::vector<std::vector<Hit>> found(
      static_cast<size_t>((count + kCandidatesAtOnce - 1) / kCandidatesAtOnce));
  parallel_chunks(count, kCandidatesAtOnce, [&](Index begin, Index end) {
    Bounds here;
    for (Index i = begin; i < end; ++i) here.extend(place_of_vertex(x, candidates_[i]));
    std::vector<int> around;
    for (int b = 0; b < std::ssize(bodies_); ++b)
      if (bounds[b].intersects(here)) around.push_back(b);
    for (Index i = begin; i < end; ++i) {
      const int vertex = candidates_[i];
      const Vec3 place = place_of_vertex(x, vertex);
      for (const int b : around)
        if ((within_bodies_ || !is_of(vertex, bodies_[b])) && bounds[b].contains(place) &&
            bodies_[b].tets.may_come_within(margin_, place, vertex))
          found[begin / kCandidatesAtOnce].push_back({.candidate = i, .collider = b, .closest = {}});
    }
  });
  for (const auto& chunk : found) near_.insert(near_.end(), chunk.begin(), chunk.end());
}

/// In a body of others, inside of any tetrahedron. In its own, where the surface goes around it: just outside
/// of each of its triangles, the orientations of the tetrahedra that are there sum up to how often it does.
/// Its own tetrahedra are there as far as they reach, which they do where they are turned inside out.
bool SelfCollision::is_inside(Index candidate, const Body& body, const Vector& x) const {
  const int vertex = candidates_[candidate];
  const Vec3 place = place_of_vertex(x, vertex);
  if (body.tets.first_containing(place, vertex) < 0) return false;
  if (!is_of(vertex, body)) return true;
  constexpr size_t kMostDirections = 16;
  std::array<Vec3, kMostDirections> outward;
  std::array<int, kMostDirections> times{};
  const size_t directions = outward_of(candidate, x, outward);
  body.tets.for_each_containing(place, [&](int number) {
    std::array<int, 4> corners = body.corners[number];
    for (int& corner : corners) corner += body.first_vertex;
    const auto own = std::find(corners.begin(), corners.end(), vertex);
    // Each of these turns keeps the orientation.
    if (own == corners.begin() + 1) corners = {corners[1], corners[0], corners[3], corners[2]};
    if (own == corners.begin() + 2) corners = {corners[2], corners[3], corners[0], corners[1]};
    if (own == corners.begin() + 3) corners = {corners[3], corners[2], corners[1], corners[0]};
    const Vec3 first = place_of_vertex(x, corners[0]);
    const Vec3 a = place_of_vertex(x, corners[1]) - first, b = place_of_vertex(x, corners[2]) - first,
               c = place_of_vertex(x, corners[3]) - first;
    const int orientation = a.cross(b).dot(c) < 0 ? -1 : 1;
    for (size_t k = 0; k < directions; ++k)
      if (own == corners.end() || leads_into(outward[k], a, b, c)) times[k] += orientation;
    return true;
  });
  return std::all_of(times.begin(), times.begin() + directions, [](int t) { return t > 0; });
}

/// Directions from a candidate that lead just outside of each triangle of the surface around it.
size_t SelfCollision::outward_of(Index candidate, const Vector& x, std::span<Vec3> directions) const {
  size_t count = 0;
  const Vec3 place = place_of_vertex(x, candidates_[candidate]);
  for (Index t = triangle_start_[candidate]; t < triangle_start_[candidate + 1] && count < directions.size();
       ++t) {
    const auto [a, b, c] = triangles_[t];
    const Vec3 first = place_of_vertex(x, a), second = place_of_vertex(x, b), third = place_of_vertex(x, c);
    constexpr double kJust = 1e-3;
    directions[count++] = ((first + second + third) / 3 - place).normalized() +
                          kJust * (second - first).cross(third - first).normalized();
  }
  return count;
}

/// Outward, of any length; zero without a surface.
Vec3 SelfCollision::normal_of(Index candidate, const Vector& x) const {
  Vec3 sum = Vec3::Zero();
  for (Index t = triangle_start_[candidate]; t < triangle_start_[candidate + 1]; ++t) {
    const auto [a, b, c] = triangles_[t];
    const Vec3 first = place_of_vertex(x, a);
    sum += (place_of_vertex(x, b) - first).cross(place_of_vertex(x, c) - first);
  }
  return sum;
}

void SelfCollision::find_closest(const Vector& x) const {
  const std::vector<char> needed = colliders_of(hits_);
  for (size_t b = 0; b < bodies_.size(); ++b)
    if (needed[b]) bodies_[b].surface.refit(x);
  parallel_chunks(std::ssize(hits_), kHitsAtOnce, [&](Index begin, Index end) {
    for (Index h = begin; h < end; ++h) {
      Hit& hit = hits_[h];
      const SurfaceTree& surface = bodies_[hit.collider].surface;
      const int vertex = candidates_[hit.candidate];
      const Vec3 place = x.segment<3>(3 * Index{vertex});
      double bound = std::numeric_limits<double>::infinity();
      if (last_collider_[hit.candidate] == hit.collider)
        bound = surface.closest_of(last_triangle_[hit.candidate], place).squared_distance;
      hit.closest = surface.closest(place, vertex, bound);
      hit.squared_depth = hit.closest.squared_distance;
      if (!facing_ || hit.closest.triangle < 0) continue;
      const double far = 2 * std::sqrt(hit.squared_depth) + margin_ / 3;
      const ClosestPoint faces = surface.closest(place, vertex, far * far, normal_of(hit.candidate, x));
      if (faces.triangle >= 0) hit.closest = faces;
    }
  });
  std::erase_if(hits_, [](const Hit& hit) { return hit.closest.triangle < 0; });
  for (const Hit& hit : hits_) {
    last_collider_[hit.candidate] = hit.collider;
    last_triangle_[hit.candidate] = hit.closest.triangle;
  }
}

/// The vertex, then the corners of the triangle.
std::array<int, 4> SelfCollision::stencil(const Hit& hit) const {
  const auto [a, b, c] = bodies_[hit.collider].surface.vertices_of(hit.closest.triangle);
  return {candidates_[hit.candidate], a, b, c};
}

PointPrimitive SelfCollision::pair(const Hit& hit, const Vector& x) const {
  PointPrimitive pair{.x = {}, .feature = hit.closest.feature, .which = hit.closest.which};
  const std::array<int, 4> vertices = stencil(hit);
  for (size_t i = 0; i < 4; ++i) pair.x[i] = x.segment<3>(3 * Index{vertices[i]});
  return pair;
}

void SelfCollision::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  const std::vector<Hit>& hits = find(x);
  std::vector<double> values(hits.size());
  std::vector<Vec12> forces(gradient ? hits.size() : 0);
  parallel_chunks(std::ssize(hits), kHitsAtOnce, [&](Index begin, Index end) {
    for (Index h = begin; h < end; ++h)
      values[h] = penetration_energy(pair(hits[h], x), stiffness_[candidates_[hits[h].candidate]],
                                     gradient ? &forces[h] : nullptr);
  });
  // One after the other, since they share vertices: the order of summation stays the same.
  std::fill(energies.begin(), energies.end(), 0.0);
  for (size_t h = 0; h < hits.size(); ++h) {
    energies[hits[h].candidate] += values[h];
    if (!gradient) continue;
    const std::array<int, 4> vertices = stencil(hits[h]);
    for (int i = 0; i < 4; ++i) gradient->segment<3>(3 * Index{vertices[i]}) += forces[h].segment<3>(3 * i);
  }
}

void SelfCollision::add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const {
  const std::vector<Hit>& hits = find(x);
  std::vector<Mat12> blocks(hits.size());
  parallel_chunks(std::ssize(hits), kHitsAtOnce, [&](Index begin, Index end) {
    for (Index h = begin; h < end; ++h)
      penetration_energy(pair(hits[h], x), stiffness_[candidates_[hits[h].candidate]], nullptr, &blocks[h],
                         definiteness);
  });
  for (size_t h = 0; h < hits.size(); ++h) {
    const std::array<int, 4> vertices = stencil(hits[h]);
    for (int i = 0; i < 4; ++i) {
      hessian.add_diagonal_block(vertices[i], blocks[h].block<3, 3>(3 * i, 3 * i));
      for (int j = 0; j < i; ++j) {
        const Mat3 block = blocks[h].block<3, 3>(3 * i, 3 * j);
        if (!block.isZero(0)) hessian.add_block(vertices[i], vertices[j], block);
      }
    }
  }
}

double SelfCollision::stored(const Vector& x, double) const {
  const std::vector<Hit>& hits = find(x);
  double sum = 0;
  for (const Hit& hit : hits) sum += penetration_energy(pair(hit, x), stiffness_[candidates_[hit.candidate]]);
  return sum;
}

void SelfCollision::add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const {
  for (const Hit& hit : find(x)) {
    Vec12 gradient;
    penetration_energy(pair(hit, x), stiffness_[candidates_[hit.candidate]], &gradient);
    const Vec3 force = -gradient.head<3>();
    if (force.isZero(0)) continue;
    ContactPoint contact;
    std::ranges::copy(stencil(hit), contact.vertices.begin());
    contact.weights = {1, -hit.closest.weights[0], -hit.closest.weights[1], -hit.closest.weights[2]};
    contact.force = force.norm();
    contact.normal = force / contact.force;
    contact.friction = friction_;
    contacts.push_back(contact);
  }
}

double SelfCollision::overlap(const Vector& x) const {
  double deepest = 0;
  for (const Hit& hit : find(x)) deepest = std::max(deepest, hit.squared_depth);
  return std::sqrt(deepest);
}

std::vector<Contact::Inside> SelfCollision::find_inside(const Vector& x) const {
  std::vector<Inside> found;
  for (const Hit& hit : find(x))
    found.push_back({candidates_[hit.candidate], bodies_[hit.collider].number, std::sqrt(hit.squared_depth)});
  return found;
}

}  // namespace pliant
