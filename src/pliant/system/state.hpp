#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

struct SubModel;

/// What the entries of an array are of. A list is of things that come and go, each known by a number.
enum class EntryOf : std::uint8_t { vertex, particle, stencil, list, whole };

/// Numbers that outlive a step, so many an entry, with what they belong to and which of them still hold.
struct StateArray {
  EntryOf of = EntryOf::whole;
  Index width = 1;                ///< numbers an entry
  Vector values;                  ///< entry after entry; zero where they do not hold
  std::vector<char> holds;        ///< of each entry, whether it may be used
  std::vector<std::int64_t> ids;  ///< of a list, by which its entries are known, ascending

  /// Three numbers a vertex.
  static StateArray of_vertices(Vector values);
  /// One entry.
  static StateArray of_whole(Vector values);

  Index entries() const { return std::ssize(holds); }
  bool all_hold() const;
  void forget(Index entry);
  void forget_all();
  /// The same bits.
  bool operator==(const StateArray& other) const;
};

/// All that changes while time runs. Nothing else may cross the boundary of a step and change a bit, so that
/// saving a State and going on from it later gives the same frames. Arrays say what they belong to, so that a
/// state can be taken apart, put together and renumbered without knowing whose they are.
struct State {
  double time = 0;
  Vector x;  ///< positions, 3n
  Vector v;  ///< velocities, 3n
  /// History of schemes and terms that need one, by name.
  std::map<std::string, StateArray> arrays;

  Index vertices() const { return x.size() / 3; }

  /// Three numbers a vertex that were kept under that name; null where there are none, or not all of them
  /// hold.
  const Vector* kept(const std::string& name) const;
  void keep(const std::string& name, Vector three_a_vertex);
  /// The same of one number for the whole.
  std::optional<double> kept_number(const std::string& name) const;
  void keep_number(const std::string& name, double number);
  /// Nothing of that name holds any more.
  void forget(const std::string& name);
  /// Nothing that is kept of these vertices holds any more.
  void forget_vertices(std::span<const int> vertices);

  /// What is of a sub-model's vertices, and what is of the whole. What is of other things no sub-model has.
  State taken(const SubModel& sub_model) const;
  /// Puts a state of a sub-model back. What is of the whole must be the same in all sub-models where it
  /// holds; throws std::logic_error where it is not, and where a sub-model has kept what belongs to neither.
  void put(const State& part, const SubModel& sub_model);

  /// With vertices i that were origin[i]. What was kept of vertices and stencils is left out: many are no
  /// more.
  State renumbered(const std::vector<int>& origin) const;

  /// Whether all sizes fit what the arrays say that they belong to.
  bool is_sound() const;
  /// The same bits.
  bool operator==(const State& other) const;
};

}  // namespace pliant
