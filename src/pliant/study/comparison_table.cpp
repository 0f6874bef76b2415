#include "pliant/study/comparison_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace fs = std::filesystem;

namespace {

/// The larger, the more accurate.
std::tuple<bool, bool, double, int, double> accuracy(const ComparisonRow& row) {
  const double steps = static_cast<double>(row.result.steps) / std::max(1, row.member.frames);
  return {row.member.is_reference, row.result.failed == 0, row.member.order * std::log(std::max(steps, 1e-9)),
          row.member.order, -row.member.tolerance};
}

/// Why the distance between two members means nothing; empty where it does.
std::string why_not_comparable(const ComparisonRow& row, const ComparisonRow& to, const fs::path& folder) {
  if (!row.result.complete) return "no distance: it did not reach its last frame";
  if (row.member.vertices != to.member.vertices)
    return format("no distance: it has {} vertices, {} has {}", row.member.vertices, to.member.name,
                  to.member.vertices);
  if (row.member.frame_rate != to.member.frame_rate || row.member.frames != to.member.frames)
    return format("no distance: its frames are at other times than those of {}", to.member.name);
  const std::optional<int> torn = first_torn_frame(folder / row.member.name),
                           other = first_torn_frame(folder / to.member.name);
  constexpr int kNever = std::numeric_limits<int>::max();
  if (torn || other)
    return format("no distance: bodies have torn, from frame {} on",
                  std::min(torn.value_or(kNever), other.value_or(kNever)));
  return "";
}

void measure_energy(std::vector<ComparisonRow>& rows, const fs::path& folder) {
  std::vector<std::optional<EnergyDrift>> drifts(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].result.has_numbers) continue;
    try {
      drifts[i] =
          energy_drift(read_file(folder / rows[i].member.name / "steps.csv"), rows[i].result.energy_start);
    } catch (const InputError& error) {
      rows[i].note = error.what();
    }
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!drifts[i]) continue;
    const int best = most_accurate(rows, rows[i].member.problem);
    const auto& scale =
        best >= 0 && drifts[static_cast<size_t>(best)] ? drifts[static_cast<size_t>(best)] : drifts[i];
    if (scale->scale > 0) rows[i].energy_drift = drifts[i]->largest / scale->scale;
  }
}

/// Seconds of parts with different numbers of threads mean little together.
void note_threads(ComparisonRow& row) {
  if (row.threads.size() < 2) return;
  std::string counts;
  for (const int count : row.threads) counts += format("{}{}", counts.empty() ? "" : ", then ", count);
  row.note += format("{}its seconds are mixed: it ran with {} threads", row.note.empty() ? "" : "; ", counts);
}

std::string rounded(double number) { return format("{:.3g}", number); }

std::string per_step(const MemberResult& result) {
  return result.steps > 0
             ? format("{:.1f}", static_cast<double>(result.iterations) / static_cast<double>(result.steps))
             : "";
}

bool is_to_the_right(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.+-e/%inf") == std::string::npos;
}

/// Characters, as far as a terminal shows one for each code point.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

int most_accurate(const std::vector<ComparisonRow>& rows, int problem) {
  int best = -1;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].member.problem != problem || !rows[i].result.complete) continue;
    if (best < 0 || accuracy(rows[static_cast<size_t>(best)]) < accuracy(rows[i])) best = static_cast<int>(i);
  }
  return best;
}

