#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/view/live_run.hpp"
#include "pliant/view/watched_run.hpp"

namespace pliant {

/// An answer to a page.
struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body;

  /// {"message": ...}
  static Reply complaint(int status, const std::string& message);
};

/// The runs that a page shows, and the answers to what it asks; how questions come is not its business.
/// Answers may be asked for by many threads.
///
/// | path                         | answer |
/// | ---------------------------- | ------ |
/// | /api/session                 | {version, key, live, runs, summaries, errors} |
/// | /api/status                  | {runs: [{id, generation, summary, frames, steps, state, message}]} |
/// | /api/runs/K/head             | ShownRun::head |
/// | /api/runs/K/mesh             | ShownRun::mesh, of frame 0 |
/// | /api/runs/K/mesh/N           | the same of another frame |
/// | /api/runs/K/frames/N         | ShownRun::frame |
/// | /api/runs/K/fields/NAME/N    | ShownRun::field |
/// | /api/runs/K/steps?from=R     | StepRows::from |
class LabSession {
 public:
  /// `key` is the word that lets one look, which those who may are told so that they can pass it on.
  explicit LabSession(std::string key) : key_(std::move(key)) {}

  /// See LabServer::add.
  std::optional<std::string> add(const std::filesystem::path& folder, LiveRun* live = nullptr);

  /// Of a path without its question mark, and what was given as `from`. Never throws.
  Reply get(std::string_view path, const std::string& from) const;

  /// {"run": K, "command": "pause" | "continue" | "stop"}. Never throws.
  Reply command(const std::string& body) const;

 private:
  struct Failure {
    std::string folder, message;
  };

  Reply answer(std::string_view path, const std::string& from) const;
  Reply answer_of_run(int id, const std::vector<std::string_view>& words, const std::string& from) const;
  std::string session() const;
  std::string status() const;

  std::string key_;
  std::vector<std::unique_ptr<WatchedRun>> runs_;
  std::vector<Failure> failures_;
};

}  // namespace pliant
