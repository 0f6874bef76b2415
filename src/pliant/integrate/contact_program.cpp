#include "pliant/integrate/contact_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "pliant/base/groups.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/contact/gap.hpp"
#include "pliant/integrate/account.hpp"

namespace pliant {

namespace {

Vec3 place_at(const Vector& x, Index vertex) { return x.segment<3>(3 * vertex); }

/// Along a direction, the velocity of the first vertex relative to the others.
double relative(const ContactPoint& at, const Vec3& direction, const Vector& v) {
  double sum = 0;
  for (int k = 0; k < 4 && at.vertices[k] >= 0; ++k)
    sum += at.weights[k] * direction.dot(place_at(v, at.vertices[k]));
  return sum;
}

}  // namespace

/// A group of bodies with what is needed to solve for them.
struct ContactProgram::Island {
  std::vector<int> vertices, local;  ///< of the model; and the other way round, -1 where not in it
  BlockPattern pattern;
  BlockMatrix C;
  QuadraticProgram program{{}};

  std::vector<char> fixed;  ///< dofs of the model
  Vector given;             ///< velocities of the model, for those

  /// What its vertices have of a vector of the model.
  Vector taken(const Vector& all) const {
    Vector part(3 * std::ssize(vertices));
    for (size_t i = 0; i < vertices.size(); ++i)
      part.segment<3>(3 * static_cast<Index>(i)) = place_at(all, vertices[i]);
    return part;
  }

