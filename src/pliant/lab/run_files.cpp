#include "pliant/lab/run_files.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/run/summary.hpp"

namespace pliant {

namespace {

[[noreturn]] void complain(const std::filesystem::path& path, const char* message) {
  throw InputError(Complaint{path.string(), 0, 0, message});
}

/// Names become file names; those that a run writes have no folder in them.
void require_plain_name(const std::filesystem::path& summary, const std::string& name) {
  if (name.empty() || name.starts_with('.') || name.find('/') != std::string::npos ||
      name.find('\0') != std::string::npos)
    complain(summary, "names a body or an obstacle that could not be the name of a file");
}

}  // namespace

RunFiles::RunFiles(const std::filesystem::path& folder) : folder_(folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder_, error)) complain(folder_, "there is no such run folder");
  real_ = std::filesystem::canonical(folder_, error);
  if (error) complain(folder_, "this folder cannot be read");
}

std::filesystem::path RunFiles::inside(const std::filesystem::path& relative) const {
  const std::filesystem::path path = folder_ / relative;
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) complain(path, "there is no such file");
  const auto [folder_end, rest] = std::mismatch(real_.begin(), real_.end(), real.begin(), real.end());
  if (folder_end != real_.end())
    complain(path, "leads out of the run folder and is not read; put the file itself there");
  if (!std::filesystem::is_regular_file(real, error)) complain(path, "this is not a file");
  return path;
}

bool RunFiles::has(const std::filesystem::path& relative) const {
  std::error_code error;
  return std::filesystem::exists(folder_ / relative, error);
}

void RunFiles::require_all_inside() const {
  const auto require = [&](const std::filesystem::path& path) { inside(path.lexically_relative(folder_)); };
  require(summary_path(folder_));
  const SummaryHead head = read_summary(summary_path(folder_));
  for (const SummaryHead::Body& body : head.bodies) {
    require_plain_name(summary_path(folder_), body.name);
    require(body_path(folder_, body.name, ".vtu"));
  }
  for (const SummaryHead::Obstacle& obstacle : head.obstacles) {
    require_plain_name(summary_path(folder_), obstacle.name);
    require(obstacle_path(folder_, obstacle.name));
  }
  if (!head.obstacles.empty()) require(poses_path(folder_));
}

}  // namespace pliant
