#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/potential/motion.hpp"
#include "pliant/run/summary.hpp"

namespace pliant {

/// One body of a finished or running simulation, as stored in its run folder.
struct RunBody {
  std::string name;
  TetMesh rest;
  int first_vertex = 0;       ///< where its vertices start in a frame
  std::optional<Vec3> color;  ///< red, green and blue from 0 to 1
  /// Of a body that has torn, for each vertex its number in the body of frame 0.
  std::vector<int> origin = {};
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
  /// As they are in frame 0.
  const std::vector<RunBody>& bodies() const { return *bodies_; }
  /// The first of the frames up to this one that have its bodies: 0 where nothing has torn. May be called
  /// from many threads at once, as may the next.
  int bodies_since(int frame) const;
  /// As they are in a frame.
  std::shared_ptr<const std::vector<RunBody>> bodies_in(int frame) const;
  /// None in folders written before there were any.
  const std::vector<RunObstacle>& obstacles() const { return obstacles_; }
  /// In frame 0.
  int vertex_count() const;
  int frame_count() const { return frame_count_; }

  /// Positions of all vertices of all bodies, in the order of `bodies_in(index)`.
  std::vector<Vec3> frame(int index) const;

 private:
  void read_obstacles(const SummaryHead& head);
  std::vector<int> torn_frames(int frame) const;
  std::filesystem::path file_in(int frame, const std::string& body) const;

  std::filesystem::path path_;
  std::string name_;
  double frame_rate_ = 0;
  std::shared_ptr<const std::vector<RunBody>> bodies_;
  std::vector<RunObstacle> obstacles_;
  int frame_count_ = 0;
  std::vector<SummaryHead::Body> heads_;

  mutable std::mutex busy_;
  mutable int torn_since_ = 0;  ///< what was read last
  mutable std::shared_ptr<const std::vector<RunBody>> torn_;
};

int vertex_count(const std::vector<RunBody>& bodies);

}  // namespace pliant