  /// The relative velocity along a direction, as a row; what fixed dofs add is on the other side.
  VelocityBound row(const ContactPoint& at, const Vec3& direction) const {
    VelocityBound bound;
    for (int k = 0; k < 4 && at.vertices[k] >= 0; ++k) {
      bound.vertices[k] = local[static_cast<size_t>(at.vertices[k])];
      for (int c = 0; c < 3; ++c) {
        const Index dof = 3 * Index{at.vertices[k]} + c;
        if (fixed[dof])
          bound.least -= at.weights[k] * direction[c] * given[dof];
        else
          bound.coefficients[k][c] = at.weights[k] * direction[c];
      }
    }
    return bound;
  }
};

ContactProgram::ContactProgram(const Model& model, std::unique_ptr<Scheme> predictor, const Options& options)
    : model_(model), predictor_(std::move(predictor)), options_(options), components_(model.components()) {
  if (model.program_contacts) collision_ = model.program_contacts->clone_contact();
}

ContactProgram::~ContactProgram() = default;

int ContactProgram::number_of_body(int vertex) const {
  return static_cast<int>(&model_.body_of(vertex) - model_.bodies.data());
}

void ContactProgram::add_obstacles(const State& start, const State& predicted,
                                   std::vector<Contact>& contacts) const {
  for (const Obstacle& obstacle : model_.obstacles) {
    if (obstacle.way != ContactWay::program) continue;
    const PlacedObstacle before(obstacle, start.time), after(obstacle, predicted.time);
    for (int vertex = 0; vertex < model_.vertex_count(); ++vertex) {
      const Vec3 from = place_at(start.x, vertex), to = place_at(predicted.x, vertex);
      const double gap = before.distance(from);
      const bool touches = gap <= 0;
      if (!touches && !(after.distance(to) < 0)) continue;
      const Jet phi = touches ? before.distance_jet(from) : after.distance_jet(to);
      if (phi.gradient.norm() < 1e-6) continue;
      Contact contact;
      contact.at = contact_with(after, vertex, to, phi.gradient.normalized(), 0);
      contact.gap = gap;
      contact.body = number_of_body(vertex);
      contacts.push_back(contact);
    }
  }
}

void ContactProgram::add_bodies(const State& start, const State& predicted,
                                std::vector<Contact>& contacts) const {
  if (!collision_) return;
  std::set<std::pair<int, int>> touching;  // vertex, other body
  const auto add = [&](const Vector& x, bool touches) {
    std::vector<ContactPoint> found;
    collision_->add_contacts(x, found);
    for (const ContactPoint& at : found) {
      Contact contact{.at = at};
      contact.body = number_of_body(at.vertices[0]);
      contact.other = number_of_body(at.vertices[1]);
      Vec3 offset = Vec3::Zero();  // from the surface to the vertex
      for (int k = 0; k < 4; ++k) offset += at.weights[k] * place_at(x, at.vertices[k]);
      const double depth = offset.norm();
      const std::pair key(at.vertices[0], contact.other);
      if (touches)
        touching.insert(key);
      else if (touching.contains(key))
        continue;
      // What gets inside in this step has a gap now, by the way that it goes.
      contact.gap = touches ? -depth : std::max(0.0, -relative(at, at.normal, predicted.x - start.x) - depth);
      contacts.push_back(contact);
    }
  };
  add(start.x, true);
  add(predicted.x, false);
}

std::vector<ContactProgram::Contact> ContactProgram::find_contacts(const State& start,
                                                                   const State& predicted) const {
  std::vector<Contact> contacts;
  add_obstacles(start, predicted, contacts);
  add_bodies(start, predicted, contacts);
  // Where scripts hold all that touches there is nothing to decide.
  const std::vector<char> fixed = model_.fixed_dofs(predicted.time);
  std::erase_if(contacts, [&](const Contact& contact) {
    for (int k = 0; k < 4 && contact.at.vertices[k] >= 0; ++k)
      for (int c = 0; c < 3; ++c)
        if (!fixed[3 * Index{contact.at.vertices[k]} + c] &&
            contact.at.weights[k] * contact.at.normal[c] != 0)
          return false;
    return true;
  });
  return contacts;
}

ContactProgram::Island& ContactProgram::island_of(const std::vector<int>& bodies) {
  std::unique_ptr<Island>& island = islands_[bodies];
  if (island) return *island;
  island = std::make_unique<Island>();
  island->local.assign(static_cast<size_t>(model_.vertex_count()), -1);
  for (const int b : bodies)
    for (int i = 0; i < std::ssize(model_.bodies[static_cast<size_t>(b)].rest.vertices); ++i) {
      const int vertex = model_.bodies[static_cast<size_t>(b)].first_vertex + i;
      island->local[static_cast<size_t>(vertex)] = static_cast<int>(island->vertices.size());
      island->vertices.push_back(vertex);
    }
  std::vector<std::pair<int, int>> edges;
  for (const int vertex : island->vertices)
    for (const int other : model_.pattern.columns_of(model_.pattern.row_of(vertex)))
      if (island->local[static_cast<size_t>(other)] >= 0 && other != vertex)
        edges.emplace_back(island->local[static_cast<size_t>(vertex)],
                           island->local[static_cast<size_t>(other)]);
  island->pattern = BlockPattern(static_cast<int>(island->vertices.size()), edges);
  island->C = BlockMatrix(island->pattern);
  return *island;
}

/// C of the island.
void ContactProgram::assemble(Island& island, const Vector& x, double dt) {
  if (!whole_) whole_.emplace(model_.pattern);
  whole_->set_zero();
  for (const Term& term : model_.terms) {
    if (term.kind != Term::Kind::elastic) continue;
    const auto of = std::find_if(model_.bodies.begin(), model_.bodies.end(),
                                 [&](const Body& body) { return body.name == term.body; });
    if (of != model_.bodies.end() && island.local[static_cast<size_t>(of->first_vertex)] < 0) continue;
    term.potential->add_hessian(x, Definiteness::clamp, *whole_);
  }
  for (const auto& term : model_.stage_terms)
    if (term->elastic()) term->elastic()->add_hessian(x, Definiteness::clamp, *whole_);
  whole_->scale(dt * dt);
  Vector inertia(x.size());
  for (Index d = 0; d < x.size(); ++d) inertia[d] = model_.mass[d / 3];
  whole_->add_diagonal(inertia);
  whole_->fix_dofs(island.fixed);
  island.C.set_zero();
  for (const int vertex : island.vertices) {
    const int row = model_.pattern.row_of(vertex);
    Index from = model_.pattern.row_start(row);
    for (const int other : model_.pattern.columns_of(row)) {
      const double* block = whole_->block(from++);
      const int a = island.local[static_cast<size_t>(vertex)], b = island.local[static_cast<size_t>(other)];
      if (b < 0) continue;
      const Mat3 values = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(block);
      if (a == b)
        island.C.add_diagonal_block(a, values);
      else
        island.C.add_block(a, b, values);
    }
  }
}

/// The program with one prediction; `least` is what relative velocities along the normals must be at least.
ContactProgram::Solution ContactProgram::solve(Island& island, std::span<const Contact> contacts,
                                               const Vector& predicted, std::span<const double> least) {
  const Index count = std::ssize(contacts);
  if (count == 0)
    return {.v = predicted, .impulses = {}, .report = {.status = ProgramReport::Status::solved}};
  std::vector<VelocityBound> rows;
  bool rubs = false;
  for (Index k = 0; k < count; ++k) {
    rows.push_back(island.row(contacts[k].at, contacts[k].at.normal));
    rows.back().least += least[k];
    rubs |= contacts[k].at.friction > 0;
  }
  if (rubs)
    for (const Contact& contact : contacts) {
      const Vec3 first = contact.at.normal.unitOrthogonal();
      for (const Vec3& tangent : {first, Vec3(contact.at.normal.cross(first))}) {
        rows.push_back(island.row(contact.at, tangent));
        rows.back().least += tangent.dot(contact.at.velocity);
        rows.back().limit = 0;
      }
    }
  Vector c;
  island.C.multiply(predicted, c);
  Solution solution{.v = predicted, .impulses = {}, .report = {}};
  Vector& impulses = solution.impulses;
  for (int round = 0; round < (rubs ? options_.rounds : 1); ++round) {
    for (Index k = 0; rubs && round > 0 && k < count; ++k)
      for (Index t = 0; t < 2; ++t)
        rows[static_cast<size_t>(count + 2 * k + t)].limit =
            contacts[k].at.friction * std::max(0.0, impulses[k]);
    const int factorisations = solution.report.factorisations;
    solution.report = island.program.solve(island.C, c, rows, solution.v, impulses);
    solution.report.factorisations += factorisations;
  }
  const Vector mean = 0.5 * (solution.v + predicted);
  for (Index r = count; r < std::ssize(rows); ++r) {
    const VelocityBound& row = rows[static_cast<size_t>(r)];
    for (int k = 0; k < 4 && row.vertices[k] >= 0; ++k)
      solution.rubbed += impulses[r] * row.coefficients[k].dot(mean.segment<3>(3 * Index{row.vertices[k]}));
  }
  return solution;
}

/// Returns the kinetic energy that friction added.
double ContactProgram::correct(const std::vector<int>& bodies, std::span<const Contact> contacts,
                               const State& start, State& state, StepReport& report) {
  Island& island = island_of(bodies);
  const double dt = state.time - start.time;
  island.fixed = model_.fixed_dofs(state.time);
  assemble(island, state.x, dt);
  const Vector mean = (state.x - start.x) / dt;

  // Places.
  std::vector<double> least;
  for (const Contact& contact : contacts)
    least.push_back(contact.at.normal.dot(contact.at.velocity) -
                    (contact.gap > 0 ? 1 : options_.recovery) * contact.gap / dt);
  island.given = mean;
  const Solution moved = solve(island, contacts, island.taken(mean), least);

  // Velocities, of what touches then.
  std::vector<Contact> touching;
  for (size_t k = 0; k < contacts.size(); ++k)
    if (moved.impulses[static_cast<Index>(k)] > 0) touching.push_back(contacts[k]);
  least.clear();
  for (const Contact& contact : touching) least.push_back(contact.at.normal.dot(contact.at.velocity));
  island.given = state.v;
  const Solution stopped = solve(island, touching, island.taken(state.v), least);

  report.contacts.count += std::ssize(touching);
  for (const Solution* solution : {&moved, &stopped}) {
    report.outcome.linear_solves += solution->report.factorisations;
    if (solution->report.status != ProgramReport::Status::solved)
      report.outcome.status = std::max(report.outcome.status, Status::iteration_limit);
  }
  for (size_t i = 0; i < island.vertices.size(); ++i) {
    const Index dof = 3 * Index{island.vertices[i]}, own = 3 * static_cast<Index>(i);
    state.x.segment<3>(dof) = start.x.segment<3>(dof) + dt * moved.v.segment<3>(own);
    state.v.segment<3>(dof) = stopped.v.segment<3>(own);
  }
  model_.apply_scripts(state.time, state.x, &state.v);
  return stopped.rubbed;
}

/// What schemes remember of a part that was moved is of no use.
void ContactProgram::forget_histories(const std::vector<int>& bodies, State& state) const {
  for (const Piece& component : components_) {
    const bool moved = std::any_of(component.vertices.begin(), component.vertices.end(), [&](int vertex) {
      return std::find(bodies.begin(), bodies.end(), number_of_body(vertex)) != bodies.end();
    });
    if (!moved) continue;
    for (auto& [name, history] : state.arrays)
      if (history.size() == state.x.size())
        for (const int vertex : component.vertices)
          history.segment<3>(3 * Index{vertex}).setConstant(std::numeric_limits<double>::infinity());
  }
}

StepReport ContactProgram::step(State& state, double dt) {
  const State start = state;
  StepReport report = predictor_->step(state, dt);
  if (report.outcome.status == Status::not_finite) return report;
  const ScopedTimer timer(report.contacts.seconds);
  const std::vector<Contact> contacts = find_contacts(start, state);
  const double before = report.energies.total();
  if (!contacts.empty()) {
    report.error.reset();  // of what is no longer there
    Groups groups(model_.bodies.size());
    for (const Contact& contact : contacts)
      if (contact.other >= 0) groups.join(contact.body, contact.other);
    std::map<int, std::vector<Contact>> by_group;
    for (const Contact& contact : contacts) by_group[groups.of(contact.body)].push_back(contact);
    for (const auto& [group, together] : by_group) {
      std::vector<int> bodies;
      for (int b = 0; b < std::ssize(model_.bodies); ++b)
        if (groups.of(b) == group) bodies.push_back(b);
      report.work.friction += correct(bodies, together, start, state, report);
      forget_histories(bodies, state);
    }
    report.energies = energies_of(model_, state);
    report.work.contact += report.energies.total() - before - report.work.friction;
  }
  report.contacts.smallest_gap = smallest_gap(model_.obstacles, state.time, state.x);
  if (collision_) report.contacts.overlap = std::max(report.contacts.overlap, collision_->overlap(state.x));
  return report;
}

}  // namespace pliant
