#pragma once

#include <atomic>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/run/run_folder.hpp"
#include "pliant/view/energy_density.hpp"
#include "pliant/view/fields.hpp"
#include "pliant/view/run_files.hpp"
#include "pliant/view/shown_bodies.hpp"
#include "pliant/view/shown_surface.hpp"
#include "pliant/view/step_rows.hpp"

namespace pliant {

/// Something that is being prepared and not ready yet; ask again.
class NotReady : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A box, and the positions of vertices in it as numbers from 0 to 65535.
struct QuantizedPositions {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  std::vector<std::uint16_t> values;
};
/// In the smallest box around them; what is not finite is put at its low corner.
QuantizedPositions quantized(std::span<const float> positions);
/// In the box that `in` states.
void quantize(std::span<const float> positions, QuantizedPositions& in);
/// Makes the box of `in` hold the positions, too; `is_first` where it holds none yet.
void extend_box(std::span<const float> positions, bool is_first, QuantizedPositions& in);

/// A run folder as the viewer asks for it, in containers (see ContainerWriter) of what can be seen. The run
/// may still be growing. All calls may come from many threads at once, and throw InputError where the folder
/// is damaged.
class ShownRun {
 public:
  /// Throws InputError where the folder is not a run's, is damaged or leads to files elsewhere.
  explicit ShownRun(const std::filesystem::path& folder);

  const RunFolder& folder() const { return run_; }
  /// Of frame 0.
  const ShownSurface& surface() const { return start_->surface(); }
  /// Of a frame; a few are kept. Throws InputError where something has torn and cannot be read.
  std::shared_ptr<const ShownBodies> bodies_in(int frame) const;

  /// On the disk now.
  int frames() const;

  /// Whether the folder was filled anew since this read it, or the run in it resumed with more to come: then
  /// it is to be opened again.
  bool is_replaced() const;

  /// What a page must know of the run, as the text of a JSON object; `generation` as of WatchedRun.
  std::string head(int id, int generation = 0) const;

  /// Of the bodies of a frame: triangles u32, lines u32, obstacle_triangles u32, obstacle_vertices f32; JSON
  /// {bodies, vertices, parts}. `bodies` is the first frame with them, `vertices` how many are shown, `parts`
  /// what share of the vertices, triangles and lines each of them has, as in the head. The obstacles come
  /// with frame 0.
  std::string mesh(int index = 0) const;

  /// positions u16, poses f32; JSON {frame, bodies, time, low, high}, `bodies` as of its mesh.
  std::string frame(int index) const;

  /// values f32, one a shown vertex; JSON {frame, low, high}. Throws NotReady while the model behind
  /// energy-density is being built.
  std::string field(const std::string& name, int index) const;

  StepRows& steps() const { return steps_; }

  /// Of the shown vertices, three numbers each; throws InputError where there is no such frame or it is
  /// damaged.
  std::vector<float> positions(int index) const;
  /// Where the shown vertices were in frame 0.
  std::vector<float> starts(const ShownBodies& bodies) const;
  /// 3x4 matrices by rows, one an obstacle.
  std::vector<float> poses(int index) const;

 private:
  /// What is written when a run begins and not again.
  std::string beginning() const;
  std::vector<float> all_positions(int index) const;
  std::vector<float> values_of(const std::string& name, int index) const;
  std::vector<float> speeds(int index) const;
  std::vector<float> positions_there(int index, std::span<const float> here, int other) const;
  const EnergyDensity& energy() const;
  void make_energy() const;

  RunFiles files_;
  std::string beginning_;  ///< before anything else was read
  RunFolder run_;
  std::shared_ptr<const ShownBodies> start_;
  mutable StepRows steps_;
  mutable std::atomic<int> frames_;

  mutable std::mutex torn_busy_;                                 ///< held while some are read
  mutable std::deque<std::shared_ptr<const ShownBodies>> torn_;  ///< those used last, at the end the last

  mutable std::mutex energy_busy_;  ///< held while it is made
  mutable std::atomic<bool> energy_tried_ = false;
  mutable std::unique_ptr<const EnergyDensity> energy_;
  mutable std::optional<InputError> energy_error_;
};

}  // namespace pliant
