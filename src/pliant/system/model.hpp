#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pliant/contact/contact.hpp"
#include "pliant/contact/obstacle.hpp"
#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/potential/motion.hpp"
#include "pliant/potential/potential.hpp"
#include "pliant/system/consistent_mass.hpp"

namespace pliant {

/// Vertices whose motion is given until `release`; from then on they are free.
struct Script {
  std::vector<int> vertices;
  std::vector<Vec3> start;  ///< where each of them is at time 0, before the motion
  Motion motion;
  double release = std::numeric_limits<double>::infinity();  ///< s

  /// The moment of release is still held; times that are sums of steps may miss it by a roundoff.
  bool holds(double t) const { return t <= release + kTimeSlack; }
};

/// One body of a model: its rest mesh, whose vertices are first_vertex, first_vertex + 1, ... of the model.
struct Body {
  std::string name;
  TetMesh rest;
  int first_vertex = 0;
  std::optional<Vec3> color = {};  ///< in pictures: red, green and blue from 0 to 1; any that suits if none
};

/// A term of the energy, with what messages and energy reports call it.
struct Term {
  std::string body;                     ///< empty when it acts on all
  std::string energy = kElasticEnergy;  ///< the name that it is booked by
  std::unique_ptr<Potential> potential;

  bool is_elastic() const { return energy == kElasticEnergy; }
};

/// What does not change while time runs: rest meshes, masses, energies, scripts. Filled in, then `finish`ed.
struct Model {
  Model() = default;
  Model(const Model&) = delete;  // potentials refer to its pattern
  Model& operator=(const Model&) = delete;

  std::vector<Body> bodies;
  Vector mass;                                    ///< of each vertex, kg; positive
  std::optional<ConsistentMass> consistent_mass;  ///< where a body's mass matrix is consistent
  std::vector<Term> terms;
  std::vector<std::unique_ptr<StageTerm>> stage_terms;  ///< prototypes
  /// Prototypes, those that act after the step in the order in which they do.
  std::vector<std::unique_ptr<Contact>> contacts;
  std::vector<Script> scripts;
  std::vector<Obstacle> obstacles;  ///< contacts refer to them
  std::vector<char> held;  ///< dofs that are no unknowns at any time, besides the scripts'; may be empty
  BlockPattern pattern;    ///< of the Hessian
  double diameter = 0;     ///< of the bounding box of all rest meshes, m

  int vertex_count() const { return static_cast<int>(mass.size()); }
  /// Three a vertex, two in planar bodies.
  Index dof_count() const;

  /// Builds the pattern, attaches all terms and measures the diameter; to be called once, after filling in.
  /// Throws std::invalid_argument where a vertex has no positive mass, and where a contact would be lost in
  /// silence: an obstacle that no contact keeps bodies out of, or friction that nothing sees to.
  void finish();

  /// Which dofs are no unknowns at time t: those of scripted vertices, z of planar bodies, and `held` ones.
  std::vector<char> fixed_dofs(double t) const;

  /// Puts scripted vertices where their scripts say at time t, and planar bodies into their plane; v may be
  /// null.
  void apply_scripts(double t, Vector& x, Vector* v) const { apply_scripts(t, t, x, v); }
  /// Of scripts that hold vertices at another time, too: `holding`, not before t.
  void apply_scripts(double t, double holding, Vector& x, Vector* v) const;

  /// The accelerations that scripts give their vertices at time t, as above; zero for others.
  Vector script_accelerations(double t, double holding) const;

  /// The first key after t of all that is moved from outside, s; infinity if there is none.
  double next_key(double t) const;

  /// M v, with the mass matrix M.
  Vector momentum(const Vector& v) const;

  /// Those that forces give the free vertices at time t, as above; of the others what scripts say, where that
  /// matters.
  Vector accelerations(const Vector& force, double t, double holding) const;

  /// The free vertices of a sub-model and what they need, as a model in which all others and the dofs that
  /// are `fixed` are held. Its bodies are not there.
  std::unique_ptr<Model> sub_model(const SubModel& sub_model, const std::vector<char>& fixed) const;

  /// Components: parts that no term of the energy couples, in the order of their first vertices; all vertices
  /// are free.
  std::vector<SubModel> components() const;
  /// One of these as a model, with its share of bodies and scripts.
  std::unique_ptr<Model> component(const SubModel& sub_model) const;

  /// The body a vertex belongs to.
  const Body& body_of(int vertex) const;

  /// How many elements are inside out in x.
  Index inverted_elements(const Vector& x) const;

 private:
  void connect();
  void require_owners() const;
  std::unique_ptr<Model> with_terms_of(const SubModel& sub_model) const;
};

}  // namespace pliant
