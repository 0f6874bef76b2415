#include "pliant/system/state.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <stdexcept>

#include "pliant/potential/sub_model.hpp"

namespace pliant {

namespace {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool same_bits(const Vector& a, const Vector& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double p, double q) { return same_bits(p, q); });
}

/// As many entries, none of which holds.
StateArray forgotten(const StateArray& like, Index entries) {
  return {.of = like.of,
          .width = like.width,
          .values = Vector::Zero(like.width * entries),
          .holds = std::vector<char>(static_cast<size_t>(entries), 0),
          .ids = {}};
}

void copy_entry(const StateArray& from, Index entry, StateArray& to, Index place) {
  to.values.segment(to.width * place, to.width) = from.values.segment(from.width * entry, from.width);
  to.holds[place] = from.holds[entry];
}

bool is_sound(const StateArray& array, Index vertices) {
  const Index entries = array.entries();
  if (array.of > EntryOf::whole) return false;
  if (array.of == EntryOf::vertex && entries != vertices) return false;
  if (array.of == EntryOf::whole && entries != 1) return false;
  if (std::ssize(array.ids) != (array.of == EntryOf::list ? entries : 0)) return false;
  if (!std::is_sorted(array.ids.begin(), array.ids.end(), std::less_equal<>())) return false;
  if (entries == 0) return array.width >= 0 && array.values.size() == 0;
  return array.values.size() % entries == 0 && array.values.size() / entries == array.width;
}

}  // namespace

StateArray StateArray::of_vertices(Vector values) {
  const auto count = static_cast<size_t>(values.size() / 3);
  return {.of = EntryOf::vertex,
          .width = 3,
          .values = std::move(values),
          .holds = std::vector<char>(count, 1),
          .ids = {}};
}

StateArray StateArray::of_whole(Vector values) {
  const Index width = values.size();
  return {.of = EntryOf::whole, .width = width, .values = std::move(values), .holds = {1}, .ids = {}};
}

bool StateArray::all_hold() const {
  return std::all_of(holds.begin(), holds.end(), [](char held) { return held != 0; });
}

void StateArray::forget(Index entry) {
  values.segment(width * entry, width).setZero();
  holds[entry] = 0;
}

void StateArray::forget_all() {
  values.setZero();
  std::fill(holds.begin(), holds.end(), 0);
}

bool StateArray::operator==(const StateArray& other) const {
  return of == other.of && width == other.width && same_bits(values, other.values) && holds == other.holds &&
         ids == other.ids;
}

const Vector* State::kept(const std::string& name) const {
  const auto found = arrays.find(name);
  const bool usable = found != arrays.end() && found->second.of == EntryOf::vertex &&
                      found->second.width == 3 && found->second.all_hold();
  return usable ? &found->second.values : nullptr;
}

void State::keep(const std::string& name, Vector three_a_vertex) {
  arrays[name] = StateArray::of_vertices(std::move(three_a_vertex));
}

std::optional<double> State::kept_number(const std::string& name) const {
  const auto found = arrays.find(name);
  const bool usable = found != arrays.end() && found->second.of == EntryOf::whole &&
                      found->second.width == 1 && found->second.all_hold();
  return usable ? std::optional(found->second.values[0]) : std::nullopt;
}

void State::keep_number(const std::string& name, double number) {
  arrays[name] = StateArray::of_whole(Vector::Constant(1, number));
}

void State::forget(const std::string& name) {
  if (const auto found = arrays.find(name); found != arrays.end()) found->second.forget_all();
}

void State::forget_vertices(std::span<const int> vertices) {
  for (auto& [name, array] : arrays)
    if (array.of == EntryOf::vertex)
      for (const int vertex : vertices) array.forget(vertex);
}

State State::taken(const SubModel& sub_model) const {
  State part{.time = time, .x = sub_model.taken(x), .v = sub_model.taken(v), .arrays = {}};
  const Index count = std::ssize(sub_model.vertices);
  for (const auto& [name, array] : arrays) {
    if (array.of == EntryOf::whole) part.arrays[name] = array;
    if (array.of != EntryOf::vertex) continue;
    StateArray& taken = part.arrays[name] = forgotten(array, count);
    for (Index i = 0; i < count; ++i) copy_entry(array, sub_model.vertices[i], taken, i);
  }
  return part;
}

void State::put(const State& part, const SubModel& sub_model) {
  sub_model.put(part.x, x);
  sub_model.put(part.v, v);
  for (const auto& [name, array] : part.arrays) {
    if (array.of == EntryOf::vertex) {
      StateArray& whole = arrays.try_emplace(name, forgotten(array, vertices())).first->second;
      for (Index i = 0; i < array.entries(); ++i)
        if (sub_model.free[i]) copy_entry(array, i, whole, sub_model.vertices[i]);
    } else if (array.of == EntryOf::whole) {
      StateArray& whole = arrays.try_emplace(name, array).first->second;
      if (!whole.all_hold()) whole = array;
      if (array.all_hold() && !(whole == array))
        throw std::logic_error("components of a model do not agree on '" + name + "', which is of the whole");
    } else {
      throw std::logic_error("'" + name +
                             "' is neither of vertices nor of the whole: components cannot keep it");
    }
  }
}

State State::renumbered(const std::vector<int>& origin) const {
  const SubModel from{.vertices = origin, .free = {}};
  State now{.time = time, .x = from.taken(x), .v = from.taken(v), .arrays = {}};
  for (const auto& [name, array] : arrays)
    if (array.of != EntryOf::vertex && array.of != EntryOf::stencil) now.arrays[name] = array;
  return now;
}

bool State::is_sound() const {
  return x.size() % 3 == 0 && v.size() == x.size() &&
         std::all_of(arrays.begin(), arrays.end(),
                     [&](const auto& named) { return pliant::is_sound(named.second, vertices()); });
}

bool State::operator==(const State& other) const {
  return same_bits(time, other.time) && same_bits(x, other.x) && same_bits(v, other.v) &&
         arrays == other.arrays;
}

}  // namespace pliant
