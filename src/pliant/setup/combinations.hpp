#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/setup/options.hpp"

/// Schemes, solvers, contacts, materials and elements are independent choices, but for what is in the table
/// of this file. Whoever puts a simulation together asks it, so that all say the same.
namespace pliant {

/// What a body is made of.
enum class Elements { tetrahedra, hexahedra, triangles, sheet, strand };
Elements elements_of(const TetMesh& rest);

/// The choices that a simulation is made by, as far as the table asks.
struct Combination {
  struct Body {
    std::string name = {};
    std::string material = "fixed-corotated";
    std::optional<Elements> elements = {};  ///< none as long as they are not known
    std::string shape = "body";             ///< what messages call it
    bool consistent_mass = false;
    bool painted = false;  ///< elements differ in stiffness
    bool volume = false, fibre = false, bending = false, bending_springs = false, tears = false;
    bool stiffness_damping = false;
    bool drags = false;  ///< damping.ether or damping.internal
  };
  struct Obstacle {
    ContactWay way = ContactWay::constraint;
    bool friction = false;
  };
  SchemeOptions scheme = {};
  std::string solver = SolverOptions().method;
  bool tolerance = false;  ///< steps are as long as errors allow
  std::vector<Body> bodies = {};
  std::vector<Obstacle> obstacles = {};
  ContactOptions contact = {};
  bool wind = false;
};

/// What of a body's options the table asks.
Combination::Body parts_of(const MaterialOptions& material);
void add_parts(const DampingOptions& damping, Combination::Body& body);

/// Who can say where a conflict was written.
enum class KeyTable { material, body, time, scene };

/// Two choices of a combination that do not go together.
struct Conflict {
  KeyTable table = KeyTable::scene;
  std::string_view key;        ///< of the table, that one of the choices was made by
  std::optional<size_t> body;  ///< whose choices they are
  std::string message;         ///< with what to do instead
};

/// Empty where all goes together.
std::vector<Conflict> find_conflicts(const Combination& combination);
/// Of one table only.
std::vector<Conflict> find_conflicts(const Combination& combination, KeyTable table);

/// A row of the table, to be shown: NAME, SHAPE and MATERIAL stand for what the message would name.
struct CombinationRow {
  std::string one, other;  ///< what does not go together
  std::string message;     ///< and what is said then
  std::string schemes;     ///< those that it is about, where it is about several
};
std::vector<CombinationRow> combination_rows();

}  // namespace pliant
