#pragma once

#include <vector>

#include "pliant/contact/contact_term.hpp"

namespace pliant {

/// Cloth, ribbons and strands that keep away from each other and from themselves: a ball around every vertex.
/// Two that overlap have the energy k (D - d)^3, with d the distance of their centres and D the one they
/// keep. Nothing gets between balls that are closer to each other than that: D should be about the length of
/// an edge. Quick and approximate; what moves by more than D in a step may pass.
class ThinCollision final : public ContactTerm {
 public:
  struct Options {
    double distance = 0;  ///< D, m
    Vector stiffness;     ///< k of each vertex of the model, Pa; of a pair the smaller one
    double friction = 0;  ///< Coulomb's coefficient
  };
  /// `vertices` are those that have a ball, ascending, and `body` says whose each is. Those of one body that
  /// are neighbours at rest do not collide.
  ThinCollision(std::vector<int> vertices, std::vector<int> body, std::vector<Vec3> rest, Options options);

  Index contributions() const override { return std::ssize(vertices_); }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override;
  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override;

  std::unique_ptr<ContactTerm> clone_term() const override { return std::make_unique<ThinCollision>(*this); }
  std::unique_ptr<ContactTerm> term_sub_model(const SubModel&) const override { return nullptr; }
  void begin_stage(const Stage&) override {}
  double stored(const Vector& x, double t) const override;
  Power power(const Vector&, const Vector&, const Interval&) const override { return {}; }
  void add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const override;
  double overlap(const Vector& x) const override;
  Couples couples() const override { return Couples::bodies_in_the_solve; }
  bool rubs() const override { return options_.friction > 0; }

 private:
  struct Pair {
    int a, b;  ///< among `vertices_`, a < b
  };
  struct Touch;

  void find_near(const Vector& x) const;
  bool has_moved_far(const Vector& x) const;
  /// Calls `visit` for the pairs that overlap, in a fixed order.
  template <class Visit>
  void for_each_touch(const Vector& x, Visit visit) const;
  bool are_neighbours(int a, int b) const;
  Vec3 place(const Vector& x, int ball) const { return x.segment<3>(3 * Index{vertices_[ball]}); }

  std::vector<int> vertices_, body_;
  std::vector<Vec3> rest_;
  Options options_;

  /// Pairs that were near at `near_x_`. Until something has moved by half of the margin, no others overlap.
  mutable std::vector<Pair> near_;
  mutable Vector near_x_;
};

}  // namespace pliant
