#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pliant/geometry/tet_mesh.hpp"
#include "pliant/potential/motion.hpp"
#include "pliant/run/summary.hpp"

namespace pliant {

/// One body of a finished or running simulation, as stored in its run folder.
struct RunBody {
  std::string name;
  TetMesh rest;
  int first_vertex = 0;       ///< where its vertices start in a frame
  std::optional<Vec3> color;  ///< red, green and blue from 0 to 1
};

/// An obstacle, as stored in a run folder.
struct RunObstacle {
  std::string name;
  TriangleMesh surface;     ///< before the motion
  bool unbounded = false;   ///< has no end, like a plane; the surface is a part of it
  std::vector<Pose> poses;  ///< in each frame, at least as many as there are; without their speeds
};

/// Reads a run folder: what was simulated, and the positions of each frame. Throws InputError where the
/// folder is not one or is damaged. The number of frames is what is on the disk, so a folder still being
/// written to can be read.
class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path folder);

  const std::filesystem::path& path() const { return path_; }
  const std::string& name() const { return name_; }
  double frame_rate() const { return frame_rate_; }
  const std::vector<RunBody>& bodies() const { return bodies_; }
  /// None in folders written before there were any.
  const std::vector<RunObstacle>& obstacles() const { return obstacles_; }
  int vertex_count() const { return vertex_count_; }
  int frame_count() const { return frame_count_; }

  /// Positions of all vertices of all bodies, in the order of `bodies()`.
  std::vector<Vec3> frame(int index) const;

 private:
  void read_obstacles(const SummaryHead& head);

  std::filesystem::path path_;
  std::string name_;
  double frame_rate_ = 0;
  std::vector<RunBody> bodies_;
  std::vector<RunObstacle> obstacles_;
  int vertex_count_ = 0;
  int frame_count_ = 0;
};

}  // namespace pliant
