#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "pliant/run/run_folder.hpp"
#include "pliant/view/energy_density.hpp"
#include "pliant/view/fields.hpp"
#include "pliant/view/shown_surface.hpp"

namespace pliant {

/// The bodies of a run in the frames from one tear to the next, and what is made of them to be shown. All
/// calls may come from many threads.
class ShownBodies {
 public:
  /// `start` are those of frame 0. Throws InputError where a vertex comes from none of theirs.
  ShownBodies(int since, std::shared_ptr<const std::vector<RunBody>> bodies, std::span<const RunBody> start);

  /// The first frame that has them; 0 where nothing has torn.
  int since() const { return since_; }
  const std::vector<RunBody>& bodies() const { return *bodies_; }
  const ShownSurface& surface() const { return surface_; }
  int vertex_count() const { return vertices_; }

  /// Of a vertex of a frame, its number in frame 0.
  std::uint32_t origin(std::uint32_t vertex) const { return origin_.empty() ? vertex : origin_[vertex]; }

  const ShownStrain& strain() const;

  /// `start` is that of frame 0, from which this is made where something has torn. Throws InputError.
  const EnergyDensity& energy(const EnergyDensity& start) const;

 private:
  int since_;
  std::shared_ptr<const std::vector<RunBody>> bodies_;
  int vertices_;
  std::vector<std::uint32_t> origin_;  ///< empty where nothing has torn
  ShownSurface surface_;

  mutable std::mutex busy_;  ///< for what follows
  mutable std::unique_ptr<const ShownStrain> strain_;
  mutable std::unique_ptr<const EnergyDensity> energy_;
};

/// Some vertices of a frame, and where they are: three numbers each.
struct PlacedVertices {
  const ShownBodies& bodies;
  std::span<const std::uint32_t> vertices;  ///< their numbers in the frame
  std::span<const float> positions;
};

/// Of each vertex here the one there that comes from the same vertex of the start; the nearest where a tear
/// has made several of it, -1 where none is left. They are counted in the order of `vertices`.
std::vector<std::int32_t> find_kin(const PlacedVertices& here, const PlacedVertices& there);

}  // namespace pliant
