#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pliant/study/compare_plan.hpp"
#include "pliant/study/frame_distance.hpp"
#include "pliant/study/member_result.hpp"
#include "pliant/view/report.hpp"

namespace pliant {

/// One member, what it did, and how far it is from the most accurate one.
struct ComparisonRow {
  PlannedMember member;
  MemberResult result;
  int at_once = 1;                             ///< how many members were running side by side
  std::vector<int> threads = {};               ///< of each part, where it was resumed with others
  std::string measured_to;                     ///< the member that its distance is measured to
  std::optional<FrameDistance> distance = {};  ///< left out of the most accurate one itself
  std::optional<double> energy_drift = {};     ///< of the energy at stake, with its sign
  std::string note;                            ///< why something is left out, and whether seconds are mixed
};

/// The member that others of its problem are measured to: of those that are complete the reference, else one
/// without failed steps, with the largest (steps a frame)^(order of its scheme), then the highest order, then
/// the smallest tolerance. -1 where none is complete.
int most_accurate(const std::vector<ComparisonRow>& rows, int problem);

/// Measures energies and distances of what lies in FOLDER/NAME of each member. Reasons for what cannot be
/// measured become notes.
void measure(std::vector<ComparisonRow>& rows, const std::filesystem::path& folder);

/// All there is, a line a member, with the full names of varied keys.
std::string comparison_csv(const std::vector<ComparisonRow>& rows, const std::vector<VariedKey>& varied);

/// The table for people, and the points of its plot.
Comparison to_comparison(const std::vector<ComparisonRow>& rows);

/// Columns under each other, texts to the left and numbers to the right.
std::string aligned(const std::vector<std::string>& columns,
                    const std::vector<std::vector<std::string>>& rows);

/// A field of a CSV file, in quotes where it must be (RFC 4180).
std::string csv_field(const std::string& text);

}  // namespace pliant
