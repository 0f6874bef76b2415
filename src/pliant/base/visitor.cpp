#include "pliant/base/visitor.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/text.hpp"

namespace pliant {

std::string Range::text() const {
  std::string text;
  if (std::isfinite(min)) text = format("{} {}", min_allowed ? "at least" : "greater than", min);
  if (std::isfinite(max))
    text += format("{}{} {}", text.empty() ? "" : " and ", max_allowed ? "at most" : "less than", max);
  return text;
}

void Visitor::value(const Key& key, int& field) {
  std::int64_t wide = field;
  value(key, wide);
  field = static_cast<int>(
      std::clamp<std::int64_t>(wide, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
  rule(field == wide, key.name, format("{} = {} is too large", key.name, wide));
}

void Visitor::rule(bool, std::string_view, const std::string&) {}
void Visitor::origin(std::string_view, Origin&) {}

}  // namespace pliant
