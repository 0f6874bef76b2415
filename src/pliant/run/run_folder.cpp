#include "pliant/run/run_folder.hpp"

#include <exception>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/geometry/body_mesh.hpp"
#include "pliant/geometry/npy.hpp"
#include "pliant/geometry/obj.hpp"
#include "pliant/geometry/vtu.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/run/poses_table.hpp"

namespace pliant {

namespace {

RunBody read_body(const std::filesystem::path& folder, const SummaryHead::Body& entry) {
  const std::filesystem::path file = body_path(folder, entry.name, ".vtu");
  RunBody body{entry.name, body_of(parse_vtu(read_file(file), file.string())), 0, entry.color};
  if (static_cast<int>(body.rest.vertices.size()) != entry.vertices ||
      static_cast<int>(body.rest.element_count()) != entry.elements)
    throw InputError(Complaint{
        file.string(), 0, 0,
        format("holds {} vertices and {} elements where summary.json says {} and {}",
               body.rest.vertices.size(), body.rest.element_count(), entry.vertices, entry.elements)});
  if (entry.sheet) body.rest = make_sheet({std::move(body.rest.vertices), std::move(body.rest.triangles)}, 1);
  return body;
}

/// Side by side, since a large run has many megabytes of them; the complaint is that about the first.
std::vector<RunBody> read_bodies(const std::filesystem::path& folder,
                                 const std::vector<SummaryHead::Body>& entries) {
  std::vector<RunBody> bodies(entries.size());
  std::vector<std::exception_ptr> complaints(entries.size());
  parallel_tasks(std::ssize(entries), [&](Index i) {
    try {
      bodies[i] = read_body(folder, entries[i]);
    } catch (...) {
      complaints[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& complaint : complaints)
    if (complaint) std::rethrow_exception(complaint);
  return bodies;
}

}  // namespace

RunFolder::RunFolder(std::filesystem::path folder) : path_(std::move(folder)) {
  if (!std::filesystem::is_directory(path_))
    throw InputError(Complaint{path_.string(), 0, 0, "there is no such run folder"});
  const SummaryHead head = read_summary(summary_path(path_));
  name_ = head.name;
  frame_rate_ = head.frame_rate;
  bodies_ = read_bodies(path_, head.bodies);
  for (RunBody& body : bodies_) {
    body.first_vertex = vertex_count_;
    vertex_count_ += static_cast<int>(body.rest.vertices.size());
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
