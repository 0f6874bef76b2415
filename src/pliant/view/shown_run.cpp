#include "pliant/view/shown_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "pliant/base/error.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/npy.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/view/container.hpp"

namespace pliant {

namespace {

constexpr double kLevels = 65535;
constexpr size_t kTornKept =
    8;  // between tears; a page asks for frames side by side, and speed for neighbours

RunFiles checked(const std::filesystem::path& folder) {
  RunFiles files(folder);
  files.require_all_readable();
  return files;
}

Json array_of(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

void append(const Vec3& v, std::vector<float>& numbers) {
  for (int i = 0; i < 3; ++i) numbers.push_back(static_cast<float>(v[i]));
}

}  // namespace

void extend_box(std::span<const float> positions, bool is_first, QuantizedPositions& in) {
  constexpr float kNone = std::numeric_limits<float>::infinity();
  float low[3] = {kNone, kNone, kNone}, high[3] = {-kNone, -kNone, -kNone};
  for (size_t i = 0; i + 2 < positions.size(); i += 3)
    for (size_t c = 0; c < 3; ++c) {
      const float x = positions[i + c];
      if (!std::isfinite(x)) continue;
      low[c] = std::min(low[c], x);
      high[c] = std::max(high[c], x);
    }
  for (int c = 0; c < 3; ++c) {
    if (low[c] > high[c]) continue;
    in.low[c] = is_first ? low[c] : std::min<double>(in.low[c], low[c]);
    in.high[c] = is_first ? high[c] : std::max<double>(in.high[c], high[c]);
  }
}

void quantize(std::span<const float> positions, QuantizedPositions& in) {
  in.values.resize(positions.size());
  float low[3], scale[3];
  for (int c = 0; c < 3; ++c) {
    const double width = in.high[c] - in.low[c];
    low[c] = static_cast<float>(in.low[c]);
    scale[c] = width > 0 ? static_cast<float>(kLevels / width) : 0;
  }
  for (size_t i = 0; i + 2 < positions.size(); i += 3)
    for (size_t c = 0; c < 3; ++c) {
      const float level = (positions[i + c] - low[c]) * scale[c] + 0.5F;
      // Written so that what is not a number gives 0.
      in.values[i + c] = level > 0 ? static_cast<std::uint16_t>(std::min<float>(level, kLevels)) : 0;
    }
}

QuantizedPositions quantized(std::span<const float> positions) {
  QuantizedPositions result;
  extend_box(positions, true, result);
  quantize(positions, result);
  return result;
}

ShownRun::ShownRun(const std::filesystem::path& folder)
    : files_(checked(folder)),
      beginning_(beginning()),
      run_(folder),
      start_(std::make_shared<const ShownBodies>(0, run_.bodies_in(0), run_.bodies())),
      steps_(folder / "steps.csv"),
      frames_(run_.frame_count()) {
  if (!(run_.frame_rate() >= 1e-6 && run_.frame_rate() <= 1e6))
    throw InputError(Complaint{summary_path(folder).string(), 0, 0,
                               "states a frame rate that is not between 1e-6 and 1e6 Hz"});
}

int ShownRun::frames() const {
  const auto has = [&](int frame) {
    std::error_code unreadable;  // counts as not there
    return std::filesystem::exists(frame_path(run_.path(), frame), unreadable);
  };
  int count = frames_;
  while (has(count)) ++count;
  // Those of a run that was started anew are fewer.
  if (count > 0 && !has(count - 1)) {
    count = 0;
    while (has(count)) ++count;
  }
  frames_ = count;
  return count;
}

std::string ShownRun::beginning() const {
  const auto stamp = [&](const std::filesystem::path& path) {
    return files_.stamp(path.lexically_relative(files_.folder()));
  };
  return stamp(frame_path(files_.folder(), 0)) + " " + stamp(poses_path(files_.folder()));
}

bool ShownRun::is_replaced() const { return beginning() != beginning_; }

std::shared_ptr<const ShownBodies> ShownRun::bodies_in(int frame) const try {
  const int since = run_.bodies_since(frame);
  if (since == 0) return start_;
  const std::lock_guard lock(torn_busy_);
  const auto known = std::ranges::find(torn_, since, [](const auto& bodies) { return bodies->since(); });
  std::shared_ptr<const ShownBodies> bodies;
  if (known != torn_.end()) {
    bodies = std::move(*known);
    torn_.erase(known);
  } else {
    files_.require_torn_readable(since);
    bodies = std::make_shared<const ShownBodies>(since, run_.bodies_in(since), run_.bodies());
  }
  torn_.push_back(bodies);
  if (torn_.size() > kTornKept) torn_.pop_front();
  return bodies;
} catch (const std::filesystem::filesystem_error& error) {
  throw InputError(Complaint{(run_.path() / "bodies").string(), 0, 0, error.code().message()});
}

std::vector<float> ShownRun::all_positions(int index) const {
  const std::filesystem::path path = frame_path(run_.path(), index);
  const PlainFile file = files_.open(path.lexically_relative(run_.path()));
  const int vertices = bodies_in(index)->vertex_count();
  // Before it is read: what somebody else wrote may be of any size.
  constexpr std::uintmax_t kMostHeader = 1 << 17, kBytes = 3 * sizeof(float);
  if (file.size() > kMostHeader + kBytes * static_cast<unsigned>(vertices))
    throw InputError(Complaint{path.string(), 0, 0, "is larger than the vertices of the bodies take"});
  NpyArray array = parse_npy(file.read(0, file.size()), path.string());
  if (array.rows != vertices || array.columns != 3)
    throw InputError(Complaint{path.string(), 0, 0,
                               format("holds {} x {} numbers where the bodies have {} vertices", array.rows,
                                      array.columns, vertices)});
  return std::move(array.values);
}

std::vector<float> ShownRun::positions(int index) const {
  return bodies_in(index)->surface().taken(all_positions(index));
}

std::vector<float> ShownRun::starts(const ShownBodies& bodies) const {
  const std::vector<float> all = all_positions(0);
  std::vector<float> positions;
  positions.reserve(3 * bodies.surface().vertex_of.size());
  for (const std::uint32_t vertex : bodies.surface().vertex_of)
    for (size_t c = 0; c < 3; ++c) positions.push_back(all[3 * size_t{bodies.origin(vertex)} + c]);
  return positions;
}

std::vector<float> ShownRun::poses(int index) const {
  std::vector<float> numbers;
  for (const RunObstacle& obstacle : run_.obstacles()) {
    if (index < 0 || index >= std::ssize(obstacle.poses))
      throw InputError(
          Complaint{poses_path(run_.path()).string(), 0, 0,
                    format("held no pose of frame {} when the run was opened; open it again", index)});
    const Pose& pose = obstacle.poses[static_cast<size_t>(index)];
    for (int row = 0; row < 3; ++row) {
      append(pose.turn.row(row), numbers);
      numbers.push_back(static_cast<float>(pose.shift[row]));
    }
  }
  return numbers;
}

std::string ShownRun::mesh(int index) const {
  const std::shared_ptr<const ShownBodies> bodies = bodies_in(index);
  const ShownSurface& surface = bodies->surface();
  std::vector<float> obstacle_vertices;
  std::vector<std::uint32_t> obstacle_triangles;
  if (bodies == start_)
    for (const RunObstacle& obstacle : run_.obstacles()) {
      const auto first = static_cast<std::uint32_t>(obstacle_vertices.size() / 3);
      for (const Vec3& vertex : obstacle.surface.vertices) append(vertex, obstacle_vertices);
      for (const auto& triangle : obstacle.surface.triangles)
        for (const int corner : triangle)
          obstacle_triangles.push_back(first + static_cast<std::uint32_t>(corner));
    }
  ContainerWriter container;
  container.add("triangles", std::span<const std::uint32_t>(surface.triangles));
  container.add("lines", std::span<const std::uint32_t>(surface.lines));
  container.add("obstacle_triangles", std::span<const std::uint32_t>(obstacle_triangles));
  container.add("obstacle_vertices", std::span<const float>(obstacle_vertices));
  return container.finish(format(R"({{"bodies":{},"vertices":{},"parts":{}}})", bodies->since(),
                                 surface.vertex_of.size(), surface.parts_json()));
}

std::string ShownRun::frame(int index) const {
  const QuantizedPositions positions = quantized(this->positions(index));
  const std::vector<float> poses = this->poses(index);
  ContainerWriter container;
  container.add("positions", std::span<const std::uint16_t>(positions.values));
  container.add("poses", std::span<const float>(poses));
  const Json members = {{"frame", index},
                        {"bodies", bodies_in(index)->since()},
                        {"time", index / run_.frame_rate()},
                        {"low", array_of(positions.low)},
                        {"high", array_of(positions.high)}};
  return container.finish(members.dump());
}

std::string ShownRun::field(const std::string& name, int index) const {
  std::vector<float> values = values_of(name, index);
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (float& value : values) {
    if (!std::isfinite(value)) value = 0;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (values.empty()) low = high = 0;
  ContainerWriter container;
  container.add("values", std::span<const float>(values));
  return container.finish(Json{{"frame", index}, {"low", low}, {"high", high}}.dump());
}

std::vector<float> ShownRun::values_of(const std::string& name, int index) const {
  const std::shared_ptr<const ShownBodies> bodies = bodies_in(index);
  if (name == "displacement") return distances(starts(*bodies), positions(index));
  if (name == "speed") return speeds(index);
  const std::vector<float> all = all_positions(index);
  if (name == "stretch") return bodies->strain().stretch(all);
  if (name == "inverted") return bodies->strain().inverted(all);
  if (name != "energy-density") throw InputError("there is nothing of this name to colour by");
  const std::vector<double> densities = bodies->energy(energy()).densities(all);
  std::vector<float> values;
  values.reserve(bodies->surface().vertex_of.size());
  for (const std::uint32_t vertex : bodies->surface().vertex_of)
    values.push_back(static_cast<float>(densities[vertex]));
  return values;
}

/// Where the shown vertices of a frame, which are at `here` in it, are in another one; not a number where
/// they are no more.
std::vector<float> ShownRun::positions_there(int index, std::span<const float> here, int other) const {
  const std::shared_ptr<const ShownBodies> own = bodies_in(index), others = bodies_in(other);
  if (own->since() == others->since()) return positions(other);
  std::vector<std::uint32_t> all(static_cast<size_t>(others->vertex_count()));
  std::iota(all.begin(), all.end(), 0U);
  const std::vector<float> there = all_positions(other);
  const std::vector<std::int32_t> kin =
      find_kin({*own, own->surface().vertex_of, here}, {*others, all, there});
  std::vector<float> positions(here.size(), std::numeric_limits<float>::quiet_NaN());
  for (size_t i = 0; i < kin.size(); ++i)
    if (kin[i] >= 0)
      std::copy_n(there.begin() + 3 * std::ptrdiff_t{kin[i]}, 3,
                  positions.begin() + 3 * static_cast<std::ptrdiff_t>(i));
  return positions;
}

/// From the frames before and after, or the one of them that there is, for each vertex.
std::vector<float> ShownRun::speeds(int index) const {
  const std::vector<float> here = positions(index);
  const int first = std::max(0, index - 1), last = std::min(frames() - 1, index + 1);
  std::vector<float> before = positions_there(index, here, first), after = positions_there(index, here, last);
  std::vector<float> speeds(here.size() / 3, 0.0F);
  for (size_t v = 0; v < speeds.size(); ++v) {
    const bool came = std::isnan(before[3 * v]), goes = std::isnan(after[3 * v]);
    const int spans = (goes ? index : last) - (came ? index : first);
    if (spans <= 0) continue;
    const auto at = [&](const std::vector<float>& positions) {
      return Vec3(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
    };
    const double way = (at(goes ? here : after) - at(came ? here : before)).norm();
    speeds[v] = static_cast<float>(way * run_.frame_rate() / spans);
  }
  return speeds;
}

/// The first who asks waits until the model is built; others are told to come back, so that a page that asks
/// for many frames at once still gets answers to its other questions.
const EnergyDensity& ShownRun::energy() const {
  if (!energy_tried_) {
    const std::unique_lock lock(energy_busy_, std::try_to_lock);
    if (!lock.owns_lock()) throw NotReady("the model of this run is being built; ask again in a moment");
    if (!energy_tried_) make_energy();
    energy_tried_ = true;
  }
  if (energy_error_) throw *energy_error_;
  return *energy_;
}

void ShownRun::make_energy() const {
  try {
    energy_ = std::make_unique<const EnergyDensity>(files_.read("scene.toml", kMostTextBytes),
                                                    files_.folder() / "scene.toml", run_.bodies());
  } catch (const InputError& error) {
    energy_error_ = error;
  } catch (const std::exception& error) {
    energy_error_ = InputError(error.what());
  }
}

}  // namespace pliant
