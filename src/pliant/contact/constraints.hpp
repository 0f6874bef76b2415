#pragma once

#include <array>
#include <span>
#include <vector>

#include "pliant/contact/contact.hpp"
#include "pliant/contact/obstacle.hpp"

namespace pliant {

/// Obstacles as constraints: the feasible set of a stage (gast-2014, sections 3.2 and 5.1). A vertex inside
/// of an obstacle is put onto its surface, P(x) = x - phi grad phi; one that touches and is pressed against
/// it is active for an iteration, and stays on the surface whatever the step.
///
/// Where a vertex is held by several obstacles at once (in a wedge between two boxes, in a corner of three)
/// it is put onto the line or into the point they share: Newton's method for all distances to be zero, which
/// moves it least. Of the faces a vertex touches, those hold it that are needed to keep the steepest descent
/// feasible; these are at most three. One obstacle may have several of them, in the corners of a hollow box.
class Constraints final : public Contact, public FeasiblePlaces {
 public:
  static constexpr int kMost = 3;

  /// Of these obstacles, which must outlive this.
  explicit Constraints(std::vector<const Obstacle*> obstacles) : obstacles_(std::move(obstacles)) {}
  /// Of those obstacles that are constraints; the list must outlive this.
  explicit Constraints(const std::vector<Obstacle>& obstacles)
      : Constraints(obstacles_of(obstacles, ContactWay::constraint)) {}

  std::unique_ptr<Contact> clone_contact() const override { return std::make_unique<Constraints>(*this); }
  /// What is held by an obstacle is held in sub-models.
  std::unique_ptr<Contact> contact_sub_model(const SubModel&) const override { return nullptr; }
  std::unique_ptr<Contact> contact_component(const SubModel&) const override { return clone_contact(); }
  Demands demands() const override { return {.ends_with_stage = true}; }
  std::span<const Obstacle* const> obstacles() const override { return obstacles_; }
  bool rubs() const override { return any_rubs(obstacles_); }
  FeasiblePlaces* feasible_places() override { return this; }

  /// No constraint is active.
  void begin(const ContactStage& stage) override { begin(stage.stage.time, stage.fixed, stage.extent); }
  void begin(double t, std::span<const char> fixed, double extent);

  Index label(const Vector& x, Vector& gradient) override;
  Index active_vertices() const override { return std::ssize(active_); }
  void restrict(Vector& gradient) const override;
  void project(Vector& x) override;
  double slope(const Vector& gradient, const Vector& step) const override;

  /// Second derivatives of E(P(x)) besides those of E: where a vertex follows a curved surface, minus the
  /// curvature times the force that holds it. Vertices then lose the directions into the obstacles. (There
  /// E(P) is constant, so that no step is taken in them; the terms of the second derivative that mix them
  /// with others are left out.)
  void restrict_hessian(Definiteness definiteness, const Vector& diagonal,
                        BlockMatrix& hessian) const override;

  /// The constraints that are active, with the force each exerts.
  void add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const override;
  void take_velocity(const Vector& x, Vector& v) const override;
  /// Projections are as close as they come at both points, and the forces of what is active do work on the
  /// way that is left.
  double roundoff() const override { return roundoff_; }
  void mark_active(std::vector<char>& fixed) const override;

 private:
  /// What holds a vertex.
  struct Active {
    int vertex = 0, count = 0;
    std::array<int, kMost> obstacle{};
    std::array<Vec3, kMost> normal{};
    std::array<double, kMost> force{};
    Mat3 free = Mat3::Identity();  ///< projects onto the directions left
    Mat3 bending = Mat3::Zero();   ///< second derivative along the surface
  };
  /// How a vertex was moved: the derivative of its new place by the old one.
  struct Moved {
    int vertex = 0;
    Mat3 derivative;
  };
  /// A face of an obstacle that a vertex is on.
  struct Touching {
    int obstacle = 0;
    Vec3 normal = Vec3::Zero();   ///< within the directions the vertex can move in
    Mat3 hessian = Mat3::Zero();  ///< of a distance that grows by 1 along the normal
  };
  static constexpr int kMostTouching = 8;  ///< at one vertex; more are not looked at
  using TouchingList = std::array<Touching, kMostTouching>;

  int find_touching(const Vec3& place, const Vec3& moves, TouchingList& touching) const;
  bool find_face_ahead(const Vec3& place, const Vec3& way, const Vec3& moves, TouchingList& touching,
                       int& count) const;
  bool choose_active(std::span<const Touching> touching, const Vec3& g, Active& active) const;
  int deepest_around(const Vec3& x, std::span<const int> besides) const;
  bool go_outside(const Vec3& way, const Vec3& moves, Vec3& x) const;
  double walk_outside(const Vec3& way, Vec3& x) const;
  void register_vertex(int vertex, const Vector& x, Vector& gradient, std::vector<Active>& found) const;
  bool project_vertex(int vertex, const Active* active, Vec3& x, Mat3& derivative) const;
  Vec3 mask(int vertex) const;

  std::vector<const Obstacle*> obstacles_;
  std::vector<PlacedObstacle> placed_;
  std::span<const char> fixed_;
  double touching_ = 0;  ///< closer than this is on the surface, m
  double exact_ = 0;     ///< as close as projections come, m
  double sharpest_ = 0;  ///< radius below which a rounding counts as an edge, m
  double farthest_ = 0;  ///< that a vertex is moved to get outside, m
  std::vector<Active> active_;
  double roundoff_ = 0;
  std::vector<int> active_of_;             ///< of each vertex, -1 where it is not
  std::vector<std::vector<Moved>> moved_;  ///< by chunks of vertices
};

}  // namespace pliant
