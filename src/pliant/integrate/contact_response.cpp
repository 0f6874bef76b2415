#include "pliant/integrate/contact_response.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "pliant/base/parallel.hpp"

namespace pliant {

namespace {

/// Along which a contact slides; any tangent where it does not.
Vec3 sliding_direction(const ContactPoint& at, const Vector& v) {
  Vec3 sliding = -at.velocity;
  for (int k = 0; k < ContactPoint::kMost && at.vertices[k] >= 0; ++k)
    sliding += at.weights[k] * v.segment<3>(3 * Index{at.vertices[k]});
  sliding -= at.normal.dot(sliding) * at.normal;
  constexpr double kStill = 1e-9;  // m/s
  return sliding.norm() > kStill ? Vec3(sliding.normalized()) : at.normal.unitOrthogonal();
}

bool any_rubs(std::span<const ContactPoint> contacts) {
  return std::any_of(contacts.begin(), contacts.end(), [](const auto& at) { return at.friction > 0; });
}

}  // namespace

int body_number(const Model& model, int vertex) {
  return static_cast<int>(&model.body_of(vertex) - model.bodies.data());
}

double speed_along(const ContactPoint& at, const Vec3& direction, const Vector& v) {
  double sum = 0;
  for (int k = 0; k < ContactPoint::kMost && at.vertices[k] >= 0; ++k)
    sum += at.weights[k] * direction.dot(v.segment<3>(3 * Index{at.vertices[k]}));
  return sum;
}

BodyMatrix::BodyMatrix(const Model& model, int body) : factor_(make_cholesky()) {
  const Body& of = model.bodies[static_cast<size_t>(body)];
  sub_model_.vertices.resize(of.rest.vertices.size());
  std::iota(sub_model_.vertices.begin(), sub_model_.vertices.end(), of.first_vertex);
  sub_model_.free.assign(of.rest.vertices.size(), 1);
  model_ = model.component(sub_model_);
  objective_.emplace(*model_, ResidualNorm::velocity);
}

bool BodyMatrix::assemble(const State& predicted, double dt, bool damped) {
  Stage stage;
  stage.time = predicted.time;
  stage.c_a = 1 / (dt * dt);
  stage.c_v = damped ? 1 / dt : 0;
  stage.x_a = stage.x_v = stage.x_step = sub_model_.taken(predicted.x);
  objective_->begin(stage);
  return factor_->factor(merged_.of(objective_->hessian(stage.x_step, Definiteness::clamp)));
}

BodyMatrix& BodyMatrices::of(int body) {
  std::unique_ptr<BodyMatrix>& matrix = matrices_[static_cast<size_t>(body)];
  if (!matrix) matrix = std::make_unique<BodyMatrix>(model_, body);
  return *matrix;
}

ContactResponse::ContactResponse(const Model& model, std::span<const ContactPoint> contacts,
                                 const State& predicted, double dt, bool damped, BodyMatrices& matrices)
    : contacts_(std::ssize(contacts)), dt_(dt), fixed_(model.fixed_dofs(predicted.time)) {
  add_rows(contacts, predicted.v);
  add_parts(model, matrices);
  parallel_tasks(std::ssize(parts_), [&](Index number) {
    Part& part = parts_[static_cast<size_t>(number)];
    part.factored = part.matrix->assemble(predicted, dt, damped);
    if (part.factored) answer(part);
  });
  A_.setZero(rows(), rows());
  for (Part& part : parts_) {
    if (part.factored) A_(part.rows, part.rows) += part.A;
    part.A.resize(0, 0);
  }
}

Index ContactResponse::rows_of(std::span<const ContactPoint> contacts) {
  return std::ssize(contacts) * (any_rubs(contacts) ? 3 : 1);
}

void ContactResponse::add_rows(std::span<const ContactPoint> contacts, const Vector& v) {
  for (const ContactPoint& at : contacts) rows_.push_back({&at, at.normal});
  if (!any_rubs(contacts)) return;
  for (const ContactPoint& at : contacts) {
    const Vec3 tangent = sliding_direction(at, v);
    rows_.push_back({&at, tangent});
    rows_.push_back({&at, at.normal.cross(tangent)});
  }
}

void ContactResponse::add_parts(const Model& model, BodyMatrices& matrices) {
  std::map<int, std::vector<Index>> touching;
  for (Index r = 0; r < rows(); ++r) {
    const ContactPoint& at = *rows_[static_cast<size_t>(r)].at;
    for (int k = 0; k < ContactPoint::kMost && at.vertices[k] >= 0; ++k) {
      std::vector<Index>& of_body = touching[body_number(model, at.vertices[k])];
      if (of_body.empty() || of_body.back() != r) of_body.push_back(r);
    }
  }
  for (const auto& [number, of_body] : touching) {
    const Body& body = model.bodies[static_cast<size_t>(number)];
    parts_.push_back({&matrices.of(number),
                      3 * Index{body.first_vertex},
                      3 * std::ssize(body.rest.vertices),
                      of_body,
                      {}});
  }
}

/// Calls visit(dof of the part, coefficient) for the entries of a row of G that can give way.
template <class Visit>
void ContactResponse::for_entries(const Part& part, Index row, const Visit& visit) const {
  const auto& [at, direction] = rows_[static_cast<size_t>(row)];
  for (int k = 0; k < ContactPoint::kMost && at->vertices[k] >= 0; ++k)
    for (int c = 0; c < 3; ++c) {
      const Index dof = 3 * Index{at->vertices[k]} + c;
      if (dof >= part.first && dof < part.first + part.size && !fixed_[dof])
        visit(dof - part.first, at->weights[k] * direction[c]);
    }
}

/// G C^-1 G^T of a body, so many columns at a time that C^-1 G^T as a whole is never there: it has as many
/// numbers as the body has dofs, times the rows.
void ContactResponse::answer(Part& part) const {
  constexpr Index kAtOnce = 64;
  const Index count = std::ssize(part.rows);
  part.A.setZero(count, count);
  for (Index begin = 0; begin < count; begin += kAtOnce) {
    const Index size = std::min(kAtOnce, count - begin);
    Eigen::MatrixXd moves = Eigen::MatrixXd::Zero(part.size, size);
    for (Index s = 0; s < size; ++s)
      for_entries(part, part.rows[begin + s],
                  [&](Index dof, double value) { moves(dof, s) += value / (dt_ * dt_); });
    moves = part.matrix->solve(moves);
    for (Index r = 0; r < count; ++r)
      for_entries(part, part.rows[r], [&](Index dof, double value) {
        part.A.row(r).segment(begin, size) += value * moves.row(dof);
      });
  }
}

bool ContactResponse::factored() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.factored; });
}

