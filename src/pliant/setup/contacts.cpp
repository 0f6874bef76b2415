// The contacts of a model.
#include <algorithm>
#include <cmath>

#include "pliant/base/log.hpp"
#include "pliant/contact/contact_springs.hpp"
#include "pliant/contact/penalty.hpp"
#include "pliant/contact/self_collision.hpp"
#include "pliant/contact/thin_collision.hpp"
#include "pliant/setup/plan.hpp"

namespace pliant {

namespace {

/// Stiffness of penalties against each vertex, Pa: as said, or a multiple of the body's own.
Vector contact_stiffness(const ModelPlan& plan, const Model& model, const std::optional<double>& given) {
  constexpr double kTimesYoung = 10;
  Vector stiffness(model.mass.size());
  for (size_t b = 0; b < model.bodies.size(); ++b)
    stiffness.segment(model.bodies[b].first_vertex, std::ssize(model.bodies[b].rest.vertices))
        .setConstant(given.value_or(kTimesYoung * plan.bodies[b].options.material.young));
  return stiffness;
}

/// Stiffness of springs against each vertex, N/m: that of a cube as large as the vertex and a multiple of its
/// body's own.
Vector spring_stiffness(const ModelPlan& plan, const Model& model) {
  Vector stiffness = contact_stiffness(plan, model, {});
  for (size_t b = 0; b < model.bodies.size(); ++b)
    for (size_t k = 0; k < model.bodies[b].rest.vertices.size(); ++k) {
      const Index i = model.bodies[b].first_vertex + static_cast<Index>(k);
      stiffness[i] *= std::cbrt(model.mass[i] / plan.bodies[b].options.material.density);
    }
  return stiffness;
}

/// A ball around each vertex of what is thin.
void add_thin_collision(const ModelPlan& plan, Model& model) {
  std::vector<int> vertices, bodies;
  std::vector<Vec3> rest;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (!body.rest.thin()) continue;
    for (size_t i = 0; i < body.rest.vertices.size(); ++i) {
      vertices.push_back(body.first_vertex + static_cast<int>(i));
      bodies.push_back(static_cast<int>(b));
      rest.push_back(body.rest.vertices[i]);
    }
  }
  if (vertices.empty()) return;
  // Two that overlap by half are about as stiff as the cloth itself.
  const double distance = *plan.contact.thin_distance;
  Vector stiffness = contact_stiffness(plan, model, plan.contact.stiffness);
  for (size_t b = 0; b < model.bodies.size() && !plan.contact.stiffness; ++b)
    stiffness.segment(model.bodies[b].first_vertex, std::ssize(model.bodies[b].rest.vertices))
        .setConstant(plan.bodies[b].options.material.young * model.bodies[b].rest.thickness / (3 * distance));
  ThinCollision::Options options{
      .distance = distance, .stiffness = std::move(stiffness), .friction = plan.contact.friction};
  model.contact_terms.push_back(std::make_unique<ThinCollision>(std::move(vertices), std::move(bodies),
                                                                std::move(rest), std::move(options)));
}

}  // namespace

void add_contacts(const ModelPlan& plan, Model& model) {
  const auto any = [&](ContactWay way) {
    return std::any_of(model.obstacles.begin(), model.obstacles.end(),
                       [&](const Obstacle& obstacle) { return obstacle.way == way; });
  };
  if (any(ContactWay::penalty))
    model.contact_terms.push_back(
        std::make_unique<ObstaclePenalty>(model.obstacles, contact_stiffness(plan, model, {})));
  if (any(ContactWay::springs))
    model.contact_terms.push_back(
        std::make_unique<ContactSprings>(model.obstacles, spring_stiffness(plan, model)));
  if (plan.contact.thin_distance) add_thin_collision(plan, model);
  if (!plan.contact.self_collision) return;
  std::vector<SelfCollision::Collider> colliders;
  for (const Body& body : model.bodies) colliders.push_back({body.rest, body.first_vertex});
  const bool by_program = plan.contact.way == ContactWay::program;
  auto collision = std::make_unique<SelfCollision>(
      colliders, SelfCollision::Options{.stiffness = contact_stiffness(plan, model, plan.contact.stiffness),
                                        .friction = plan.contact.friction,
                                        .within_bodies = plan.contact.within_bodies,
                                        .facing = by_program});
  if (by_program)
    model.program_contacts = std::move(collision);
  else
    model.contact_terms.push_back(std::move(collision));
}

void warn_of_idle_contacts(const ContactOptions& contact, const Model& model) {
  const auto none = [&](auto is_met) {
    return std::none_of(model.bodies.begin(), model.bodies.end(),
                        [&](const Body& body) { return is_met(body.rest); });
  };
  if (contact.thin_distance && none([](const TetMesh& rest) { return rest.thin(); }))
    log::warn("contact.thin_distance has no effect: the scene has neither cloth nor ribbons nor strands");
  if (contact.self_collision && none([](const TetMesh& rest) { return !rest.tets.empty(); }))
    log::warn(
        "contact.self_collision has no effect: a collision is a vertex inside of a tetrahedron, and no body "
        "has any");
}

}  // namespace pliant
