#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pliant/view/shown_run.hpp"

namespace pliant {

/// What a report holds of a run besides its head and its steps, in containers (see write_report).
struct ReportFilm {
  std::string frames;
  std::vector<std::string> meshes;  ///< one, and one more for each time that bodies are others
};

/// Every so many frames from the first on.
ReportFilm report_film(const ShownRun& run, int every);

/// How many that are.
int report_frame_count(int frames, int every);

/// One after the other, the positions of frames as differences from what the frames before make likely.
class FrameCoder {
 public:
  explicit FrameCoder(size_t vertices) : vertices_(vertices) {}

  /// The vertices are others from here on; of each the number it had, -1 where it had none.
  void renumber(std::span<const std::int32_t> before);

  /// Three numbers a vertex.
  void add(std::span<const std::uint16_t> positions);

  const std::vector<std::uint8_t>& low_bytes() const { return low_; }
  const std::vector<std::uint8_t>& high_bytes() const { return high_; }

 private:
  size_t vertices_;
  std::vector<std::uint16_t> last_, before_;
  std::vector<std::uint8_t> low_, high_;
};

/// Whole numbers as how far each is from the one `stride` before it, or from 0: small numbers of either sign
/// become small ones without.
std::vector<std::uint32_t> differences(std::span<const std::uint32_t> numbers, size_t stride);

}  // namespace pliant
