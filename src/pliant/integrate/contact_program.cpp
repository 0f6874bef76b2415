#include "pliant/integrate/contact_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "pliant/base/groups.hpp"
#include "pliant/contact/gap.hpp"
#include "pliant/integrate/account.hpp"
#include "pliant/integrate/step_end.hpp"

namespace pliant {

namespace {

Vec3 place_at(const Vector& x, Index vertex) { return x.segment<3>(3 * vertex); }

/// The error of a program that could not be solved at all.
constexpr double kNotSolved = std::numeric_limits<double>::infinity();

Correction correction_of(ProgramReport::Status status) {
  switch (status) {
    case ProgramReport::Status::solved:
      return Correction::solved;
    case ProgramReport::Status::infeasible:
      return Correction::contradictory;
    case ProgramReport::Status::too_large:
      return Correction::too_large;
    default:
      return Correction::inaccurate;
  }
}

/// What a program says of a step.
void note(const ProgramReport& of, StepReport& report) {
  report.contacts.correction = std::max(report.contacts.correction, correction_of(of.status));
  report.contacts.correction_error = std::max(report.contacts.correction_error, of.error);
  if (of.status != ProgramReport::Status::solved)
    report.outcome.status = std::max(report.outcome.status, Status::iteration_limit);
}

}  // namespace

ContactProgram::ContactProgram(const Model& model, const Options& options,
                               std::unique_ptr<SelfCollision> collision)
    : model_(model),
      options_(options),
      obstacles_(obstacles_of(model.obstacles, ContactWay::program)),
      collision_(std::move(collision)),
      matrices_(model) {}

std::unique_ptr<Contact> ContactProgram::clone_contact() const {
  return std::make_unique<ContactProgram>(
      model_, options_, collision_ ? std::make_unique<SelfCollision>(*collision_) : nullptr);
}

std::vector<Contact::Inside> ContactProgram::find_inside(const Vector& x) const {
  return collision_ ? collision_->find_inside(x) : std::vector<Inside>();
}

void ContactProgram::add_obstacles(const State& start, const State& predicted,
                                   std::vector<Place>& places) const {
  for (const Obstacle* obstacle : obstacles_) {
    const PlacedObstacle before(*obstacle, start.time), after(*obstacle, predicted.time);
    for (int vertex = 0; vertex < model_.vertex_count(); ++vertex) {
      const Vec3 from = place_at(start.x, vertex), to = place_at(predicted.x, vertex);
      const double gap = before.distance(from);
      const bool touches = gap <= 0;
      if (!touches && !(after.distance(to) < 0)) continue;
      const Jet phi = touches ? before.distance_jet(from) : after.distance_jet(to);
      if (phi.gradient.norm() < 1e-6) continue;
      Place contact;
      contact.at = contact_with(after, vertex, to, phi.gradient.normalized(), 0);
      contact.gap = gap;
      contact.way = after.mean_velocity(to, {start.time, predicted.time});
      places.push_back(contact);
    }
  }
}

void ContactProgram::add_bodies(const State& start, const State& predicted,
                                std::vector<Place>& places) const {
  if (!collision_) return;
  std::set<std::pair<int, int>> touching;  // vertex, other body
  const auto add = [&](const Vector& x, bool touches) {
    std::vector<ContactPoint> found;
    collision_->add_contacts(x, found);
    for (const ContactPoint& at : found) {
      Place contact{.at = at};
      contact.other = body_number(model_, at.vertices[1]);
      Vec3 offset = Vec3::Zero();  // from the surface to the vertex
      for (int k = 0; k < ContactPoint::kMost && at.vertices[k] >= 0; ++k)
        offset += at.weights[k] * place_at(x, at.vertices[k]);
      const double depth = offset.norm();
      const std::pair key(at.vertices[0], contact.other);
      if (touches)
        touching.insert(key);
      else if (touching.contains(key))
        continue;
      // What gets inside in this step has a gap now, by the way that it goes.
      contact.gap =
          touches ? -depth : std::max(0.0, -speed_along(at, at.normal, predicted.x - start.x) - depth);
      places.push_back(contact);
    }
  };
  add(start.x, true);
  add(predicted.x, false);
}

std::vector<ContactProgram::Place> ContactProgram::find_places(const State& start,
                                                               const State& predicted) const {
  std::vector<Place> places;
  add_obstacles(start, predicted, places);
  add_bodies(start, predicted, places);
  // Where scripts hold all that touches there is nothing to decide.
  const std::vector<char> fixed = model_.fixed_dofs(predicted.time);
  std::erase_if(places, [&](const Place& contact) {
    for (int k = 0; k < ContactPoint::kMost && contact.at.vertices[k] >= 0; ++k)
      for (int c = 0; c < 3; ++c)
        if (!fixed[3 * Index{contact.at.vertices[k]} + c] &&
            contact.at.weights[k] * contact.at.normal[c] != 0)
          return false;
    return true;
  });
  return places;
}

/// The program of some of the contacts; v is the prediction.
ContactProgram::Solution ContactProgram::solve(const ContactResponse& response, std::span<const Aim> aims,
                                               const Vector& v) const {
  Solution solution;
  solution.impulses.setZero(response.rows());
  if (aims.empty()) {
    solution.report.status = ProgramReport::Status::solved;
    return solution;
  }
  const FrictionProgram program = response.program(aims, v);
  Vector impulses;
  solution.report = program.solve(options_.friction, impulses);
  if (!std::isfinite(solution.report.error)) return solution;  // of numbers that are none; no impulses
  const Index count = std::ssize(aims), tangents = impulses.size() - count;
  const Vector change = program.A * impulses;
  solution.rubbed = impulses.tail(tangents).dot(program.free.tail(tangents) + 0.5 * change.tail(tangents));
  solution.impulses(response.rows_of(aims)) = impulses;
  return solution;
}

/// Of bodies that touch each other. Returns the work of friction.
double ContactProgram::correct(std::span<const Place> places, const State& start, State& state,
                               StepReport& report) {
  const double dt = state.time - start.time;
  std::vector<ContactPoint> points;
  for (const Place& place : places) points.push_back(place.at);
  if (ContactResponse::rows_of(points) > options_.most_rows) {
    note({.status = ProgramReport::Status::too_large, .error = kNotSolved}, report);
    return 0;
  }
  const ContactResponse response(model_, points, state, dt, options_.damped, matrices_);
  report.outcome.linear_solves += static_cast<int>(response.bodies());
  if (!response.factored()) {
    note({.status = ProgramReport::Status::inaccurate, .error = kNotSolved}, report);
    return 0;
  }

  // Places, by the mean velocities of the step.
  const int count = static_cast<int>(places.size());
  const double recovery = options_.recovery * std::min(1.0, dt / std::max(dt, options_.longest_step));
  std::vector<Aim> all, touching;
  for (int k = 0; k < count; ++k) {
    const auto& [at, gap, way, other] = places[static_cast<size_t>(k)];
    all.push_back({k, at.normal.dot(way) - (gap > 0 ? 1 : recovery) * gap / dt, way});
  }
  const Solution moved = solve(response, all, (state.x - start.x) / dt);

  // Velocities, of what touches then.
  for (int k = 0; k < count; ++k) {
    const ContactPoint& at = points[static_cast<size_t>(k)];
    if (moved.impulses[k] > 0) touching.push_back({k, at.normal.dot(at.velocity), at.velocity});
  }
  const Solution stopped = solve(response, touching, state.v);

  report.contacts.count += std::ssize(touching);
  note(moved.report, report);
  note(stopped.report, report);
  response.add_moves(moved.impulses, dt, state.x);
  response.add_moves(stopped.impulses, 1, state.v);
  return stopped.rubbed;
}

/// A program for each group of bodies that touch each other.
std::vector<ContactProgram::Group> ContactProgram::correct_all(const std::vector<Place>& places,
                                                               const State& start, State& state,
                                                               StepReport& report) {
  const auto body_of = [&](const Place& place) { return body_number(model_, place.at.vertices[0]); };
  Groups groups(model_.bodies.size());
  for (const Place& place : places)
    if (place.other >= 0) groups.join(body_of(place), place.other);
  std::map<int, std::vector<Place>> by_group;
  for (const Place& place : places) by_group[groups.of(body_of(place))].push_back(place);
  std::vector<Group> corrected;
  for (const auto& [number, together] : by_group) {
    Group group;
    for (int b = 0; b < std::ssize(model_.bodies); ++b)
      if (groups.of(b) == number) group.bodies.push_back(b);
    group.rubbed = correct(together, start, state, report);
    forget_histories(group.bodies, state);
    corrected.push_back(std::move(group));
  }
  return corrected;
}

/// What schemes remember of a part that was moved is of no use.
void ContactProgram::forget_histories(const std::vector<int>& bodies, State& state) const {
  for (const SubModel& component : components_) {
    const bool moved = std::any_of(component.vertices.begin(), component.vertices.end(), [&](int vertex) {
      return std::find(bodies.begin(), bodies.end(), body_number(model_, vertex)) != bodies.end();
    });
    if (moved) state.forget_vertices(component.vertices);
  }
}

void ContactProgram::copy(const Group& group, const State& from, State& to) const {
  for (const int b : group.bodies) {
    const Body& body = model_.bodies[static_cast<size_t>(b)];
    const Index begin = 3 * Index{body.first_vertex}, size = 3 * std::ssize(body.rest.vertices);
    to.x.segment(begin, size) = from.x.segment(begin, size);
    to.v.segment(begin, size) = from.v.segment(begin, size);
  }
}

/// Energies and work of the corrections. One that leads where the energy is infinite has failed: the bodies
/// that it moved are put back where the step began, at rest, and no others.
void ContactProgram::book(std::vector<Group> groups, const State& start, const State& predicted, State& state,
                          StepReport& report) const {
  const double before = report.energies.total();
  report.energies = energies_of(model_, state);
  std::vector<Group> failed;
  if (!std::isfinite(report.energies.total())) {
    const auto is_finite = [&](const Group& group) {
      State alone = predicted;
      copy(group, state, alone);
      return std::isfinite(energies_of(model_, alone).total());
    };
    const auto first = std::stable_partition(groups.begin(), groups.end(), is_finite);
    failed.assign(first, groups.end());
    groups.erase(first, groups.end());
    for (const Group& group : failed) copy(group, predicted, state);
    report.energies = energies_of(model_, state);
  }
  double rubbed = 0;
  for (const Group& group : groups) rubbed += group.rubbed;
  report.work.friction += rubbed;
  report.work.contact += report.energies.total() - before - rubbed;
  if (failed.empty()) return;

  State at_rest = start;
  at_rest.v.setZero();
  for (const Group& group : failed) copy(group, at_rest, state);
  const double left = report.energies.total();
  report.energies = energies_of(model_, state);
  report.work.scheme += left - report.energies.total();
  report.outcome.status = Status::not_finite;
}

void ContactProgram::after_step(StepEnd& end) {
  const State& start = end.before;
  State& state = end.after;
  StepReport& report = end.report;
  const std::vector<Place> places = find_places(start, state);
  if (!places.empty()) {
    if (components_.empty()) components_ = model_.components();
    report.error.reset();  // of what is no longer there
    report.contacts.corrected = true;
    const State predicted = state;
    std::vector<Group> groups = correct_all(places, start, state, report);
    book(std::move(groups), start, predicted, state, report);
  }
  report.contacts.smallest_gap = smallest_gap(model_.obstacles, state.time, state.x);
  if (collision_) report.contacts.overlap = std::max(report.contacts.overlap, collision_->overlap(state.x));
}

}  // namespace pliant
