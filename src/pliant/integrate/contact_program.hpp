#pragma once

#include <memory>
#include <vector>

#include "pliant/contact/self_collision.hpp"
#include "pliant/integrate/contact_response.hpp"
#include "pliant/integrate/scheme.hpp"

namespace pliant {

/// Contact as a quadratic program after a step of any scheme (loschner-2020, section 4). The step predicts
/// places and velocities without contact, and the velocities that satisfy
///   min 1/2 v^T C v - c^T v,  G v >= the bounds,  C = M + dt^2 K(u_p), c = C v_p
/// correct them; K is made definite. What touches nothing stays as predicted, to the bit: there is a program
/// for each group of bodies that touch. C couples no two bodies, so that each is factored by itself, and the
/// program is solved for the impulses alone.
///
/// It is solved twice. For places, with the mean velocity of the step in place of v_p: a vertex may come as
/// far as the surface, and one that is inside already gets out little by little. Then for the velocities at
/// the end: where the first had an impulse, nothing may go on into the other. (With one solution for both, as
/// in the paper, a body that rests on the ground hops by g dt^2 / 2 with any scheme but backward Euler, and
/// getting out of something would leave a body with speed.)
///
/// Coulomb friction is part of the program, see FrictionProgram. Bodies that touch each other at more places
/// than a dense program can hold are left as predicted, and the step has failed.
///
/// Only vertices that are inside when the step begins, or in the prediction, become contacts: what passes
/// something thin within the step is missed, and what the correction itself pushes inside of something is
/// seen a step later.
class ContactProgram final : public Contact {
 public:
  struct Options {
    double recovery = 0.2;  ///< share of the depth worked off in a step
    /// Where lengths of steps vary, s: shorter ones work off less in proportion, as errors of steps must fall
    /// with their length.
    double longest_step = 0;
    bool damped = false;  ///< C has dt D too, with the damping D of the bodies
    /// Of the program of bodies that touch each other: as many contacts, or a third with friction. A few
    /// square matrices of that size take half a gigabyte, and are factored some tens of times a step.
    Index most_rows = 3000;
    FrictionProgram::Options friction = {};
  };
  /// For those obstacles of the model that programs see to; it must outlive this. `collision` says where
  /// bodies touch that a program keeps apart; null where it does not.
  ContactProgram(const Model& model, const Options& options,
                 std::unique_ptr<SelfCollision> collision = nullptr);

  std::unique_ptr<Contact> clone_contact() const override;
  std::unique_ptr<Contact> contact_sub_model(const SubModel&) const override { return nullptr; }
  std::unique_ptr<Contact> contact_component(const SubModel&) const override { return nullptr; }
  Couples couples() const override { return Couples::bodies_after_the_step; }
  std::span<const Obstacle* const> obstacles() const override { return obstacles_; }
  std::vector<Inside> find_inside(const Vector& x) const override;
  void after_step(StepEnd& end) override;

 private:
  struct Place {
    ContactPoint at;
    double gap = 0;           ///< when the step begins, m
    Vec3 way = Vec3::Zero();  ///< mean velocity of the obstacle in the step
    int other = -1;           ///< the body it touches, if that is none of the obstacles
  };
  struct Solution {
    Vector impulses;    ///< of all rows, N s; along the normals of contacts first
    double rubbed = 0;  ///< work of friction, J
    ProgramReport report;
  };
  struct Group {
    std::vector<int> bodies;  ///< that touch each other
    double rubbed = 0;        ///< work of friction, J
  };

  std::vector<Place> find_places(const State& start, const State& predicted) const;
  void add_obstacles(const State& start, const State& predicted, std::vector<Place>& places) const;
  void add_bodies(const State& start, const State& predicted, std::vector<Place>& places) const;
  double correct(std::span<const Place> places, const State& start, State& state, StepReport& report);
  Solution solve(const ContactResponse& response, std::span<const Aim> aims, const Vector& v) const;
  std::vector<Group> correct_all(const std::vector<Place>& places, const State& start, State& state,
                                 StepReport& report);
  void book(std::vector<Group> groups, const State& start, const State& predicted, State& state,
            StepReport& report) const;
  void copy(const Group& group, const State& from, State& to) const;
  void forget_histories(const std::vector<int>& bodies, State& state) const;

  const Model& model_;
  Options options_;
  std::vector<const Obstacle*> obstacles_;
  std::unique_ptr<SelfCollision> collision_;
  std::vector<SubModel> components_;  ///< of the model, found with the first contact
  BodyMatrices matrices_;
};

}  // namespace pliant
