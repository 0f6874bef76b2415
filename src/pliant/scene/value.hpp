#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/base/origin.hpp"

namespace pliant {

/// A value of a scene file with the place it was written at. Tables keep their entries in `items`, each with
/// its name.
struct Value {
  enum class Kind { boolean, integer, number, text, moment, list, table };

  Kind kind = Kind::table;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string text;
  std::vector<Value> items;  ///< of a list, or entries of a table

  std::string name;  ///< of an entry of a table
  Origin name_origin;
  Origin origin;

  const Value* find(std::string_view entry) const;
  Value* find(std::string_view entry);

  /// What was found, short enough for a message: `0.5`, `"text"`, `[1, 2, 3]`, `a table`.
  std::string shown() const;
};

/// Parses TOML; `file` is what positions call it. Throws InputError with the place of the first syntax error.
Value parse_toml(const std::string& text, const std::string& file);

/// Sets `key=value` in a scene: names separated by dots, bodies and obstacles by their position
/// (`body.0.scale`) or their name. What is not a TOML value is taken as a text, so that no quotes are needed.
/// Throws InputError.
void apply_override(Value& scene, const std::string& key_and_value);

/// A number as TOML writes it: the shortest text that reads back to the same bits, always with a point or an
/// exponent.
std::string toml_number(double number);

/// A text as TOML writes it, in quotes.
std::string toml_text(std::string_view text);

}  // namespace pliant
