#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/base/origin.hpp"
#include "pliant/base/types.hpp"

namespace pliant {

/// One of the allowed words of a key.
struct Choice {
  std::string_view name;
  std::string_view meaning;
};

/// Which numbers are allowed.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_allowed = true;
  bool max_allowed = true;

  bool contains(double number) const {
    return (min_allowed ? number >= min : number > min) && (max_allowed ? number <= max : number < max);
  }
  /// "greater than 0", "at least 1", "at least 0 and less than 0.5"; empty where all numbers are allowed.
  std::string text() const;
};

constexpr Range kAnyNumber{};
constexpr Range kPositive{.min = 0, .min_allowed = false};
constexpr Range at_least(double min) { return {.min = min}; }
constexpr Range between(double min, double max) { return {.min = min, .max = max}; }

/// All there is to know about a key of a scene file except its default, which is the value of the field.
struct Key {
  std::string_view name;
  std::string_view meaning;
  std::string_view unit = {};
  Range range = {};              ///< of a number, or of each number of a list
  std::string_view remedy = {};  ///< what to do where a number is out of range
  std::span<const Choice> choices = {};
  bool required = false;
  bool section = false;        ///< a table that gets a [header] of its own
  bool one_for_three = false;  ///< a single number may stand for three equal ones
  bool recursive = false;      ///< a list of tables like the one it stands in
};

/// What walks over the keys of a scene. `describe(visitor, options)` beside each options struct names every
/// key once; the reader, the writer of resolved scenes, the reference page and the schema are four visitors.
/// A visitor may change the fields it is shown.
class Visitor {
 public:
  virtual ~Visitor() = default;

  virtual void value(const Key& key, bool& field) = 0;
  virtual void value(const Key& key, double& field) = 0;
  virtual void value(const Key& key, std::int64_t& field) = 0;
  virtual void value(const Key& key, std::string& field) = 0;
  virtual void value(const Key& key, Vec3& field) = 0;
  virtual void value(const Key& key, std::vector<int>& field) = 0;
  virtual void value(const Key& key, std::vector<double>& field) = 0;
  virtual void value(const Key& key, std::array<int, 3>& field) = 0;
  void value(const Key& key, int& field);

  template <class T>
  void value(const Key& key, std::optional<T>& field) {
    if (!present(key, field.has_value())) return field.reset();
    if (!field) field.emplace(initial<T>());
    value(key, *field);
  }

  template <class T>
  void table(const Key& key, T& options) {
    begin_table(key);
    describe(*this, options);
    end_table();
  }

  template <class T>
  void table(const Key& key, std::optional<T>& options) {
    if (!present(key, options.has_value())) return options.reset();
    if (!options) options.emplace();
    table(key, *options);
  }

  template <class T>
  void list(const Key& key, std::vector<T>& items) {
    items.resize(begin_list(key, items.size()));
    for (size_t i = 0; i < items.size(); ++i) {
      begin_item(i);
      describe(*this, items[i]);
      end_item();
    }
    end_list();
  }

  /// Whether keys that do not go with the others of their table are shown too: where all there is is
  /// described.
  virtual bool shows_everything() const { return false; }

  /// What must hold between keys; the message is for the place of `key`, or of the whole table where it is
  /// absent.
  virtual void rule(bool holds, std::string_view key, const std::string& message);

  /// That a key which used to stand in this table stands in its table `now`.
  virtual void moved(std::string_view key, std::string_view now) {
    static_cast<void>(key);
    static_cast<void>(now);
  }

  /// Where a key was written, for later complaints; with an empty key, the table itself.
  virtual void origin(std::string_view key, Origin& where);

  template <class T>
  static T initial() {
    if constexpr (std::is_same_v<T, Vec3>) return Vec3::Zero();  // Vec3() holds no numbers yet
    return T();
  }

 protected:
  /// Whether an optional key is there; `has` says whether the field holds a value now.
  virtual bool present(const Key& key, bool has) = 0;
  virtual void begin_table(const Key& key) = 0;
  virtual void end_table() = 0;
  /// How many items the list gets; `has` is how many it holds now.
  virtual size_t begin_list(const Key& key, size_t has) = 0;
  virtual void begin_item(size_t position) = 0;
  virtual void end_item() = 0;
  virtual void end_list() = 0;
};

}  // namespace pliant
