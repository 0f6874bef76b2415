#pragma once

#include <filesystem>
#include <optional>

namespace pliant {

/// How far the vertices of one run are from those of another at equal times, m.
struct FrameDistance {
  double mean = 0;     ///< root of the mean square over all vertices and all frames after the start
  double largest = 0;  ///< root of the mean square over the vertices of the frame where that is largest
  int largest_frame = 0;
  double last = 0;  ///< the same of the last frame
};

/// Of the frames 1 to `frames` of two run folders. Every vertex counts the same, whatever its mass; frames
/// are stored in single precision, so that less than about 1e-7 of a coordinate cannot be told from nothing.
/// Throws InputError where a frame is missing or they differ in the number of vertices.
FrameDistance frame_distance(const std::filesystem::path& run, const std::filesystem::path& other,
                             int frames);

/// The first frame before which a body has torn; nothing where none has.
std::optional<int> first_torn_frame(const std::filesystem::path& run);

}  // namespace pliant
