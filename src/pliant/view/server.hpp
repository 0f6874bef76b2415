#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "pliant/view/live_run.hpp"
#include "pliant/view/visits.hpp"

namespace pliant {

/// Serves the viewer's page and the runs it shows to browsers on this machine, and to nobody else: it listens
/// on 127.0.0.1 only, answers only requests that were meant for it (Host, Origin), and reads nothing outside
/// the folders it was given. As others may use the machine too, it shows nothing of a run without a word that
/// only its link tells: the token, which allows commands as well, or the key, which allows to look and which
/// the page puts into links to pass on.
///
///     LabServer server;
///     server.add("out/demo");
///     server.start();
///     show(server.link());
class LabServer {
 public:
  /// Takes the port, any free one where it is 0. Throws InputError where it is in use.
  explicit LabServer(int port = 0);
  /// Ends all connections.
  ~LabServer();
  LabServer(const LabServer&) = delete;
  LabServer& operator=(const LabServer&) = delete;

  /// Adds a run before the start; `live`, where there is one, is its hand and must outlive this. A folder
  /// that is damaged is shown as such: the complaint is returned. Throws InputError where there is no run at
  /// all in the folder.
  std::optional<std::string> add(const std::filesystem::path& folder, LiveRun* live = nullptr);

  /// Answers from now on, in threads of its own.
  void start();

  int port() const;
  /// For the person who started it: with the token.
  std::string link() const;
  Visits visits() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pliant
