#pragma once

#include <memory>
#include <vector>

#include "pliant/contact/contact_term.hpp"
#include "pliant/contact/point_primitive.hpp"
#include "pliant/spatial/surface_tree.hpp"
#include "pliant/spatial/tet_tree.hpp"

namespace pliant {

/// Bodies that push each other, and parts of themselves, out (gast-2014, section 5.3): for every vertex of a
/// surface that is inside of a tetrahedron it is no corner of, the energy k d sqrt(d + eps), with d the
/// squared distance to the closest triangle, edge or vertex of the surface of that tetrahedron's body; about
/// k depth^3.
///
/// Only vertices of surfaces are looked at: others cannot get inside of anything before their surface does.
/// That a vertex is inside of its own body can also mean that its tetrahedra are turned inside out and it has
/// got into the next ones without crossing the surface; then these count -1, and in sum it is outside. The
/// closest triangle is found exactly; the one that a vertex was closest to before only makes that faster.
class SelfCollision final : public ContactTerm {
 public:
  /// What can collide: vertices first_vertex, ... of the model. A mesh without tetrahedra only runs into
  /// others.
  struct Collider {
    const TetMesh& rest;
    int first_vertex;
  };

  struct Options {
    Vector stiffness;           ///< k of each vertex of the model, Pa
    double friction = 0;        ///< Coulomb's coefficient
    bool within_bodies = true;  ///< bodies collide with themselves too
    /// What is closest is looked for among the triangles that face the surface around the vertex, where one
    /// of them is not much farther (twice as far and a twentieth of an edge) than the closest of all: where
    /// edges lie on each other that leads sideways, and in something thin to its other side. As the energy is
    /// not continuous then, this is for contact programs.
    bool facing = false;
  };
  SelfCollision(const std::vector<Collider>& colliders, Options options);

  Index contributions() const override { return std::ssize(candidates_); }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override;
  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override;

  std::unique_ptr<ContactTerm> clone_term() const override { return std::make_unique<SelfCollision>(*this); }
  std::unique_ptr<ContactTerm> term_sub_model(const SubModel&) const override { return nullptr; }
  void begin_stage(const Stage&) override {}
  double stored(const Vector& x, double t) const override;
  Power power(const Vector&, const Vector&, const Interval&) const override { return {}; }
  void add_contacts(const Vector& x, std::vector<ContactPoint>& contacts) const override;
  double overlap(const Vector& x) const override;
  std::vector<Inside> find_inside(const Vector& x) const override;
  bool is_costly() const override { return true; }
  Couples couples() const override { return Couples::bodies_in_the_solve; }
  bool rubs() const override { return friction_ > 0; }

 private:
  struct Hit {
    Index candidate;
    int collider;
    ClosestPoint closest;      ///< it is pushed there
    double squared_depth = 0;  ///< to the closest of all, m^2
  };
  struct Body {
    int number;                               ///< among the colliders
    int first_vertex, last_vertex;            ///< [first, last)
    std::vector<std::array<int, 4>> corners;  ///< of tetrahedra
    TetTree tets;
    SurfaceTree surface;
  };

  void add_candidates(const Surface& surface, int first_vertex);
  void add_margin(const TriangleMesh& surface);
  const std::vector<Hit>& find(const Vector& x) const;
  void find_hits(const Vector& x) const;
  void find_near(const Vector& x) const;
  std::vector<char> colliders_of(const std::vector<Hit>& hits) const;
  static bool is_of(int vertex, const Body& body) {
    return vertex >= body.first_vertex && vertex < body.last_vertex;
  }
  bool has_moved_far(const Vector& x) const;
  bool is_inside(Index candidate, const Body& body, const Vector& x) const;
  size_t outward_of(Index candidate, const Vector& x, std::span<Vec3> directions) const;
  Vec3 normal_of(Index candidate, const Vector& x) const;
  void find_closest(const Vector& x) const;
  std::array<int, 4> stencil(const Hit& hit) const;
  PointPrimitive pair(const Hit& hit, const Vector& x) const;

  Vector stiffness_;
  double friction_;
  bool within_bodies_, facing_;
  std::vector<int> candidates_;  ///< vertices of surfaces, ascending
  std::vector<Index> triangle_start_{0};
  std::vector<std::array<int, 3>> triangles_;  ///< of the surface around each candidate

  double margin_ = 0;  ///< closer than this is near, m

  // Where `find` looked last, what it found there, and its work space.
  mutable std::vector<Body> bodies_;
  mutable std::vector<Hit> hits_;
  mutable Vector x_;
  /// Candidates that were near to a tetrahedron of a body at `near_x_`. Until something has moved by half of
  /// the margin, no other can be inside of one.
  mutable std::vector<Hit> near_;
  mutable Vector near_x_;
  mutable std::vector<int> last_triangle_, last_collider_;  ///< of each candidate
};

}  // namespace pliant
