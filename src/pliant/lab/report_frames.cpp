#include "pliant/lab/report_frames.hpp"

#include "pliant/base/json.hpp"
#include "pliant/lab/container.hpp"

namespace pliant {

void FrameCoder::add(std::span<const std::uint16_t> positions) {
  for (size_t c = 0; c < 3; ++c) {
    std::uint16_t left = 0;  // the difference of the vertex before
    for (size_t v = 0; v < vertices_; ++v) {
      const size_t i = 3 * v + c;
      unsigned likely = 0;
      if (!last_.empty()) likely = before_.empty() ? last_[i] : 2U * last_[i] - before_[i];
      const auto difference = static_cast<std::uint16_t>(positions[i] - likely);
      const auto change = static_cast<std::int16_t>(static_cast<std::uint16_t>(difference - left));
      // Small changes of either sign become small numbers.
      const auto code = static_cast<std::uint16_t>(change < 0 ? -2 * change - 1 : 2 * change);
      low_.push_back(static_cast<std::uint8_t>(code & 255U));
      high_.push_back(static_cast<std::uint8_t>(code >> 8U));
      left = difference;
    }
  }
  before_ = std::move(last_);
  last_.assign(positions.begin(), positions.end());
}

int report_frame_count(int frames, int every) { return (frames + every - 1) / every; }

std::string report_frames(const ShownRun& run, int every) {
  const int count = report_frame_count(run.frames(), every);
  QuantizedPositions box;
  for (int n = 0; n < count; ++n) extend_box(run.positions(n * every), n == 0, box);
  FrameCoder coder(run.surface().vertex_of.size());
  std::vector<float> poses;
  for (int n = 0; n < count; ++n) {
    quantize(run.positions(n * every), box);
    coder.add(box.values);
    const std::vector<float> of_frame = run.poses(n * every);
    poses.insert(poses.end(), of_frame.begin(), of_frame.end());
  }
  ContainerWriter container;
  container.add("low_bytes", std::span<const std::uint8_t>(coder.low_bytes()));
  container.add("high_bytes", std::span<const std::uint8_t>(coder.high_bytes()));
  container.add("poses", std::span<const float>(poses));
  const Json members = {{"first", 0},
                        {"every", every},
                        {"count", count},
                        {"vertices", run.surface().vertex_of.size()},
                        {"low", {box.low.x(), box.low.y(), box.low.z()}},
                        {"high", {box.high.x(), box.high.y(), box.high.z()}}};
  return container.finish(members.dump());
}

}  // namespace pliant
