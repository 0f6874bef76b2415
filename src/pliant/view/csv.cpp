#include "pliant/view/csv.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace pliant {

std::string_view take_field(std::string_view& row) {
  const size_t end = std::min(row.find(','), row.size());
  const std::string_view field = row.substr(0, end);
  row.remove_prefix(std::min(end + 1, row.size()));
  return field;
}

std::optional<double> number_in(std::string_view field) {
  double number = std::numeric_limits<double>::quiet_NaN();
  if (field.empty()) return number;
  const auto [end, failed] = std::from_chars(field.data(), field.data() + field.size(), number);
  const bool known = failed == std::errc() || failed == std::errc::result_out_of_range;
  if (!known || end != field.data() + field.size()) return std::nullopt;
  return number;
}

}  // namespace pliant
