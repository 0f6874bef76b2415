#include "pliant/study/grid.hpp"

#include <algorithm>
#include <set>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string without_blanks_around(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

/// Parts between commas that are in no quotes, brackets or braces.
std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\' && quote == '"')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth <= 0) {
      parts.push_back(without_blanks_around(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  parts.push_back(without_blanks_around(text.substr(begin)));
  return parts;
}

/// Whether a value explains itself, as "sdirk2" does and "5" does not.
bool is_word(const std::string& value) {
  static const std::set<std::string> kNoWords = {"true", "false", "inf", "nan"};
  return !value.empty() &&
         (is_ascii_letter(value.front()) || value.front() == '"' || value.front() == '\'') &&
         !kNoWords.contains(value);
}

/// The shortest end of a key, from a dot on, that no other varied key has.
std::string end_of_key(const std::vector<VariedKey>& varied, size_t which) {
  const std::string& key = varied[which].key;
  for (size_t dot = key.rfind('.'); dot != std::string::npos && dot > 0; dot = key.rfind('.', dot - 1)) {
    const std::string end = key.substr(dot);
    const auto others = std::count_if(varied.begin(), varied.end(), [&](const VariedKey& other) {
      return ("." + other.key).ends_with(end);
    });
    if (others == 1) return end.substr(1);
  }
  return key;
}

/// What may not be in the name of a file, or would have to be quoted in a shell, becomes a dash.
std::string safe_in_files(const std::string& text) {
  constexpr std::string_view kAllowed = "-_.=+";
  std::string name;
  for (const char c : text) {
    if (is_ascii_letter(c) || (c >= '0' && c <= '9') || kAllowed.find(c) != std::string_view::npos)
      name += c;
    else if (!name.empty() && name.back() != '-' && name.back() != '=')
      name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  while (!name.empty() && (name.front() == '-' || name.front() == '.')) name.erase(0, 1);
  return name;
}

}  // namespace

VariedKey parse_varied(const std::string& text) {
  const Complaint place{"--vary " + text, 0, 0, ""};
  const auto refuse = [&](const std::string& message) {
    throw InputError(Complaint{place.file, 0, 0, message});
  };
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    refuse("write it as KEY=A,B, for instance time.scheme=backward-euler,sdirk2");
  VariedKey varied{without_blanks_around(text.substr(0, equals)), split_at_commas(text.substr(equals + 1))};
  std::set<std::string> seen;
  for (const std::string& value : varied.values) {
    if (value.empty()) refuse("a value is missing; write it as KEY=A,B");
    if (!seen.insert(value).second) refuse(format("the value {} is given twice; leave one out", value));
  }
  return varied;
}

std::vector<std::string> parse_choices(const std::string& text) {
  std::vector<std::string> choices = split_at_commas(text);
  for (const std::string& choice : choices)
    if (const size_t equals = choice.find('='); equals == std::string::npos || equals == 0)
      throw InputError(Complaint{"--reference " + text, 0, 0,
                                 "write it as KEY=VALUE,KEY=VALUE, for instance "
                                 "time.scheme=sdirk3,time.steps_per_frame=100"});
  return choices;
}

std::string_view key_of(std::string_view key_and_value) {
  return key_and_value.substr(0, key_and_value.find('='));
}

std::string member_name(const std::vector<VariedKey>& varied, const std::vector<std::string>& values) {
  constexpr size_t kLongest = 80;
  std::string name;
  for (size_t i = 0; i < varied.size(); ++i) {
    if (!name.empty()) name += '_';
    name += safe_in_files(is_word(values[i]) ? values[i] : end_of_key(varied, i) + "=" + values[i]);
  }
  name = safe_in_files(name.substr(0, kLongest));
  return name.empty() ? "member" : name;
}

std::string unique_name(const std::string& name, std::vector<std::string>& taken) {
  std::string unique = name;
  for (int number = 2; std::find(taken.begin(), taken.end(), unique) != taken.end(); ++number)
    unique = format("{}-{}", name, number);
  taken.push_back(unique);
  return unique;
}

std::vector<GridMember> make_grid(const std::vector<VariedKey>& varied) {
  std::set<std::string> keys;
  size_t count = 1;
  for (const VariedKey& key : varied) {
    if (!keys.insert(key.key).second)
      throw InputError(format("{} is varied twice; give all its values in one --vary", key.key));
    count *= key.values.size();
    if (count > kMostMembers)
      throw InputError(format("the grid has more than {} members; vary fewer keys or values", kMostMembers));
  }
  std::vector<GridMember> members(count);
  std::vector<std::string> taken;
  for (size_t i = 0; i < count; ++i) {
    members[i].values.resize(varied.size());
    for (size_t key = varied.size(), rest = i; key-- > 0;) {
      members[i].values[key] = varied[key].values[rest % varied[key].values.size()];
      rest /= varied[key].values.size();
    }
    members[i].name = unique_name(member_name(varied, members[i].values), taken);
  }
  return members;
}

}  // namespace pliant
