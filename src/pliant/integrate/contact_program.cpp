#include "pliant/integrate/contact_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "pliant/base/groups.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/contact/gap.hpp"
#include "pliant/integrate/account.hpp"
#include "pliant/linear/cholesky.hpp"
#include "pliant/linear/merged_matrix.hpp"
#include "pliant/system/stage_objective.hpp"

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

/// Along which a contact slides; any tangent where it does not.
Vec3 sliding_direction(const ContactPoint& at, const Vector& v) {
  Vec3 sliding = -at.velocity;
  for (int k = 0; k < 4 && at.vertices[k] >= 0; ++k) sliding += at.weights[k] * place_at(v, at.vertices[k]);
  sliding -= at.normal.dot(sliding) * at.normal;
  constexpr double kStill = 1e-9;  // m/s
  return sliding.norm() > kStill ? Vec3(sliding.normalized()) : at.normal.unitOrthogonal();
}

/// Bounds of two tangential impulses such that together they are at most `most`: the first, against the
/// sliding, may be as much, the second what that has left over.
void limit_friction(double most, double first, std::span<VelocityBound> bounds) {
  bounds[0].limit = most;
  bounds[1].limit = std::sqrt(std::max(0.0, most * most - first * first));
}

}  // namespace

/// C / dt^2 of a body, factored.
struct ContactProgram::BodyMatrix {
  Piece piece;
  std::unique_ptr<Model> model;  ///< the body alone
  std::optional<StageObjective> objective;
  MergedMatrix merged;
  std::unique_ptr<Cholesky> factor = make_cholesky();

  /// At x; false where there are no numbers to factor.
  bool assemble(const State& predicted, double dt, bool damped) {
    Stage stage;
    stage.time = predicted.time;
    stage.c_a = 1 / (dt * dt);
    stage.c_v = damped ? 1 / dt : 0;
    stage.x_a = stage.x_v = stage.x_step = piece.taken(predicted.x);
    objective->begin(stage);
    return factor->factor(merged.of(objective->hessian(stage.x_step, Definiteness::clamp)));
  }
};

/// How relative velocities at contacts answer to impulses there: along the normal of contact k in row k and,
/// with friction, along two tangents in rows count + 2 k and count + 2 k + 1.
struct ContactProgram::Response {
  struct Row {
    const ContactPoint* at;
    Vec3 direction;
  };
  /// A body with the rows that touch it, and what an impulse along each does to its velocities.
  struct Part {
    int body = 0;
    Index first = 0, size = 0;  ///< of its dofs in the model
    std::vector<Index> rows;
    Eigen::MatrixXd moves;  ///< C^-1 G^T of these
    bool factored = true;
  };
  std::vector<Row> rows;
  std::vector<Part> parts;
  Eigen::MatrixXd A;
  Index contacts = 0;

  bool rubs() const { return std::ssize(rows) > contacts; }
  bool factored() const {
    return std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.factored; });
  }
  /// Adds `factor` times what impulses do to the velocities to a vector of the model.
  void add_moves(const Vector& impulses, double factor, Vector& to) const {
    for (const Part& part : parts)
      to.segment(part.first, part.size) += factor * (part.moves * impulses(part.rows));
  }
};

