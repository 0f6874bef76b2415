#include "pliant/study/member_result.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/text.hpp"
#include "pliant/base/version.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/view/csv.hpp"

namespace pliant {

namespace fs = std::filesystem;

namespace {

void read_numbers(const Json& summary, MemberResult& result) {
  result.seconds = summary.at("seconds").at("total").get<double>();
  result.steps = summary.at("steps").get<std::int64_t>();
  result.converged = summary.at("steps_converged").get<std::int64_t>();
  result.failed = result.steps - result.converged - summary.at("steps_as_asked").get<std::int64_t>();
  result.iterations = summary.at("iterations").get<std::int64_t>();
  result.linear_solves = summary.at("linear_solves").get<std::int64_t>();
  result.threads = summary.at("threads").get<int>();
  result.energy_start =
      summary.at("start").at("total").is_number() ? summary["start"]["total"].get<double>() : 0;
  result.has_numbers = true;
}

void read_end(const Json& summary, const PlannedMember& member, MemberResult& result) {
  const std::string status = summary.at("status").get<std::string>();
  const int frames = summary.at("frames").get<int>();
  result.complete = status == "completed" && frames == member.frames;
  result.finished = result.complete || status == "stopped";
  if (!result.finished) return;
  result.exit_code = result.failed > 0 ? 3 : 0;
  const std::string failed = format("{} step{} failed", result.failed, result.failed == 1 ? "" : "s");
  result.status = status == "stopped" ? format("stopped after frame {}", frames)
                  : result.failed > 0 ? failed
                                      : "done";
  if (!summary.at("not_converged").empty())
    result.message = summary["not_converged"].front().at("message").get<std::string>();
}

/// The fields of a row with the columns that are asked for; false where one is missing or no number.
class RowReader {
 public:
  /// Nothing where the header lacks a column.
  static std::optional<RowReader> of(std::string_view header, const std::vector<std::string_view>& columns) {
    RowReader reader;
    for (const std::string_view column : columns) {
      const std::vector<std::string_view> names = fields_of(header);
      const auto found = std::ranges::find(names, column);
      if (found == names.end()) return std::nullopt;
      reader.places_.push_back(static_cast<size_t>(found - names.begin()));
    }
    return reader;
  }

  bool read(std::string_view row, std::vector<double>& values) const {
    const std::vector<std::string_view> fields = fields_of(row);
    values.clear();
    for (const size_t place : places_) {
      if (place >= fields.size() || fields[place].empty()) return false;
      const std::optional<double> value = number_in(fields[place]);
      if (!value) return false;
      values.push_back(*value);
    }
    return true;
  }

 private:
  static std::vector<std::string_view> fields_of(std::string_view row) {
    std::vector<std::string_view> fields;
    while (!row.empty()) fields.push_back(take_field(row));
    return fields;
  }

  std::vector<size_t> places_;
};

}  // namespace

MemberResult read_result(const fs::path& folder, const PlannedMember& member) {
  MemberResult result;
  try {
    const Json summary = parse_json(read_file(summary_path(folder)));
    if (summary.at("build").get<std::string>() != build_id()) return result;
    if (read_file(folder / "scene.toml") != member.scene_text) return result;
    read_numbers(summary, result);
    read_end(summary, member, result);
  } catch (const InputError&) {  // not begun
    return {};
  } catch (const Json::exception&) {  // not a summary of ours
    return {};
  }
  return result;
}

void note_broken_end(MemberResult& result, int exit_code, int signal, const fs::path& output) {
  result.exit_code = exit_code;
  if (signal != 0) {
    result.status = format("killed (signal {})", signal);
    result.message = format("ended by signal {}: {}", signal, ::strsignal(signal));
    return;
  }
  result.status = format("exit code {}", exit_code);
  try {
    result.message = last_line(read_file(output));
  } catch (const InputError&) {  // it said nothing
  }
}

std::optional<EnergyDrift> energy_drift(std::string_view steps, double energy_start) {
  enum Column { kinetic, elastic, total, script, attachment, contact, friction, damping, tear };
  const size_t header_end = std::min(steps.find('\n'), steps.size());
  const std::optional<RowReader> reader = RowReader::of(
      steps.substr(0, header_end), {"kinetic", "elastic", "total", "work_script", "work_attachment",
                                    "work_contact", "work_friction", "loss_damping", "loss_tear"});
  if (!reader) return std::nullopt;
  EnergyDrift drift;
  double work = 0;
  std::vector<double> row;
  for (size_t begin = header_end + 1; begin < steps.size();) {
    const size_t end = std::min(steps.find('\n', begin), steps.size());
    if (!reader->read(steps.substr(begin, end - begin), row)) return std::nullopt;
    work += row[script] + row[attachment] + row[contact] + row[friction] - row[damping] - row[tear];
    const double now = row[total] - energy_start - work;
    if (std::isnan(now) || std::abs(now) > std::abs(drift.largest)) drift.largest = now;
    drift.scale = std::max(drift.scale, row[kinetic] + row[elastic]);
    begin = end + 1;
  }
  return drift;
}

std::string last_line(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t last = text.find_last_not_of(kBlank);
  if (last == std::string_view::npos) return "";
  text = text.substr(0, last + 1);
  const size_t before = text.rfind('\n');
  return std::string(before == std::string_view::npos ? text : text.substr(before + 1));
}

}  // namespace pliant
