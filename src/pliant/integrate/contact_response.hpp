#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pliant/contact/contact_point.hpp"
#include "pliant/contact/friction_program.hpp"
#include "pliant/linear/cholesky.hpp"
#include "pliant/linear/merged_matrix.hpp"
#include "pliant/system/model.hpp"
#include "pliant/system/stage_objective.hpp"
#include "pliant/system/state.hpp"

namespace pliant {

/// The number of the body that a vertex belongs to.
int body_number(const Model& model, int vertex);

/// The velocity of the first vertex of a contact relative to the others, along a direction.
double speed_along(const ContactPoint& at, const Vec3& direction, const Vector& v);

/// C / dt^2 of a body, factored: M / dt^2 + K, with D / dt where damping takes part.
class BodyMatrix {
 public:
  BodyMatrix(const Model& model, int body);

  /// At the prediction; false where there are no numbers to factor.
  bool assemble(const State& predicted, double dt, bool damped);
  Eigen::MatrixXd solve(const Eigen::MatrixXd& columns) { return factor_->solve_all(columns); }

 private:
  SubModel sub_model_;
  std::unique_ptr<Model> model_;  ///< the body alone
  std::optional<StageObjective> objective_;
  MergedMatrix merged_;
  std::unique_ptr<Cholesky> factor_;
};

/// The matrices of all bodies, made when first needed.
class BodyMatrices {
 public:
  explicit BodyMatrices(const Model& model) : model_(model), matrices_(model.bodies.size()) {}
  BodyMatrix& of(int body);

 private:
  const Model& model_;
  std::vector<std::unique_ptr<BodyMatrix>> matrices_;
};

/// What a program asks of a contact.
struct Aim {
  int contact = 0;
  double least = 0;              ///< of the relative velocity along the normal, m/s
  Vec3 obstacle = Vec3::Zero();  ///< velocity of the obstacle, which friction has it follow, m/s
};

/// How the velocities at contacts answer to impulses there: along the normal of contact k in row k and, where
/// any has friction, along two tangents in rows count + 2 k and count + 2 k + 1, the first in the direction
/// in which it slides in the prediction. Dense in the rows.
class ContactResponse {
 public:
  /// The contacts and the matrices, with their factors, must outlive this.
  ContactResponse(const Model& model, std::span<const ContactPoint> contacts, const State& predicted,
                  double dt, bool damped, BodyMatrices& matrices);
  /// How many rows these contacts have.
  static Index rows_of(std::span<const ContactPoint> contacts);

  /// Whether all bodies had numbers to factor; if not, there is no program.
  bool factored() const;
  Index bodies() const { return std::ssize(parts_); }
  Index rows() const { return std::ssize(rows_); }
  /// The rows of some contacts, normals first.
  std::vector<Index> rows_of(std::span<const Aim> aims) const;

  /// The program of some contacts; v are the velocities that no impulse has changed.
  FrictionProgram program(std::span<const Aim> aims, const Vector& v) const;
  /// Adds `factor` times what impulses of all rows do to the velocities to a vector of the model.
  void add_moves(const Vector& impulses, double factor, Vector& to) const;

 private:
  struct Row {
    const ContactPoint* at;
    Vec3 direction;
  };
  /// A body with the rows that touch it, and how they answer as far as it gives way.
  struct Part {
    BodyMatrix* matrix;
    Index first = 0, size = 0;  ///< of its dofs in the model
    std::vector<Index> rows;
    Eigen::MatrixXd A;
    bool factored = true;
  };
  void add_rows(std::span<const ContactPoint> contacts, const Vector& v);
  void add_parts(const Model& model, BodyMatrices& matrices);
  void answer(Part& part) const;
  template <class Visit>
  void for_entries(const Part& part, Index row, const Visit& visit) const;

  Index contacts_;
  double dt_;
  std::vector<char> fixed_;
  std::vector<Row> rows_;
  std::vector<Part> parts_;
  Eigen::MatrixXd A_;  ///< G C^-1 G^T
};

}  // namespace pliant