void measure(std::vector<ComparisonRow>& rows, const fs::path& folder) {
  measure_energy(rows, folder);
  for (ComparisonRow& row : rows) {
    const int wanted = row.member.reference;
    const bool there = wanted >= 0 && rows[static_cast<size_t>(wanted)].result.complete;
    const int best = there ? wanted : most_accurate(rows, row.member.problem);
    if (best < 0 || &rows[static_cast<size_t>(best)] == &row) {
      const auto others = std::count_if(rows.begin(), rows.end(), [&](const ComparisonRow& other) {
        return other.member.problem == row.member.problem;
      });
      if (others == 1 && !row.member.is_reference)
        row.note = "no distance: no other member simulates the same thing";
      continue;
    }
    const ComparisonRow& to = rows[static_cast<size_t>(best)];
    if (const std::string why = why_not_comparable(row, to, folder); !why.empty()) {
      row.note = why;
      continue;
    }
    row.measured_to = to.member.name;
    try {
      row.distance = frame_distance(folder / row.member.name, folder / to.member.name, row.member.frames);
    } catch (const InputError& error) {
      row.note = format("no distance: {}", error.what());
    }
  }
  for (ComparisonRow& row : rows) note_threads(row);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string comparison_csv(const std::vector<ComparisonRow>& rows, const std::vector<VariedKey>& varied) {
  const auto line_of = [](const std::vector<std::string>& fields) {
    std::string line;
    for (const std::string& field : fields) line += format("{}{}", line.empty() ? "" : ",", csv_field(field));
    return line + "\n";
  };
  std::vector<std::string> header = {"member"};
  for (const VariedKey& key : varied) header.push_back(key.key);
  for (const char* column :
       {"status", "exit_code", "seconds", "steps", "iterations", "iterations_per_step", "linear_solves",
        "steps_converged", "steps_failed", "energy_drift", "distance", "distance_largest",
        "distance_largest_frame", "distance_last", "measured_to", "threads", "at_once", "message", "note"})
    header.emplace_back(column);
  std::string text = line_of(header);
  const auto number = [](double value) { return format("{:.9g}", value); };
  for (const ComparisonRow& row : rows) {
    const MemberResult& result = row.result;
    std::vector<std::string> fields = {row.member.name};
    fields.insert(fields.end(), row.member.values.begin(), row.member.values.end());
    fields.insert(fields.end(), {result.status, format("{}", result.exit_code)});
    if (result.has_numbers)
      fields.insert(fields.end(),
                    {number(result.seconds), format("{}", result.steps), format("{}", result.iterations),
                     per_step(result), format("{}", result.linear_solves), format("{}", result.converged),
                     format("{}", result.failed)});
    else
      fields.insert(fields.end(), 7, "");
    fields.push_back(row.energy_drift ? number(*row.energy_drift) : "");
    if (row.distance)
      fields.insert(fields.end(), {number(row.distance->mean), number(row.distance->largest),
                                   format("{}", row.distance->largest_frame), number(row.distance->last)});
    else
      fields.insert(fields.end(), 4, "");
    fields.insert(fields.end(), {row.measured_to, result.has_numbers ? format("{}", result.threads) : "",
                                 format("{}", row.at_once), result.message, row.note});
    text += line_of(fields);
  }
  return text;
}

Comparison to_comparison(const std::vector<ComparisonRow>& rows) {
  Comparison comparison;
  comparison.columns = {"member",          "status",        "seconds",   "steps",
                        "iterations/step", "linear solves", "converged", "energy drift",
                        "distance",        "largest",       "at the end"};
  for (const ComparisonRow& row : rows) {
    const MemberResult& result = row.result;
    std::vector<std::string> cells = {row.member.name, result.status};
    if (result.has_numbers)
      cells.insert(cells.end(),
                   {format("{:.2f}", result.seconds), format("{}", result.steps), per_step(result),
                    format("{}", result.linear_solves), format("{}/{}", result.converged, result.steps)});
    else
      cells.insert(cells.end(), 5, "-");
    cells.push_back(row.energy_drift ? format("{:+.1e}", *row.energy_drift) : "-");
    const bool is_measure = std::any_of(rows.begin(), rows.end(), [&](const ComparisonRow& other) {
      return other.measured_to == row.member.name;
    });
    if (row.distance)
      cells.insert(cells.end(), {rounded(row.distance->mean), rounded(row.distance->largest),
                                 rounded(row.distance->last)});
    else
      cells.insert(cells.end(), {!is_measure               ? "-"
                                 : row.member.is_reference ? "reference"
                                                           : "most accurate",
                                 "-", "-"});
    comparison.rows.push_back(std::move(cells));
    if (row.distance && std::isfinite(row.distance->mean) && result.has_numbers)
      comparison.points.push_back({row.member.name, result.seconds, row.distance->mean});
  }
  return comparison;
}

std::string aligned(const std::vector<std::string>& columns,
                    const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  std::vector<bool> right(columns.size(), false);
  for (size_t c = 0; c < columns.size(); ++c) {
    size_t width = width_of(columns[c]);
    for (const auto& row : rows) {
      width = std::max(width, width_of(row[c]));
      right[c] = right[c] || is_to_the_right(row[c]);
    }
    widths.push_back(width);
  }
  right[0] = false;
  const auto line_of = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (size_t c = 0; c < cells.size(); ++c) {
      const std::string blanks(widths[c] - width_of(cells[c]), ' ');
      line += (c > 0 ? "  " : "") + (right[c] ? blanks + cells[c] : cells[c] + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  };
  std::string text = line_of(columns);
  for (const auto& row : rows) text += line_of(row);
  return text;
}

}  // namespace pliant
