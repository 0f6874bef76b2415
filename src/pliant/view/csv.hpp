#pragma once

#include <optional>
#include <string_view>

namespace pliant {

/// The first field of a row of a table as runs write them, without quotes; it is taken off the row with its
/// comma.
std::string_view take_field(std::string_view& row);

/// What a field says: NaN where it is empty or beyond what a double holds, nothing where it is no number.
std::optional<double> number_in(std::string_view field);

}  // namespace pliant
