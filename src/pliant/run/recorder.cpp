#include "pliant/run/recorder.hpp"

#include <algorithm>
#include <utility>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/base/version.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh/tear.hpp"
#include "pliant/mesh_file/npy.hpp"
#include "pliant/mesh_file/obj.hpp"
#include "pliant/mesh_file/vtu.hpp"
#include "pliant/run/checkpoint.hpp"
#include "pliant/run/poses_table.hpp"

namespace pliant {

namespace fs = std::filesystem;

namespace {

std::string frame_bytes(const Vector& x) {
  const std::vector<float> values(x.data(), x.data() + x.size());
  return npy_bytes(values, x.size() / 3, 3);
}

std::vector<size_t> element_counts(const Model& model) {
  std::vector<size_t> counts;
  for (const Body& body : model.bodies) counts.push_back(cell_count(body.rest));
  return counts;
}

void require_file_name(const char* what, const std::string& name) {
  if (name.empty() || name.starts_with('.') || name.find('/') != std::string::npos)
    throw InputError(
        format("{} \"{}\": a name becomes a file name, so it must not be empty, start with a dot or contain "
               "a slash",
               what, name));
}

}  // namespace

Recorder::Recorder(const Simulation& simulation, const OutputFolder& folder)
    : simulation_(simulation),
      folder_(folder.path()),
      scene_hash_(scene_hash(simulation)),
      elements_(element_counts(*simulation.model)) {}

void Recorder::begin(const RunProgress& progress) {
  // The summary comes first: it marks the folder as a run's.
  write_summary(progress);
  write_scene();
  write_bodies();
  write_obstacles();
  write_poses(progress);
  create_folders(folder_ / "frames");
  steps_ = std::make_unique<AppendedFile>(folder_ / "steps.csv", 0);
  table_.emplace(progress.start);
  steps_->append(table_->header());
  write_frame(progress.totals);
}

void Recorder::restore(Simulation& simulation, RunProgress& progress) {
  const std::string file = checkpoint_path(folder_).string();
  Checkpoint checkpoint = decode(read_file(file), file);
  require_same(checkpoint, scene_hash_, build_id(), file);
  simulation.state = std::move(checkpoint.state);
  if (simulation.tearing) try {
      simulation.tearing->restore(simulation);
    } catch (const InputError& error) {
      throw InputError(Complaint{file, 0, 0, error.what()});
    }
  const Index size = 3 * Index{simulation.model->vertex_count()};
  if (simulation.state.x.size() != size || simulation.state.v.size() != size)
    throw InputError(Complaint{file, 0, 0, "the checkpoint has another number of vertices than the scene"});
  elements_ = element_counts(*simulation.model);
  require_frames(checkpoint.totals.frames);
  steps_ = std::make_unique<AppendedFile>(folder_ / "steps.csv", checkpoint.steps_length);
  table_.emplace(progress.start);
  progress.totals = std::move(checkpoint.totals);
  write_scene();
  write_poses(progress);
  write_summary(progress);
}

void Recorder::require_frames(int last) const {
  const size_t size = frame_bytes(simulation_.state.x).size();
  for (int frame = 0; frame <= last; ++frame) {
    const fs::path file = frame_path(folder_, frame);
    std::error_code error;
    const std::uintmax_t found = fs::file_size(file, error);
    // Bodies that tear have other vertices in each frame; a frame is whole or not there.
    if (!error && (simulation_.tearing ? found > 0 : found == size)) continue;
    throw InputError(Complaint{file.string(), 0, 0,
                               "is missing or damaged, so the run cannot be resumed; start again with "
                               "--overwrite"});
  }
}

void Recorder::write_scene() {
  write_file_atomically(folder_ / (simulation_.scene_text.empty() ? "model.toml" : "scene.toml"),
                        what_runs(simulation_));
}

void Recorder::write_bodies() {
  create_folders(folder_ / "bodies");
  for (const Body& body : simulation_.model->bodies) {
    require_file_name("body", body.name);
    write_vtu(body_path(folder_, body.name, ".vtu"), contents_of({body.rest}));
    write_obj(body_path(folder_, body.name, ".obj"), extract_surface(body.rest).mesh);
  }
}

void Recorder::write_torn_bodies(int frame) {
  const std::vector<size_t> before = std::exchange(elements_, element_counts(*simulation_.model));
  for (size_t b = 0; b < before.size(); ++b) {
    if (elements_[b] == before[b]) continue;
    const Body& body = simulation_.model->bodies[b];
    const fs::path file = torn_body_path(folder_, frame, body.name);
    create_folders(file.parent_path());
    const std::vector<int>& origin = simulation_.tearing->origin(b);
    PaintedMesh painted{body.rest, {{kOriginField, 1, {origin.begin(), origin.end()}}}};
    // As lasting as the frame, which cannot be read without.
    write_file_atomically(file, vtu_text(contents_of(std::move(painted))), true);
    sync_folder(file.parent_path().parent_path());
  }
}

void Recorder::write_obstacles() {
  if (simulation_.model->obstacles.empty()) return;
  create_folders(folder_ / "obstacles");
  for (const Obstacle& obstacle : simulation_.model->obstacles) {
    require_file_name("obstacle", obstacle.name);
    write_obj(obstacle_path(folder_, obstacle.name), obstacle.surface);
  }
}

void Recorder::write_poses(const RunProgress& progress) {
  if (simulation_.model->obstacles.empty()) return;
  const int last = std::max(progress.frames_planned, progress.totals.frames);
  write_file_atomically(poses_path(folder_), poses_text(simulation_, last));
}

void Recorder::write_step(const StepRow& row) { steps_->append(table_->line(row)); }

void Recorder::write_frame(const RunTotals& totals) {
  write_file_atomically(frame_path(folder_, totals.frames), frame_bytes(simulation_.state.x), true);
  write_checkpoint(totals);
}

void Recorder::write_checkpoint(const RunTotals& totals) {
  steps_->sync();
  Checkpoint checkpoint{scene_hash_, build_id(), steps_->length(), totals, simulation_.state};
  if (simulation_.tearing) simulation_.tearing->save(checkpoint.state);
  write_file_atomically(checkpoint_path(folder_), encode(checkpoint), true);
}

void Recorder::write_summary(const RunProgress& progress) {
  write_file_atomically(summary_path(folder_), summary_text(simulation_, progress));
}

}  // namespace pliant