std::vector<Index> ContactResponse::rows_of(std::span<const Aim> aims) const {
  std::vector<Index> of_these;
  for (const Aim& aim : aims) of_these.push_back(aim.contact);
  if (rows() > contacts_)
    for (const Aim& aim : aims)
      for (const int t : {0, 1}) of_these.push_back(contacts_ + 2 * Index{aim.contact} + t);
  return of_these;
}

FrictionProgram ContactResponse::program(std::span<const Aim> aims, const Vector& v) const {
  const std::vector<Index> of_these = rows_of(aims);
  const Index size = std::ssize(of_these), count = std::ssize(aims);
  FrictionProgram program{A_(of_these, of_these), Vector(size), Vector(size), {}};
  for (Index r = 0; r < size; ++r) {
    const auto& [at, direction] = rows_[static_cast<size_t>(of_these[r])];
    const Aim& aim = aims[static_cast<size_t>(r < count ? r : (r - count) / 2)];
    program.free[r] = speed_along(*at, direction, v);
    program.least[r] = r < count ? aim.least : direction.dot(aim.obstacle);
    if (r < count) program.friction.push_back(at->friction);
  }
  return program;
}

void ContactResponse::add_moves(const Vector& impulses, double factor, Vector& to) const {
  for (const Part& part : parts_) {
    Vector forces = Vector::Zero(part.size);
    for (const Index r : part.rows)
      for_entries(part, r,
                  [&](Index dof, double value) { forces[dof] += value * impulses[r] / (dt_ * dt_); });
    to.segment(part.first, part.size) += factor * part.matrix->solve(forces);
  }
}

}  // namespace pliant
