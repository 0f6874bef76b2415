#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// A key of a scene and the values that it takes in turn.
struct VariedKey {
  std::string key;
  std::vector<std::string> values;  ///< as written, each to be read as the value of an override
};

/// "KEY=A,B": commas within quotes, brackets and braces belong to a value. Throws InputError, also where a
/// value is given twice.
VariedKey parse_varied(const std::string& text);

/// "KEY=A,KEY=B": the parts between the same commas. Throws InputError where one is no KEY=VALUE.
std::vector<std::string> parse_choices(const std::string& text);

/// The key of "KEY=VALUE".
std::string_view key_of(std::string_view key_and_value);

/// One of a grid of scenes: a value of each varied key.
struct GridMember {
  std::string name;                 ///< made of the values; safe as the name of a file, and its own
  std::vector<std::string> values;  ///< as many as there are varied keys
};

/// Every combination, the last key changing fastest. Throws InputError where a key is varied twice or there
/// are more than `kMostMembers`.
std::vector<GridMember> make_grid(const std::vector<VariedKey>& varied);
inline constexpr size_t kMostMembers = 1000;

/// A name for the scene with these values: "sdirk2_steps_per_frame=5". A text stands for itself, anything
/// else comes with the end of its key.
std::string member_name(const std::vector<VariedKey>& varied, const std::vector<std::string>& values);

/// The name, or the name with the first number that makes it differ from all in `taken`, to which it is
/// added.
std::string unique_name(const std::string& name, std::vector<std::string>& taken);

}  // namespace pliant
