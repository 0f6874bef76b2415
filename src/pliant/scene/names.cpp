#include "pliant/scene/names.hpp"

#include <algorithm>
#include <numeric>

#include "pliant/base/text.hpp"

namespace pliant {

namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// How many letters must be inserted, deleted or replaced to turn one name into the other.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view mistyped, const std::vector<std::string_view>& known) {
  constexpr size_t kLongest = 100;  // the distance takes time quadratic in the length
  if (mistyped.size() > kLongest) return {};
  std::string_view nearest;
  size_t smallest = std::max<size_t>(2, mistyped.size() / 3) + 1;
  for (const std::string_view name : known) {
    const size_t distance = edit_distance(mistyped, name);
    if (distance < smallest && distance < std::max(name.size(), mistyped.size())) {
      smallest = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string joined(const std::vector<std::string_view>& names) {
  std::string all;
  for (const std::string_view name : names) all += format("{}{}", all.empty() ? "" : ", ", name);
  return all;
}

std::string default_name(std::string_view what, size_t position) {
  std::string name(what);
  if (position > 0) name += "-" + std::to_string(position + 1);
  return name;
}

bool is_file_name_safe(std::string_view name) {
  return !name.empty() && name.size() <= 100 && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter_or_digit(c) || c == '-' || c == '_';
  });
}

std::string to_file_name(std::string_view text) {
  std::string name;
  for (const char c : text.substr(0, 100)) {
    if (is_letter_or_digit(c) || c == '_')
      name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "scene" : name;
}

}  // namespace pliant
