#include "pliant/view/report.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/log.hpp"
#include "pliant/base/text.hpp"
#include "pliant/base/version.hpp"
#include "pliant/mesh_file/compression.hpp"
#include "pliant/view/container.hpp"
#include "pliant/view/page.hpp"
#include "pliant/view/report_frames.hpp"
#include "pliant/view/report_steps.hpp"
#include "pliant/view/shown_run.hpp"

namespace pliant {

namespace {

constexpr double kMostBytes = 20e6;  // what mail still takes

using ShownRuns = std::vector<std::unique_ptr<ShownRun>>;

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63U];
  }
  return text;
}

Json to_json(const Comparison& comparison) {
  Json points = Json::array();
  for (const Comparison::Point& point : comparison.points)
    points.push_back({{"name", point.name}, {"seconds", point.seconds}, {"error", point.error}});
  return {{"columns", comparison.columns}, {"rows", comparison.rows}, {"points", points}};
}

/// What the page is told of a run: frames count those in the report, fields are those it computes itself.
Json report_head(const ShownRun& run, int id, int every) {
  Json head = Json::parse(run.head(id));
  head["folder"] = std::filesystem::absolute(run.folder().path()).lexically_normal().filename().string();
  head["frames"] = report_frame_count(run.frames(), every);
  head["frames_planned"] = report_frame_count(run.frames(), every) - 1;
  head["frame_rate"] = run.folder().frame_rate() / every;
  Json fields = Json::array();
  for (const Json& field : head["fields"])
    if (field["name"] == "displacement" || field["name"] == "speed") fields.push_back(field);
  head["fields"] = std::move(fields);
  return head;
}

std::string session_json(const ShownRuns& runs, const ReportOptions& options, int every) {
  Json list = Json::array();
  for (size_t i = 0; i < runs.size(); ++i) list.push_back(report_head(*runs[i], static_cast<int>(i), every));
  Json session = {
      {"version", version()}, {"live", false}, {"runs", std::move(list)}, {"errors", Json::array()}};
  if (options.comparison) session["comparison"] = to_json(*options.comparison);
  return session.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string report_text(const ShownRuns& runs, const ReportOptions& options, int every) {
  const std::string session = session_json(runs, options, every);
  std::deque<std::string> parts;  // what the writer refers to, which stays where it is
  ContainerWriter container;
  container.add("session", std::string_view(session));
  for (size_t i = 0; i < runs.size(); ++i) {
    ReportFilm film = report_film(*runs[i], every);
    container.add(format("frames/{}", i), std::string_view(parts.emplace_back(std::move(film.frames))));
    for (size_t k = 0; k < film.meshes.size(); ++k)
      container.add(k == 0 ? format("mesh/{}", i) : format("mesh/{}/{}", i, k),
                    std::string_view(parts.emplace_back(std::move(film.meshes[k]))));
    container.add(format("steps/{}", i),
                  std::string_view(parts.emplace_back(fewer_steps(runs[i]->steps().from(0), kReportSteps))));
  }
  const std::string_view page = viewer_page();
  const size_t marker = page.find(kDataMarker);
  if (marker == std::string_view::npos)
    throw InputError("the page of this program has no place for a report's data; build it again");
  return std::string(page.substr(0, marker))
      .append(R"(<script type="text/plain" id="pliant-data">)")
      .append(base64(deflated(container.finish())))
      .append("</script>")
      .append(page.substr(marker + kDataMarker.size()));
}

int most_frames(const ShownRuns& runs) {
  int most = 0;
  for (const auto& run : runs) most = std::max(most, run->frames());
  return most;
}

/// So many frames are left out that the coder, which rarely gets below a tenth, has a chance.
int first_guess(const ShownRuns& runs) {
  double bytes = 0;
  for (const auto& run : runs) {
    const ShownSurface& surface = run->surface();
    bytes += 6.0 * static_cast<double>(surface.vertex_of.size()) * run->frames();
    std::set<int> bodies;
    for (int frame = 0; frame < run->frames(); ++frame) bodies.insert(run->folder().bodies_since(frame));
    bytes += 4.0 * static_cast<double>((surface.triangles.size() + surface.lines.size()) * bodies.size());
  }
  return std::max(1, static_cast<int>(bytes / (10 * kMostBytes)));
}

/// As many frames as fit, or as were asked for.
std::string fitting_report(const ShownRuns& runs, const ReportOptions& options, int& every) {
  every = options.every > 0 ? options.every : first_guess(runs);
  while (true) {
    std::string text = report_text(runs, options, every);
    const double excess = static_cast<double>(text.size()) / kMostBytes;
    if (options.every > 0 || excess <= 1 || every >= most_frames(runs)) return text;
    every = std::max(every + 1, static_cast<int>(std::ceil(every * excess)));
  }
}

}  // namespace

void write_report(const ReportOptions& options) {
  if (options.runs.empty()) throw InputError("a report needs at least one run");
  if (options.every < 0) throw InputError("every must be at least 1: it says which frames to take");
  ShownRuns runs;
  for (const std::filesystem::path& folder : options.runs) {
    runs.push_back(std::make_unique<ShownRun>(folder));
    if (runs.back()->frames() == 0)
      throw InputError(Complaint{folder.string(), 0, 0, "the run has no frames yet"});
  }
  int every = 1;
  const std::string text = fitting_report(runs, options, every);
  write_file_atomically(options.output, text);
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  log::info(format("{}: {:.1f} MB, {}", options.output.string(), megabytes,
                   every == 1 ? "every frame" : format("one frame of {}", every)));
  if (static_cast<double>(text.size()) > kMostBytes)
    log::warn(
        format("that is more than {:.0f} MB; leave out frames with --every, or runs", kMostBytes / 1e6));
}

}  // namespace pliant
