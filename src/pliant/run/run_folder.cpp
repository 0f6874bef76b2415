#include "pliant/run/run_folder.hpp"

#include <algorithm>
#include <exception>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh_file/npy.hpp"
#include "pliant/mesh_file/obj.hpp"
#include "pliant/mesh_file/vtu.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/run/poses_table.hpp"

namespace pliant {

namespace {

/// What the numbers in the meshes of a frame may take in memory, bytes: far more than runs write, and far
/// less than what a file can unpack to that somebody made for this.
constexpr double kMostUnpacked = 1 << 30;

/// What a torn body was made of; empty where it has not torn.
std::vector<int> origin_in(const MeshContents& contents, const SummaryHead::Body& entry,
                           const std::string& file) {
  std::vector<int> origin;
  for (const PointData& field : contents.fields) {
    if (field.name != kOriginField || field.components != 1) continue;
    for (const double number : field.values) {
      if (!(number >= 0 && number < entry.vertices))
        throw InputError(Complaint{file, 0, 0, "names vertices that were not there in frame 0"});
      origin.push_back(static_cast<int>(number));
    }
  }
  return origin;
}

/// The mesh may unpack to `growth` times the size of its file.
RunBody read_body(const std::filesystem::path& file, const SummaryHead::Body& entry, double growth) {
  const std::string text = read_file(file);
  MeshContents contents =
      parse_vtu(text, file.string(), static_cast<std::uint64_t>(growth * static_cast<double>(text.size())));
  std::vector<int> origin = origin_in(contents, entry, file.string());
  RunBody body{entry.name, body_of(std::move(contents)), 0, entry.color, std::move(origin)};
  if (entry.sheet) body.rest = make_sheet({std::move(body.rest.vertices), std::move(body.rest.triangles)}, 1);
  return body;
}

RunBody read_body_of_start(const std::filesystem::path& file, const SummaryHead::Body& entry, double growth) {
  RunBody body = read_body(file, entry, growth);
  const size_t elements =
      body.rest.triangles.empty() ? body.rest.element_count() : body.rest.triangles.size();
  if (static_cast<int>(body.rest.vertices.size()) != entry.vertices ||
      static_cast<int>(elements) != entry.elements)
    throw InputError(Complaint{file.string(), 0, 0,
                               format("holds {} vertices and {} elements where summary.json says {} and {}",
                                      body.rest.vertices.size(), elements, entry.vertices, entry.elements)});
  return body;
}

using ReadBody = RunBody (*)(const std::filesystem::path&, const SummaryHead::Body&, double);

/// Side by side, since a large run has many megabytes of them; the complaint is that about the first.
std::vector<RunBody> read_bodies(const std::vector<SummaryHead::Body>& entries,
                                 FunctionRef<std::filesystem::path(const std::string&)> file_of,
                                 ReadBody read) {
  std::vector<std::filesystem::path> files;
  double size = 1;
  for (const SummaryHead::Body& entry : entries) {
    std::error_code missing;  // to be complained about when it is read
    files.push_back(file_of(entry.name));
    const std::uintmax_t bytes = std::filesystem::file_size(files.back(), missing);
    if (!missing) size += static_cast<double>(bytes);
  }
  std::vector<RunBody> bodies(entries.size());
  std::vector<std::exception_ptr> complaints(entries.size());
  parallel_tasks(std::ssize(entries), [&](Index i) {
    try {
      bodies[i] = read(files[i], entries[i], kMostUnpacked / size);
    } catch (...) {
      complaints[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& complaint : complaints)
    if (complaint) std::rethrow_exception(complaint);
  int first = 0;
  for (RunBody& body : bodies) {
    body.first_vertex = first;
    first += static_cast<int>(body.rest.vertices.size());
  }
  return bodies;
}

}  // namespace

RunFolder::RunFolder(std::filesystem::path folder) : path_(std::move(folder)) {
  if (!std::filesystem::is_directory(path_))
    throw InputError(Complaint{path_.string(), 0, 0, "there is no such run folder"});
  const SummaryHead head = read_summary(summary_path(path_));
  name_ = head.name;
  frame_rate_ = head.frame_rate;
  heads_ = head.bodies;
  bodies_ = std::make_shared<const std::vector<RunBody>>(read_bodies(
      heads_, [&](const std::string& body) { return body_path(path_, body, ".vtu"); }, read_body_of_start));
  while (std::filesystem::exists(frame_path(path_, frame_count_))) ++frame_count_;
  // After the frames were counted: the poses of a frame are there before it is.
  if (!head.obstacles.empty()) read_obstacles(head);
}

int RunFolder::vertex_count() const { return pliant::vertex_count(*bodies_); }

/// Frames before which some body has torn, up to `frame`, the latest first.
std::vector<int> RunFolder::torn_frames(int frame) const {
  std::vector<int> frames;
  for (const auto& entry : std::filesystem::directory_iterator(path_ / "bodies")) {
    const std::optional<int> torn = frame_number(entry.path().filename().string());
    if (torn && *torn <= frame) frames.push_back(*torn);
  }
  std::sort(frames.rbegin(), frames.rend());
  return frames;
}

std::filesystem::path RunFolder::file_in(int frame, const std::string& body) const {
  for (const int torn : torn_frames(frame))
    if (std::filesystem::exists(torn_body_path(path_, torn, body))) return torn_body_path(path_, torn, body);
  return body_path(path_, body, ".vtu");
}

int RunFolder::bodies_since(int frame) const {
  const std::vector<int> torn = torn_frames(frame);
  return torn.empty() ? 0 : torn.front();
}

std::shared_ptr<const std::vector<RunBody>> RunFolder::bodies_in(int frame) const {
  const int since = bodies_since(frame);
  if (since == 0) return bodies_;
  const std::lock_guard lock(busy_);
  if (torn_since_ != since) {
    torn_ = std::make_shared<const std::vector<RunBody>>(read_bodies(
        heads_, [&](const std::string& body) { return file_in(since, body); }, read_body));
    torn_since_ = since;
  }
  return torn_;
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

int vertex_count(const std::vector<RunBody>& bodies) {
  int count = 0;
  for (const RunBody& body : bodies) count += static_cast<int>(body.rest.vertices.size());
  return count;
}

std::vector<Vec3> RunFolder::frame(int index) const {
  const std::filesystem::path file = frame_path(path_, index);
  const NpyArray array = read_npy(file);
  const int vertices = pliant::vertex_count(*bodies_in(index));
  if (array.rows != vertices || array.columns != 3)
    throw InputError(Complaint{file.string(), 0, 0,
                               format("holds {} x {} numbers where the bodies have {} vertices", array.rows,
                                      array.columns, vertices)});
  std::vector<Vec3> positions(static_cast<size_t>(vertices));
  for (size_t i = 0; i < positions.size(); ++i)
    positions[i] = {array.values[3 * i], array.values[3 * i + 1], array.values[3 * i + 2]};
  return positions;
}

}  // namespace pliant