ContactProgram::ContactProgram(const Model& model, std::unique_ptr<Scheme> predictor, const Options& options)
    : model_(model),
      predictor_(std::move(predictor)),
      options_(options),
      components_(model.components()),
      matrices_(model.bodies.size()) {
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
      contact.way = after.mean_velocity(to, {start.time, predicted.time});
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

ContactProgram::BodyMatrix& ContactProgram::matrix_of(int body) {
  std::unique_ptr<BodyMatrix>& matrix = matrices_[static_cast<size_t>(body)];
  if (matrix) return *matrix;
  matrix = std::make_unique<BodyMatrix>();
  const Body& of = model_.bodies[static_cast<size_t>(body)];
  matrix->piece.vertices.resize(of.rest.vertices.size());
  std::iota(matrix->piece.vertices.begin(), matrix->piece.vertices.end(), of.first_vertex);
  matrix->piece.free.assign(of.rest.vertices.size(), 1);
  matrix->model = model_.component(matrix->piece);
  matrix->objective.emplace(*matrix->model, ResidualNorm::velocity);
  return *matrix;
}

ContactProgram::Response ContactProgram::respond(std::span<const Contact> contacts, const State& predicted,
                                                 double dt) {
  Response response;
  response.contacts = std::ssize(contacts);
  bool rubs = false;
  for (const Contact& contact : contacts) {
    response.rows.push_back({&contact.at, contact.at.normal});
    rubs |= contact.at.friction > 0;
  }
  if (rubs)
    for (const Contact& contact : contacts) {
      const Vec3 tangent = sliding_direction(contact.at, predicted.v);
      response.rows.push_back({&contact.at, tangent});
      response.rows.push_back({&contact.at, contact.at.normal.cross(tangent)});
    }
  std::map<int, std::vector<Index>> touching;
  for (Index r = 0; r < std::ssize(response.rows); ++r)
    for (int k = 0; k < 4 && response.rows[r].at->vertices[k] >= 0; ++k) {
      std::vector<Index>& rows = touching[number_of_body(response.rows[r].at->vertices[k])];
      if (rows.empty() || rows.back() != r) rows.push_back(r);
    }
  for (const auto& [body, rows] : touching) {
    const Index size = 3 * std::ssize(matrix_of(body).piece.vertices);
    response.parts.push_back(
        {body, 3 * Index{model_.bodies[static_cast<size_t>(body)].first_vertex}, size, rows, {}});
  }

  const std::vector<char> fixed = model_.fixed_dofs(predicted.time);
  const auto for_entries = [&](const Response::Part& part, Index r, const auto& visit) {
    const Response::Row& row = response.rows[static_cast<size_t>(part.rows[r])];
    for (int k = 0; k < 4 && row.at->vertices[k] >= 0; ++k)
      for (int c = 0; c < 3; ++c) {
        const Index dof = 3 * Index{row.at->vertices[k]} + c;
        if (dof >= part.first && dof < part.first + part.size && !fixed[dof])
          visit(dof - part.first, row.at->weights[k] * row.direction[c]);
      }
  };
  parallel_tasks(std::ssize(response.parts), [&](Index number) {
    Response::Part& part = response.parts[static_cast<size_t>(number)];
    BodyMatrix& matrix = *matrices_[static_cast<size_t>(part.body)];
    part.factored = matrix.assemble(predicted, dt, options_.damped);
    if (!part.factored) return;
    part.moves.setZero(part.size, std::ssize(part.rows));
    for (Index r = 0; r < std::ssize(part.rows); ++r)
      for_entries(part, r, [&](Index dof, double value) { part.moves(dof, r) = value / (dt * dt); });
    part.moves = matrix.factor->solve_all(part.moves);
  });
  response.A.setZero(std::ssize(response.rows), std::ssize(response.rows));
  for (const Response::Part& part : response.parts)
    for (Index r = 0; part.factored && r < std::ssize(part.rows); ++r)
      for_entries(part, r, [&](Index dof, double value) {
        for (Index s = 0; s < std::ssize(part.rows); ++s)
          response.A(part.rows[r], part.rows[s]) += value * part.moves(dof, s);
      });
  return response;
}

/// The program of some of the contacts; `least` is what relative velocities along their normals must be at
/// least, v the prediction.
ContactProgram::Solution ContactProgram::solve(const Response& response, const std::vector<int>& which,
                                               std::span<const double> least, const Vector& v) const {
  const Index count = std::ssize(which);
  Solution solution;
  solution.impulses.setZero(std::ssize(response.rows));
  if (count == 0) {
    solution.report.status = ProgramReport::Status::solved;
    return solution;
  }
  std::vector<Index> rows(which.begin(), which.end());
  if (response.rubs())
    for (const int k : which)
      for (const int t : {0, 1}) rows.push_back(response.contacts + 2 * Index{k} + t);
  std::vector<VelocityBound> bounds;
  Vector free(std::ssize(rows)), impulses;
  for (Index r = 0; r < std::ssize(rows); ++r) {
    const Response::Row& row = response.rows[static_cast<size_t>(rows[r])];
    free[r] = relative(*row.at, row.direction, v);
    bounds.push_back(r < count ? VelocityBound{.least = least[r]}
                               : VelocityBound{.least = row.direction.dot(row.at->velocity), .limit = 0});
  }
  const Eigen::MatrixXd A = response.A(rows, rows);
  for (int round = 0; round < (response.rubs() ? options_.rounds : 1); ++round) {
    for (Index k = 0; round > 0 && response.rubs() && k < count; ++k)
      limit_friction(response.rows[static_cast<size_t>(rows[k])].at->friction * std::max(0.0, impulses[k]),
                     impulses[count + 2 * k],
                     std::span(bounds).subspan(static_cast<size_t>(count + 2 * k), 2));
    solution.report = QuadraticProgram({}).solve(A, free, bounds, impulses);
  }
  const Vector change = A * impulses;
  for (Index r = count; r < std::ssize(rows); ++r)
    solution.rubbed += impulses[r] * (free[r] + 0.5 * change[r]);
  solution.impulses(rows) = impulses;
  return solution;
}

/// Returns the work of friction.
double ContactProgram::correct(std::span<const Contact> contacts, const State& start, State& state,
                               StepReport& report) {
  const double dt = state.time - start.time;
  const Response response = respond(contacts, state, dt);
  report.outcome.linear_solves += static_cast<int>(response.parts.size());
  if (!response.factored()) {
    report.outcome.status = std::max(report.outcome.status, Status::iteration_limit);
    report.contacts.program = ProgramReport::Status::inaccurate;
    return 0;
  }

  // Places, by the mean velocity.
  std::vector<double> least;
  std::vector<int> all(contacts.size()), touching;
  std::iota(all.begin(), all.end(), 0);
  for (const Contact& contact : contacts)
    least.push_back(contact.at.normal.dot(contact.way) -
                    (contact.gap > 0 ? 1 : options_.recovery) * contact.gap / dt);
  const Solution moved = solve(response, all, least, (state.x - start.x) / dt);

  // Velocities, of what touches then.
  least.clear();
  for (const int k : all)
    if (moved.impulses[k] > 0) {
      touching.push_back(k);
      const ContactPoint& at = contacts[static_cast<size_t>(k)].at;
      least.push_back(at.normal.dot(at.velocity));
    }
  const Solution stopped = solve(response, touching, least, state.v);

  report.contacts.count += std::ssize(touching);
  for (const Solution* solution : {&moved, &stopped}) {
    const ProgramReport::Status status = solution->report.status;
    report.contacts.program = std::max(report.contacts.program, status);
    if (status != ProgramReport::Status::solved)
      report.outcome.status = std::max(report.outcome.status, Status::iteration_limit);
  }
  response.add_moves(moved.impulses, dt, state.x);
  response.add_moves(stopped.impulses, 1, state.v);
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

/// The correction has led where the energy is infinite: the step has failed, and ends at rest where it began.
void ContactProgram::go_back(const State& start, State& state, StepReport& report) const {
  report.outcome.status = Status::not_finite;
  state.x = start.x;
  state.v.setZero();
  model_.apply_scripts(state.time, state.x, &state.v);
  report.energies = energies_of(model_, state);
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
    double rubbed = 0;
    for (const auto& [group, together] : by_group) {
      std::vector<int> bodies;
      for (int b = 0; b < std::ssize(model_.bodies); ++b)
        if (groups.of(b) == group) bodies.push_back(b);
      rubbed += correct(together, start, state, report);
      forget_histories(bodies, state);
    }
    report.energies = energies_of(model_, state);
    if (!std::isfinite(report.energies.total())) go_back(start, state, report);
    report.work.friction += rubbed;
    report.work.contact += report.energies.total() - before - rubbed;
  }
  report.contacts.smallest_gap = smallest_gap(model_.obstacles, state.time, state.x);
  if (collision_) report.contacts.overlap = std::max(report.contacts.overlap, collision_->overlap(state.x));
  return report;
}

}  // namespace pliant
