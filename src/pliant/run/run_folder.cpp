#include "pliant/run/run_folder.hpp"

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/geometry/body_mesh.hpp"
#include "pliant/geometry/npy.hpp"
#include "pliant/geometry/obj.hpp"
#include "pliant/geometry/vtu.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/run/poses_table.hpp"

namespace pliant {

RunFolder::RunFolder(std::filesystem::path folder) : path_(std::move(folder)) {
  if (!std::filesystem::is_directory(path_))
    throw InputError(Complaint{path_.string(), 0, 0, "there is no such run folder"});
  const SummaryHead head = read_summary(summary_path(path_));
  name_ = head.name;
  frame_rate_ = head.frame_rate;
  for (const SummaryHead::Body& entry : head.bodies) {
    const std::filesystem::path file = body_path(path_, entry.name, ".vtu");
    RunBody body{entry.name, body_of(parse_vtu(read_file(file), file.string())), vertex_count_, entry.color};
    if (static_cast<int>(body.rest.vertices.size()) != entry.vertices ||
        static_cast<int>(body.rest.element_count()) != entry.elements)
      throw InputError(Complaint{
          file.string(), 0, 0,
          format("holds {} vertices and {} elements where summary.json says {} and {}",
                 body.rest.vertices.size(), body.rest.element_count(), entry.vertices, entry.elements)});
    if (entry.sheet)
      body.rest = make_sheet({std::move(body.rest.vertices), std::move(body.rest.triangles)}, 1);
    vertex_count_ += entry.vertices;
    bodies_.push_back(std::move(body));
  }
  while (std::filesystem::exists(frame_path(path_, frame_count_))) ++frame_count_;
  // After the frames were counted: the poses of a frame are there before it is.
  if (!head.obstacles.empty()) read_obstacles(head);
}

void RunFolder::read_obstacles(const SummaryHead& head) {
  std::vector<std::string> names;
  for (const SummaryHead::Obstacle& entry : head.obstacles) {
    const std::string file = obstacle_path(path_, entry.name).string();
    MeshContents contents = parse_obj(read_file(file), file);
    obstacles_.push_back(
        {entry.name, {std::move(contents.vertices), std::move(contents.triangles)}, entry.unbounded, {}});
    names.push_back(entry.name);
  }
  const std::string file = poses_path(path_).string();
  std::vector<std::vector<Pose>> poses = parse_poses(read_file(file), names, file);
  for (size_t i = 0; i < obstacles_.size(); ++i) {
    obstacles_[i].poses = std::move(poses[i]);
    if (std::ssize(obstacles_[i].poses) < frame_count_)
      throw InputError(
          Complaint{file, 0, 0,
                    format("holds the poses of {} frames of obstacle {} where there are {} frames",
                           obstacles_[i].poses.size(), names[i], frame_count_)});
  }
}

std::vector<Vec3> RunFolder::frame(int index) const {
  const std::filesystem::path file = frame_path(path_, index);
  const NpyArray array = read_npy(file);
  if (array.rows != vertex_count_ || array.columns != 3)
    throw InputError(Complaint{file.string(), 0, 0,
                               format("holds {} x {} numbers where the bodies have {} vertices", array.rows,
                                      array.columns, vertex_count_)});
  std::vector<Vec3> positions(static_cast<size_t>(vertex_count_));
  for (size_t i = 0; i < positions.size(); ++i)
    positions[i] = {array.values[3 * i], array.values[3 * i + 1], array.values[3 * i + 2]};
  return positions;
}

}  // namespace pliant
