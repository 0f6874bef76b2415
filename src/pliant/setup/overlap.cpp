// Vertices that start where they must not be.
#include <algorithm>
#include <map>

#include "pliant/base/log.hpp"
#include "pliant/base/text.hpp"
#include "pliant/contact/constraints.hpp"
#include "pliant/setup/start.hpp"

namespace pliant {

namespace {

constexpr double kTouching = 1e-9;  // of the diameter of the model: a vertex on the surface is not inside

/// The vertices of one body in one obstacle.
struct Overlap {
  int vertices = 0;
  double depth = 0;
  Vec3 deepest = Vec3::Zero();  ///< where that is
};

class Separation {
 public:
  Separation(const Model& model, State& state)
      : state_(state), fixed_(model.fixed_dofs(0)), slack_(kTouching * model.diameter) {
    for (const Obstacle& obstacle : model.obstacles) obstacles_.emplace_back(obstacle, 0);
  }

  Overlap overlap(const Body& body, size_t obstacle) const {
    Overlap found;
    for_free_vertices(body, [&](Index vertex) {
      const Vec3 x = state_.x.segment<3>(3 * vertex);
      const double depth = -obstacles_[obstacle].distance(x);
      if (depth <= slack_) return;
      ++found.vertices;
      if (depth <= found.depth) return;
      found.depth = depth;
      found.deepest = x;
    });
    return found;
  }

  /// The first obstacle that a vertex of the body is inside of.
  std::string holder(const Body& body) const {
    for (size_t o = 0; o < obstacles_.size(); ++o)
      if (overlap(body, o).vertices > 0) return obstacles_[o].obstacle().name;
    return "";
  }

  /// Of the vertices that were inside an obstacle, how many and how far they were moved; those that stay
  /// inside are counted too.
  struct Push {
    int moved = 0, stuck = 0;
    double farthest = 0;
  };

  /// To the places `outside`.
  Push push_out(const Body& body, const Vector& outside) {
    Push push;
    for_free_vertices(body, [&](Index vertex) {
      const Vec3 start = state_.x.segment<3>(3 * vertex), x = outside.segment<3>(3 * vertex);
      if (!is_inside(start)) return;
      push.stuck += is_inside(x);
      state_.x.segment<3>(3 * vertex) = x;
      ++push.moved;
      push.farthest = std::max(push.farthest, (x - start).norm());
    });
    return push;
  }

 private:
  template <class Visit>
  void for_free_vertices(const Body& body, const Visit& visit) const {
    for (Index i = 0; i < std::ssize(body.rest.vertices); ++i) {
      const Index vertex = body.first_vertex + i;
      if (!fixed_[3 * vertex] || !fixed_[3 * vertex + 1] || !fixed_[3 * vertex + 2]) visit(vertex);
    }
  }

  bool is_inside(const Vec3& x) const {
    return std::any_of(obstacles_.begin(), obstacles_.end(),
                       [&](const PlacedObstacle& obstacle) { return obstacle.distance(x) < -slack_; });
  }

  State& state_;
  std::vector<char> fixed_;
  double slack_;
  std::vector<PlacedObstacle> obstacles_;
};

/// Where vertices go if obstacles of all kinds are constraints.
Vector outside_of_obstacles(const Model& model, const Vector& x) {
  std::vector<const Obstacle*> obstacles;
  for (const Obstacle& obstacle : model.obstacles) obstacles.push_back(&obstacle);
  const std::vector<char> fixed = model.fixed_dofs(0);
  Constraints constraints(obstacles);
  constraints.begin(0, fixed, model.diameter);
  Vector outside = x;
  constraints.project(outside);
  return outside;
}

/// Where bodies start inside of each other or of themselves. Contacts push them apart in time; no vertex is
/// moved here, since what would be in the way of what is not known.
void find_tangled_bodies(const Model& model, bool allow_overlap, const State& state,
                         std::vector<BodyComplaint>& complaints) {
  std::map<std::pair<size_t, int>, Overlap> found;  // by bodies: the one of the vertices, the other one
  for (const auto& contact : model.contacts) {
    for (const auto& [vertex, collider, depth] : contact->find_inside(state.x)) {
      if (depth <= kTouching * model.diameter) continue;
      const size_t body = static_cast<size_t>(&model.body_of(vertex) - model.bodies.data());
      Overlap& overlap = found[{body, collider}];
      ++overlap.vertices;
      if (depth <= overlap.depth) continue;
      overlap.depth = depth;
      overlap.deepest = state.x.segment<3>(3 * Index{vertex});
    }
  }
  for (const auto& [pair, overlap] : found) {
    const Body &body = model.bodies[pair.first], &other = model.bodies[pair.second];
    const std::string what = format(
        "body {} starts inside {}: {} of its {} vertices are, the deepest by {:.4g} m at [{:.4g}, "
        "{:.4g}, {:.4g}]",
        body.name, &body == &other ? "itself" : "body " + other.name, overlap.vertices,
        body.rest.vertices.size(), overlap.depth, overlap.deepest.x(), overlap.deepest.y(),
        overlap.deepest.z());
    if (allow_overlap)
      log::warn(what + "; collisions will push it out");
    else
      complaints.push_back(
          {pair.first, what +
                           "; move one of the two, or set contact.allow_initial_overlap = true to have them "
                           "pushed apart"});
  }
}

}  // namespace

std::vector<BodyComplaint> separate_at_start(const Model& model, bool allow_overlap, State& state) {
  Separation separation(model, state);
  Vector outside;
  if (allow_overlap) outside = outside_of_obstacles(model, state.x);
  std::vector<BodyComplaint> complaints;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const auto complain = [&](const std::string& message) { complaints.push_back({b, message}); };
    if (allow_overlap) {
      const auto [moved, stuck, farthest] = separation.push_out(body, outside);
      if (moved > 0 && stuck == 0)
        log::warn(
            format("body {}: {} of {} vertices started inside obstacles and were pushed out, by up to "
                   "{:.4g} m",
                   body.name, moved, body.rest.vertices.size(), farthest));
      if (stuck > 0)
        complain(
            format("body {}: {} of its vertices cannot be put outside of obstacle {}; move one of the two",
                   body.name, stuck, separation.holder(body)));
      continue;
    }
    for (size_t o = 0; o < model.obstacles.size(); ++o) {
      const Overlap found = separation.overlap(body, o);
      if (found.vertices == 0) continue;
      complain(
          format("body {} starts inside obstacle {}: {} of its {} vertices are, the deepest by {:.4g} m "
                 "at [{:.4g}, {:.4g}, {:.4g}]; move one of the two, or set contact.allow_initial_overlap "
                 "= true to have these vertices pushed out",
                 body.name, model.obstacles[o].name, found.vertices, body.rest.vertices.size(), found.depth,
                 found.deepest.x(), found.deepest.y(), found.deepest.z()));
    }
  }
  if (complaints.empty() || !allow_overlap) find_tangled_bodies(model, allow_overlap, state, complaints);
  return complaints;
}

}  // namespace pliant
