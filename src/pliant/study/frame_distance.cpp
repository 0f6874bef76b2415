#include "pliant/study/frame_distance.hpp"

#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/npy.hpp"
#include "pliant/run/output_folder.hpp"

namespace pliant {

namespace {

/// The mean over the vertices of the squared distance, m^2.
double mean_square_between(const NpyArray& a, const NpyArray& b) {
  double sum = 0;
  for (size_t i = 0; i < a.values.size(); ++i) {
    const double difference = double{a.values[i]} - double{b.values[i]};
    sum += difference * difference;
  }
  return a.rows > 0 ? sum / static_cast<double>(a.rows) : 0;
}

}  // namespace

FrameDistance frame_distance(const std::filesystem::path& run, const std::filesystem::path& other,
                             int frames) {
  FrameDistance distance;
  double sum = 0;
  for (int frame = 1; frame <= frames; ++frame) {
    const std::filesystem::path file = frame_path(run, frame);
    const NpyArray here = read_npy(file), there = read_npy(frame_path(other, frame));
    if (here.rows != there.rows || here.columns != there.columns)
      throw InputError(
          Complaint{file.string(), 0, 0,
                    format("holds {} vertices where the other run has {}", here.rows, there.rows)});
    const double square = mean_square_between(here, there);
    sum += square;
    distance.last = std::sqrt(square);
    if (distance.last <= distance.largest || std::isnan(distance.largest)) continue;  // NaN stays
    distance.largest = distance.last;
    distance.largest_frame = frame;
  }
  if (frames > 0) distance.mean = std::sqrt(sum / frames);
  return distance;
}

std::optional<int> first_torn_frame(const std::filesystem::path& run) {
  std::optional<int> first;
  std::error_code unreadable;  // counts as not there
  for (const auto& entry : std::filesystem::directory_iterator(run / "bodies", unreadable)) {
    const std::optional<int> frame = frame_number(entry.path().filename().string());
    if (frame && (!first || *frame < *first)) first = frame;
  }
  return first;
}

}  // namespace pliant
