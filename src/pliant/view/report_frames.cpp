#include "pliant/view/report_frames.hpp"

#include <algorithm>

#include "pliant/base/json.hpp"
#include "pliant/view/container.hpp"

namespace pliant {

void FrameCoder::renumber(std::span<const std::int32_t> before) {
  for (std::vector<std::uint16_t>* frame : {&last_, &before_}) {
    if (frame->empty()) continue;
    std::vector<std::uint16_t> renumbered(3 * before.size(), 0);
    for (size_t v = 0; v < before.size(); ++v)
      if (before[v] >= 0)
        std::copy_n(frame->begin() + 3 * std::ptrdiff_t{before[v]}, 3,
                    renumbered.begin() + 3 * static_cast<std::ptrdiff_t>(v));
    *frame = std::move(renumbered);
  }
  vertices_ = before.size();
}

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

std::vector<std::uint32_t> differences(std::span<const std::uint32_t> numbers, size_t stride) {
  std::vector<std::uint32_t> coded(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto change = static_cast<std::int32_t>(numbers[i] - (i >= stride ? numbers[i - stride] : 0));
    const auto twice = static_cast<std::uint32_t>(change) << 1U;
    coded[i] = change < 0 ? ~twice : twice;
  }
  return coded;
}

namespace {

/// The mesh of bodies that have torn.
std::string torn_mesh(const ShownBodies& bodies) {
  const std::vector<std::uint32_t> triangles = differences(bodies.surface().triangles, 3);
  const std::vector<std::uint32_t> lines = differences(bodies.surface().lines, 2);
  ContainerWriter container;
  container.add("triangle_differences", std::span<const std::uint32_t>(triangles));
  container.add("line_differences", std::span<const std::uint32_t>(lines));
  return container.finish("{\"parts\":" + bodies.surface().parts_json() + "}");
}

/// Frames of a report, one after the other, and what is told of bodies that become others.
class FilmWriter {
 public:
  FilmWriter(const ShownRun& run, QuantizedPositions box) : run_(run), box_(std::move(box)), coder_(0) {}

  void add(int frame) {
    const std::shared_ptr<const ShownBodies> bodies = run_.bodies_in(frame);
    std::vector<float> positions = run_.positions(frame);
    if (!bodies_ || bodies_->since() != bodies->since()) begin(*bodies, positions);
    bodies_ = bodies;
    positions_ = std::move(positions);
    quantize(positions_, box_);
    coder_.add(box_.values);
    const std::vector<float> of_frame = run_.poses(frame);
    poses_.insert(poses_.end(), of_frame.begin(), of_frame.end());
    spans_.back()["frames"] = spans_.back()["frames"].get<int>() + 1;
  }

  ReportFilm finish(int every, int count) {
    const std::vector<std::uint32_t> before = differences(before_, 1);
    ContainerWriter container;
    container.add("low_bytes", std::span<const std::uint8_t>(coder_.low_bytes()));
    container.add("high_bytes", std::span<const std::uint8_t>(coder_.high_bytes()));
    container.add("poses", std::span<const float>(poses_));
    container.add("before", std::span<const std::uint32_t>(before));
    container.add("starts", std::span<const std::uint16_t>(starts_));
    const Json members = {{"first", 0},
                          {"every", every},
                          {"count", count},
                          {"spans", spans_},
                          {"low", {box_.low.x(), box_.low.y(), box_.low.z()}},
                          {"high", {box_.high.x(), box_.high.y(), box_.high.z()}}};
    return {container.finish(members.dump()), std::move(meshes_)};
  }

 private:
  void begin(const ShownBodies& bodies, std::span<const float> positions) {
    const std::vector<std::uint32_t>& shown = bodies.surface().vertex_of;
    spans_.push_back({{"frames", 0}, {"vertices", shown.size()}});
    if (!bodies_) {
      meshes_.push_back(run_.mesh());
      coder_ = FrameCoder(shown.size());
      return;
    }
    meshes_.push_back(torn_mesh(bodies));
    const std::vector<std::int32_t> before =
        find_kin({bodies, shown, positions}, {*bodies_, bodies_->surface().vertex_of, positions_});
    coder_.renumber(before);
    quantize(run_.starts(bodies), box_);
    for (size_t v = 0; v < before.size(); ++v) {
      before_.push_back(static_cast<std::uint32_t>(before[v] + 1));
      if (before[v] < 0)
        starts_.insert(starts_.end(), box_.values.begin() + 3 * static_cast<std::ptrdiff_t>(v),
                       box_.values.begin() + 3 * static_cast<std::ptrdiff_t>(v) + 3);
    }
  }

  const ShownRun& run_;
  QuantizedPositions box_;
  FrameCoder coder_;
  std::shared_ptr<const ShownBodies> bodies_;  ///< of the frame before
  std::vector<float> positions_;               ///< in it
  Json spans_ = Json::array();
  std::vector<std::string> meshes_;
  std::vector<float> poses_;
  std::vector<std::uint32_t> before_;
  std::vector<std::uint16_t> starts_;
};

}  // namespace

ReportFilm report_film(const ShownRun& run, int every) {
  const int count = report_frame_count(run.frames(), every);
  QuantizedPositions box;
  for (int n = 0; n < count; ++n) extend_box(run.positions(n * every), n == 0, box);
  FilmWriter writer(run, std::move(box));
  for (int n = 0; n < count; ++n) writer.add(n * every);
  return writer.finish(every, count);
}

}  // namespace pliant
