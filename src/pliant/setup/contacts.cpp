// The contacts of a model.
#include <algorithm>
#include <cmath>

#include "pliant/base/log.hpp"
#include "pliant/contact/constraints.hpp"
#include "pliant/contact/contact_springs.hpp"
#include "pliant/contact/penalty.hpp"
#include "pliant/contact/self_collision.hpp"
#include "pliant/contact/thin_collision.hpp"
#include "pliant/integrate/contact_program.hpp"
#include "pliant/integrate/friction_after_step.hpp"
#include "pliant/integrate/post_process.hpp"
#include "pliant/setup/obstacle_contacts.hpp"

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
  model.contacts.push_back(std::make_unique<ThinCollision>(std::move(vertices), std::move(bodies),
                                                           std::move(rest), std::move(options)));
}

std::unique_ptr<SelfCollision> make_self_collision(const ModelPlan& plan, const Model& model) {
  std::vector<SelfCollision::Collider> colliders;
  for (const Body& body : model.bodies) colliders.push_back({body.rest, body.first_vertex});
  return std::make_unique<SelfCollision>(
      colliders, SelfCollision::Options{.stiffness = contact_stiffness(plan, model, plan.contact.stiffness),
                                        .friction = plan.contact.friction,
                                        .within_bodies = plan.contact.within_bodies,
                                        .facing = by_program(plan.contact)});
}

std::unique_ptr<Contact> make_program(const ModelPlan& plan, const Model& model) {
  return std::make_unique<ContactProgram>(
      model,
      ContactProgram::Options{.longest_step = plan.time.tolerance ? plan.time.longest_step : 0,
                              .damped = plan.contact.program_damping},
      by_program(plan.contact) ? make_self_collision(plan, model) : nullptr);
}

const ObstacleContact kObstacleContacts[] = {
    {.way = ContactWay::constraint,
     .summary = "never inside: each step is solved among the places outside; needs an exact distance",
     .make = [](const ModelPlan&, const Model& model) -> std::unique_ptr<Contact> {
       return std::make_unique<Constraints>(model.obstacles);
     },
     .needs_exact_distance = true},
    {.way = ContactWay::penalty,
     .summary = "pushed out the harder the deeper; stays a little inside",
     .make = [](const ModelPlan& plan, const Model& model) -> std::unique_ptr<Contact> {
       return std::make_unique<ObstaclePenalty>(model.obstacles, contact_stiffness(plan, model, {}));
     },
     .has_stiffness = true},
    {.way = ContactWay::springs,
     .summary = "pushed back to the surface while not moving away; for lbfgs, whose matrix it leaves alone",
     .make = [](const ModelPlan& plan, const Model& model) -> std::unique_ptr<Contact> {
       return std::make_unique<ContactSprings>(model.obstacles, spring_stiffness(plan, model));
     },
     .has_stiffness = true},
    {.way = ContactWay::post_process,
     .summary = "put outside after each step that knew nothing of it; for comparison",
     .make = [](const ModelPlan&, const Model& model) -> std::unique_ptr<Contact> {
       return std::make_unique<PostProcess>(model.obstacles);
     },
     .needs_exact_distance = true},
    {.way = ContactWay::program,
     .summary = "velocities are corrected after each step by a quadratic program; for any scheme",
     .make = &make_program},
};

/// Energies come first, since what is feasible is labelled by the gradient of all; what acts after the step
/// comes last.
int place_among_contacts(Contact& contact) {
  return !contact.energies().empty() ? 0 : contact.feasible_places() ? 1 : 2;
}

}  // namespace

std::span<const ObstacleContact> obstacle_contacts() { return kObstacleContacts; }

const ObstacleContact& obstacle_contact(ContactWay way) { return *find_obstacle_contact(name(way)); }

const ObstacleContact* find_obstacle_contact(std::string_view name) {
  const auto found = std::find_if(std::begin(kObstacleContacts), std::end(kObstacleContacts),
                                  [&](const ObstacleContact& of) { return of.name == name; });
  return found == std::end(kObstacleContacts) ? nullptr : found;
}

Demands demands_of(ContactWay way) { return obstacle_contact(way).make({}, {})->demands(); }

void add_contacts(const ModelPlan& plan, Model& model) {
  auto& contacts = model.contacts;
  for (const ObstacleContact& of : obstacle_contacts()) {
    const auto meets_it = [&](const Obstacle& obstacle) { return obstacle.way == of.way; };
    const bool between_bodies = of.way == ContactWay::program && by_program(plan.contact);
    if (between_bodies || std::any_of(model.obstacles.begin(), model.obstacles.end(), meets_it))
      contacts.push_back(of.make(plan, model));
  }
  if (plan.contact.thin_distance) add_thin_collision(plan, model);
  if (plan.contact.self_collision && !by_program(plan.contact))
    contacts.push_back(make_self_collision(plan, model));
  std::stable_sort(contacts.begin(), contacts.end(), [](const auto& one, const auto& other) {
    return place_among_contacts(*one) < place_among_contacts(*other);
  });
  if (std::none_of(contacts.begin(), contacts.end(), [](const auto& contact) { return contact->rubs(); }))
    return;
  const auto acts_later = [](const auto& contact) { return place_among_contacts(*contact) == 2; };
  contacts.insert(std::find_if(contacts.begin(), contacts.end(), acts_later),
                  std::make_unique<FrictionAfterStep>());
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
