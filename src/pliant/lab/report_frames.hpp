#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pliant/lab/shown_run.hpp"

namespace pliant {

/// The frames of a run as they are in a report (see write_report): every so many from the first on.
std::string report_frames(const ShownRun& run, int every);

/// How many that are.
int report_frame_count(int frames, int every);

/// One after the other, the positions of frames as differences from what the frames before make likely.
class FrameCoder {
 public:
  explicit FrameCoder(size_t vertices) : vertices_(vertices) {}

  /// Three numbers a vertex.
  void add(std::span<const std::uint16_t> positions);

  const std::vector<std::uint8_t>& low_bytes() const { return low_; }
  const std::vector<std::uint8_t>& high_bytes() const { return high_; }

 private:
  size_t vertices_;
  std::vector<std::uint16_t> last_, before_;
  std::vector<std::uint8_t> low_, high_;
};

}  // namespace pliant
