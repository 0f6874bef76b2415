#pragma once

#include <string>
#include <string_view>

namespace pliant {

/// A container of steps with at most so many of its rows: a plot shows no more, and a run of a hundred
/// thousand steps would otherwise fill a report alone. Of rows that follow each other the one that failed is
/// kept, else the one with most iterations, so that peaks stay; of the last ones the last. Fewer rows stay as
/// they are. Throws InputError where the bytes are no such container.
std::string fewer_steps(std::string_view steps, size_t most);

inline constexpr size_t kReportSteps = 3000;

}  // namespace pliant
