#include "pliant/lab/shown_run.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/text.hpp"
#include "pliant/geometry/npy.hpp"
#include "pliant/lab/container.hpp"
#include "pliant/run/output_folder.hpp"

namespace pliant {

namespace {

constexpr double kLevels = 65535;

RunFiles checked(const std::filesystem::path& folder) {
  RunFiles files(folder);
  files.require_all_inside();
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
      run_(folder),
      surface_(find_shown_surface(run_.bodies())),
      steps_(folder / "steps.csv"),
      frames_(run_.frame_count()) {
  if (!(run_.frame_rate() >= 1e-6 && run_.frame_rate() <= 1e6))
    throw InputError(Complaint{summary_path(folder).string(), 0, 0,
                               "states a frame rate that is not between 1e-6 and 1e6 Hz"});
}

int ShownRun::frames() const {
  int count = frames_;
  while (std::filesystem::exists(frame_path(run_.path(), count))) ++count;
  // Those of a run that was started anew are fewer.
  if (count > 0 && !std::filesystem::exists(frame_path(run_.path(), count - 1))) {
    count = 0;
    while (std::filesystem::exists(frame_path(run_.path(), count))) ++count;
  }
  frames_ = count;
  return count;
}

std::vector<float> ShownRun::all_positions(int index) const {
  const std::filesystem::path path = frame_path(run_.path(), index);
  files_.inside(path.lexically_relative(run_.path()));
  // Before it is read: what somebody else wrote may be of any size.
  constexpr std::uintmax_t kMostHeader = 1 << 17, kBytes = 3 * sizeof(float);
  if (std::filesystem::file_size(path) > kMostHeader + kBytes * static_cast<unsigned>(run_.vertex_count()))
    throw InputError(Complaint{path.string(), 0, 0, "is larger than the vertices of the bodies take"});
  NpyArray array = read_npy(path);
  if (array.rows != run_.vertex_count() || array.columns != 3)
    throw InputError(Complaint{path.string(), 0, 0,
                               format("holds {} x {} numbers where the bodies have {} vertices", array.rows,
                                      array.columns, run_.vertex_count())});
  return std::move(array.values);
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

std::string ShownRun::mesh() const {
  std::vector<float> rest, obstacle_vertices;
  rest.reserve(3 * surface_.vertex_of.size());
  size_t body = 0;
  for (const ShownSurface::Part& part : surface_.parts) {
    const RunBody& of = run_.bodies()[body++];
    for (size_t i = 0; i < part.vertices; ++i)
      append(of.rest.vertices[surface_.vertex_of[part.first_vertex + i] -
                              static_cast<std::uint32_t>(of.first_vertex)],
             rest);
  }
  std::vector<std::uint32_t> obstacle_triangles;
  for (const RunObstacle& obstacle : run_.obstacles()) {
    const auto first = static_cast<std::uint32_t>(obstacle_vertices.size() / 3);
    for (const Vec3& vertex : obstacle.surface.vertices) append(vertex, obstacle_vertices);
    for (const auto& triangle : obstacle.surface.triangles)
      for (const int corner : triangle)
        obstacle_triangles.push_back(first + static_cast<std::uint32_t>(corner));
  }
  ContainerWriter container;
  container.add("triangles", std::span<const std::uint32_t>(surface_.triangles));
  container.add("lines", std::span<const std::uint32_t>(surface_.lines));
  container.add("rest", std::span<const float>(rest));
  container.add("obstacle_triangles", std::span<const std::uint32_t>(obstacle_triangles));
  container.add("obstacle_vertices", std::span<const float>(obstacle_vertices));
  return container.finish();
}

std::string ShownRun::frame(int index) const {
  const QuantizedPositions positions = quantized(this->positions(index));
  const std::vector<float> poses = this->poses(index);
  ContainerWriter container;
  container.add("positions", std::span<const std::uint16_t>(positions.values));
  container.add("poses", std::span<const float>(poses));
  const Json members = {{"frame", index},
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
  if (name == "displacement") return distances(positions(0), positions(index));
  if (name == "speed") return speeds(index);
  const std::vector<float> all = all_positions(index);
  if (name == "stretch") return strain().stretch(all);
  if (name == "inverted") return strain().inverted(all);
  if (name != "energy-density") throw InputError("there is nothing of this name to colour by");
  const std::vector<double> densities = energy().densities(all);
  std::vector<float> values;
  values.reserve(surface_.vertex_of.size());
  for (const std::uint32_t vertex : surface_.vertex_of)
    values.push_back(static_cast<float>(densities[vertex]));
  return values;
}

/// From the frames before and after, or the one of them that there is.
std::vector<float> ShownRun::speeds(int index) const {
  const int first = std::max(0, index - 1), last = std::min(frames() - 1, index + 1);
  if (last <= first) return std::vector<float>(surface_.vertex_of.size(), 0);
  return distances(positions(first), positions(last), (last - first) / run_.frame_rate());
}

const ShownStrain& ShownRun::strain() const {
  std::call_once(strain_made_,
                 [&] { strain_ = std::make_unique<const ShownStrain>(run_.bodies(), surface_); });
  return *strain_;
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
    energy_ = std::make_unique<const EnergyDensity>(files_.inside("scene.toml"), run_.bodies());
  } catch (const InputError& error) {
    energy_error_ = error;
  } catch (const std::exception& error) {
    energy_error_ = InputError(error.what());
  }
}

}  // namespace pliant
