#include "pliant/scene/reader.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/text.hpp"
#include "pliant/scene/names.hpp"

namespace pliant {

namespace {

/// " (Pa, greater than 0)": what is allowed, in brackets.
std::string allowed(const Key& key) {
  const std::string range = key.range.text();
  if (key.unit.empty() && range.empty()) return "";
  return format(" ({}{}{})", key.unit, key.unit.empty() || range.empty() ? "" : ", ", range);
}

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void Reader::enter(const Value* table) {
  Frame frame;
  frame.table = table;
  if (table != nullptr)
    frame.origin = table->origin;
  else if (!frames_.empty())
    frame.origin = frames_.back().origin;
  frames_.push_back(std::move(frame));
}

const Value* Reader::find(const Key& key) {
  Frame& frame = frames_.back();
  frame.known.push_back(key.name);
  const Value* found = frame.table == nullptr ? nullptr : frame.table->find(key.name);
  if (found == nullptr && key.required && frame.table != nullptr) {
    frame.complained.push_back(key.name);
    complaints_.push_back(
        frame.origin.complaint(format("missing {}{}{}: {}", key.name, allowed(key),
                                      key.section ? format("; write [[{}]]", key.name) : "", key.meaning)));
  }
  return found;
}

void Reader::complain(const Key& key, const Value& at, const std::string& message) {
  frames_.back().complained.push_back(key.name);
  complaints_.push_back(at.origin.complaint(message));
}

void Reader::wrong_type(const Key& key, const Value& found, std::string_view wanted) {
  complain(
      key, found,
      format("{} = {} is of the wrong type, it must be {}{}", key.name, found.shown(), wanted, allowed(key)));
}

bool Reader::in_range(const Key& key, const Value& from, double number) {
  if (key.range.contains(number)) return true;
  complain(key, from,
           format("{} = {}{}{} is out of range, it must be {}{}{}", key.name, from.shown(),
                  key.unit.empty() ? "" : " ", key.unit, key.range.text(), key.remedy.empty() ? "" : "; ",
                  key.remedy));
  return false;
}

bool Reader::read_number(const Key& key, const Value& from, double& number) {
  if (from.kind == Value::Kind::integer)
    number = static_cast<double>(from.integer);
  else if (from.kind == Value::Kind::number)
    number = from.number;
  else
    return wrong_type(key, from, "a number"), false;
  if (!std::isfinite(number)) {
    complain(
        key, from,
        format("{} = {} is not finite, it must be a finite number{}", key.name, from.shown(), allowed(key)));
    return false;
  }
  return in_range(key, from, number);
}

bool Reader::read_integer(const Key& key, const Value& from, std::int64_t& number) {
  constexpr double kExact = 9007199254740992;  // beyond 2^53 a double no longer holds every integer
  if (from.kind == Value::Kind::integer)
    number = from.integer;
  else if (from.kind == Value::Kind::number && std::trunc(from.number) == from.number &&
           std::abs(from.number) <= kExact)
    number = static_cast<std::int64_t>(from.number);
  else
    return wrong_type(key, from, "a whole number"), false;
  return in_range(key, from, static_cast<double>(number));
}

const std::vector<Value>* Reader::read_list(const Key& key, const Value& from, size_t count) {
  if (from.kind == Value::Kind::list && (count == 0 || from.items.size() == count)) return &from.items;
  if (count == 0)
    wrong_type(key, from, "a list of numbers");
  else
    wrong_type(key, from, format("a list of {} numbers{}", count, key.one_for_three ? " or one number" : ""));
  return nullptr;
}

void Reader::value(const Key& key, bool& field) {
  const Value* found = find(key);
  if (found == nullptr) return;
  if (found->kind != Value::Kind::boolean) return wrong_type(key, *found, "true or false");
  field = found->boolean;
}

void Reader::value(const Key& key, double& field) {
  const Value* found = find(key);
  double number = 0;
  if (found != nullptr && read_number(key, *found, number)) field = number;
}

void Reader::value(const Key& key, std::int64_t& field) {
  const Value* found = find(key);
  std::int64_t number = 0;
  if (found != nullptr && read_integer(key, *found, number)) field = number;
}

void Reader::value(const Key& key, std::string& field) {
  const Value* found = find(key);
  if (found == nullptr) return;
  std::vector<std::string_view> names;
  for (const Choice& choice : key.choices) names.push_back(choice.name);
  if (found->kind != Value::Kind::text)
    return wrong_type(key, *found, names.empty() ? "a text in quotes" : "one of " + joined(names));
  if (!names.empty() && !contains(names, found->text)) {
    const std::string_view nearest = nearest_name(found->text, names);
    return complain(key, *found,
                    format("{} = {} is unknown{}; known are: {}", key.name, found->shown(),
                           nearest.empty() ? "" : format(", did you mean \"{}\"?", nearest), joined(names)));
  }
  field = found->text;
}

void Reader::value(const Key& key, Vec3& field) {
  const Value* found = find(key);
  if (found == nullptr) return;
  double number = 0;
  const bool single = found->kind == Value::Kind::integer || found->kind == Value::Kind::number;
  if (key.one_for_three && single) {
    if (read_number(key, *found, number)) field.setConstant(number);
    return;
  }
  if (const auto* items = read_list(key, *found, 3)) {
    for (int i = 0; i < 3; ++i)
      if (read_number(key, (*items)[i], number)) field[i] = number;
  }
}

void Reader::value(const Key& key, std::vector<int>& field) {
  const Value* found = find(key);
  const auto* items = found == nullptr ? nullptr : read_list(key, *found, 0);
  if (items == nullptr) return;
  field.clear();
  Key narrow = key;
  narrow.range.max = std::numeric_limits<int>::max();
  for (const Value& item : *items) {
    std::int64_t number = 0;
    if (read_integer(narrow, item, number)) field.push_back(static_cast<int>(number));
  }
}

void Reader::value(const Key& key, std::vector<double>& field) {
  const Value* found = find(key);
  const auto* items = found == nullptr ? nullptr : read_list(key, *found, 0);
  if (items == nullptr) return;
  field.clear();
  for (const Value& item : *items) {
    double number = 0;
    if (read_number(key, item, number)) field.push_back(number);
  }
}

void Reader::value(const Key& key, std::array<int, 3>& field) {
  const Value* found = find(key);
  const auto* items = found == nullptr ? nullptr : read_list(key, *found, 3);
  if (items == nullptr) return;
  Key narrow = key;
  narrow.range.max = std::numeric_limits<int>::max();
  for (int i = 0; i < 3; ++i) {
    std::int64_t number = 0;
    if (read_integer(narrow, (*items)[i], number)) field[i] = static_cast<int>(number);
  }
}

void Reader::rule(bool holds, std::string_view key, const std::string& message) {
  const Frame& frame = frames_.back();
  if (holds || frame.table == nullptr || contains(frame.complained, key)) return;
  Origin where;
  origin(key, where);
  complaints_.push_back(where.complaint(message));
}

void Reader::origin(std::string_view key, Origin& where) {
  const Frame& frame = frames_.back();
  const Value* found = frame.table == nullptr || key.empty() ? nullptr : frame.table->find(key);
  where = found == nullptr ? frame.origin : found->origin;
}

bool Reader::present(const Key& key, bool) {
  const Value* table = frames_.back().table;
  if (table != nullptr && table->find(key.name) != nullptr) return true;
  frames_.back().known.push_back(key.name);
  return false;
}

void Reader::begin_table(const Key& key) {
  const Value* found = find(key);
  if (found != nullptr && found->kind != Value::Kind::table) {
    wrong_type(key, *found, key.section ? format("a table; write [{}]", key.name) : "a table in braces");
    found = nullptr;
  }
  enter(found);
}

void Reader::end_table() {
  const Frame frame = std::move(frames_.back());
  frames_.pop_back();
  if (frame.table == nullptr) return;
  for (const Value& entry : frame.table->items) {
    if (contains(frame.known, entry.name)) continue;
    const auto is_it = [&](const auto& moved) { return moved.first == entry.name; };
    if (const auto moved = std::find_if(frame.moved.begin(), frame.moved.end(), is_it);
        moved != frame.moved.end()) {
      complaints_.push_back(entry.name_origin.complaint(
          format("{} has moved: it is {}.{} now", toml_text(entry.name), moved->second, entry.name)));
      continue;
    }
    const std::string_view nearest = nearest_name(entry.name, frame.known);
    complaints_.push_back(entry.name_origin.complaint(
        format("unknown key {}{}; known here are: {}", toml_text(entry.name),
               nearest.empty() ? "" : format(", did you mean \"{}\"?", nearest), joined(frame.known))));
  }
}

void Reader::moved(std::string_view key, std::string_view now) {
  frames_.back().moved.emplace_back(key, now);
}

size_t Reader::begin_list(const Key& key, size_t) {
  const Value* found = find(key);
  const bool tables = found != nullptr && found->kind == Value::Kind::list &&
                      std::all_of(found->items.begin(), found->items.end(),
                                  [](const Value& item) { return item.kind == Value::Kind::table; });
  if (found != nullptr && !tables) {
    wrong_type(key, *found,
               key.section ? format("a list of tables; write [[{}]]", key.name) : "a list of tables");
    found = nullptr;
  } else if (found != nullptr && found->items.empty() && key.required) {
    complain(key, *found, format("{} is empty, at least one is needed; write [[{}]]", key.name, key.name));
  }
  lists_.push_back(found);
  return found == nullptr ? 0 : found->items.size();
}

void Reader::begin_item(size_t position) { enter(&lists_.back()->items[position]); }
void Reader::end_item() { end_table(); }
void Reader::end_list() { lists_.pop_back(); }

}  // namespace pliant
