#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pliant/run/simulation.hpp"
#include "pliant/run/totals.hpp"

namespace pliant {

/// The part of summary.json that is needed to read the rest of a run folder.
struct SummaryHead {
  struct Body {
    std::string name;
    int vertices = 0, elements = 0;
    bool sheet = false;         ///< a thin body of triangles
    std::optional<Vec3> color;  ///< as in the model
  };
  struct Obstacle {
    std::string name;
    bool unbounded = false;  ///< has no end, like a plane
  };
  std::string name;
  double frame_rate = 0;  ///< Hz
  std::vector<Body> bodies;
  std::vector<Obstacle> obstacles;
};

SummaryHead::Body head_of(const Body& body);

/// How far a run has come, for summary.json.
struct RunProgress {
  std::string status;  ///< running, completed, interrupted, stopped or failed
  int frames_planned = 0;
  Energies start;  ///< of frame 0
  RunTotals totals;
  std::vector<SummaryHead::Body> bodies;  ///< of frame 0: they may tear
};

/// summary.json: what ran, on what, whether every step converged, totals, seconds by phase, peak memory.
std::string summary_text(const Simulation& simulation, const RunProgress& progress);

/// Throws InputError where the file is missing, no JSON, or not the summary of a run.
SummaryHead read_summary(const std::filesystem::path& path);
bool is_summary(const std::filesystem::path& path);

}  // namespace pliant
