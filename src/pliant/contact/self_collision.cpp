#include "pliant/contact/self_collision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/base/parallel.hpp"
#include "pliant/base/vector_ops.hpp"
#include "pliant/contact/point_primitive.hpp"

namespace pliant {

namespace {

constexpr Index kCandidatesAtOnce = 256, kHitsAtOnce = 64;

/// Positions of a body alone, as the trees want them: only its own part of the vector is filled.
Vector rest_positions(const TetMesh& rest, int first_vertex) {
  Vector x = Vector::Zero(3 * (first_vertex + std::ssize(rest.vertices)));
  for (size_t i = 0; i < rest.vertices.size(); ++i)
    x.segment<3>(3 * (first_vertex + static_cast<Index>(i))) = rest.vertices[i];
  return x;
}

}  // namespace

SelfCollision::SelfCollision(const std::vector<Collider>& colliders, Vector stiffness, double friction)
    : stiffness_(std::move(stiffness)), friction_(friction) {
  for (size_t number = 0; number < colliders.size(); ++number) {
    const auto& [rest, first_vertex] = colliders[number];
    const int end = first_vertex + static_cast<int>(rest.vertices.size());
    if (rest.tets.empty()) {
      for (int vertex = first_vertex; vertex < end; ++vertex) candidates_.push_back(vertex);
      continue;
    }
    const Surface surface = extract_surface(rest);
    for (const int vertex : surface.vertex_of) candidates_.push_back(first_vertex + vertex);
    std::vector<std::array<int, 3>> triangles = surface.mesh.triangles;
    for (auto& triangle : triangles)
      for (int& corner : triangle) corner = surface.vertex_of[corner];
    const Vector x = rest_positions(rest, first_vertex);
    bodies_.push_back({static_cast<int>(number), TetTree(rest.tets, x, first_vertex),
                       SurfaceTree(triangles, x, first_vertex)});
  }
  last_triangle_.assign(candidates_.size(), -1);
  last_collider_.assign(candidates_.size(), -1);
}

const std::vector<SelfCollision::Hit>& SelfCollision::find(const Vector& x) const {
  if (x_.size() == x.size() && x_ == x) return hits_;
  x_ = x;
  find_inside(x);
  find_closest(x);
  return hits_;
}

/// Which candidates are inside of which bodies, in the order of candidates, then of bodies.
void SelfCollision::find_inside(const Vector& x) const {
  hits_.clear();
  std::vector<Bounds> bounds;
  for (Body& body : bodies_) {
    body.tets.refit(x);
    bounds.push_back(body.tets.bounds());
  }
  const Index count = std::ssize(candidates_);
  std::vector<std::vector<Hit>> found(
      static_cast<size_t>((count + kCandidatesAtOnce - 1) / kCandidatesAtOnce));
  parallel_chunks(count, kCandidatesAtOnce, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Vec3 place = x.segment<3>(3 * Index{candidates_[i]});
      for (int b = 0; b < std::ssize(bodies_); ++b)
        if (bounds[b].contains(place) && bodies_[b].tets.first_containing(place, candidates_[i]) >= 0)
          found[begin / kCandidatesAtOnce].push_back({i, b, {}});
    }
  });
  for (const auto& chunk : found) hits_.insert(hits_.end(), chunk.begin(), chunk.end());
}

void SelfCollision::find_closest(const Vector& x) const {
  std::vector<char> needed(bodies_.size(), 0);
  for (const Hit& hit : hits_) needed[hit.collider] = 1;
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

void SelfCollision::begin_stage(const Stage& stage) {
  x_step_ = stage.x_step;
  stored_step_ = stored(x_step_, stage.time_step);
}

double SelfCollision::stored(const Vector& x, double) const {
  const std::vector<Hit>& hits = find(x);
  double sum = 0;
  for (const Hit& hit : hits) sum += penetration_energy(pair(hit, x), stiffness_[candidates_[hit.candidate]]);
  return sum;
}

StageTerm::Flow SelfCollision::flow(const Vector& x) const {
  // What the force at the end misses of the change of energy is lost to the scheme.
  std::vector<double> energies(candidates_.size());
  Vector gradient = Vector::Zero(x.size());
  evaluate(x, energies, &gradient);
  const double stored_end = sum(energies.data(), std::ssize(energies));
  return {.scheme_loss = dot(gradient, x - x_step_) - (stored_end - stored_step_)};
}

void SelfCollision::add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const {
  for (const Hit& hit : find(x)) {
    Vec12 gradient;
    penetration_energy(pair(hit, x), stiffness_[candidates_[hit.candidate]], &gradient);
    const Vec3 force = -gradient.head<3>();
    if (force.isZero(0)) continue;
    ContactPoint contact;
    contact.vertices = stencil(hit);
    contact.weights = {1, -hit.closest.weights[0], -hit.closest.weights[1], -hit.closest.weights[2]};
    contact.force = force.norm();
    contact.normal = force / contact.force;
    contact.friction = friction_;
    contacts.push_back(contact);
  }
}

double SelfCollision::smallest_gap(const Vector& x) const {
  double gap = std::numeric_limits<double>::infinity();
  for (const Hit& hit : find(x)) gap = std::min(gap, -std::sqrt(hit.closest.squared_distance));
  return gap;
}

std::vector<SelfCollision::Overlap> SelfCollision::overlaps(const Vector& x) const {
  std::vector<Overlap> found;
  for (const Hit& hit : find(x))
    found.push_back(
        {candidates_[hit.candidate], bodies_[hit.collider].number, std::sqrt(hit.closest.squared_distance)});
  return found;
}

}  // namespace pliant
