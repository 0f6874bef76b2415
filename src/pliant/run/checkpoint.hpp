#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "pliant/run/simulation.hpp"
#include "pliant/run/totals.hpp"

namespace pliant {

/// Everything a run needs to go on from the end of a frame as if it had never stopped, and what it must be
/// the same as to be allowed to.
///
/// On the disk: magic, format version, the fields below in their order, and a checksum of all before it;
/// little-endian, strings and arrays with their length in front. Energies besides the usual ones come last,
/// where there are any.
struct Checkpoint {
  std::uint64_t scene_hash = 0;    ///< see `scene_hash`
  std::string build;               ///< see `build_id`
  std::uint64_t steps_length = 0;  ///< bytes of steps.csv that belong to the frames so far
  RunTotals totals;
  State state;
};

/// What stands at the end of a checkpoint for all the bytes before it.
std::uint64_t checkpoint_sum(std::string_view bytes);

std::string encode(const Checkpoint& checkpoint);

/// Throws InputError, with `file` as its place, for anything that `encode` has not written; never asks for
/// more memory than a few times the size of `bytes`.
Checkpoint decode(std::string_view bytes, const std::string& file);

/// Throws InputError, saying how to go on, if the checkpoint is of another scene or another build.
void require_same(const Checkpoint& checkpoint, std::uint64_t scene_hash, const std::string& build,
                  const std::string& file);

/// What a run folder says of what ran: the scene, or where there was none the description of the model and
/// the plan of its steps.
std::string what_runs(const Simulation& simulation);

/// A hash of what has to stay as it is for a run to be resumed: what runs, without the `duration` of a scene,
/// the rest meshes (which a scene may take from files) and the masses.
std::uint64_t scene_hash(const Simulation& simulation);

}  // namespace pliant
