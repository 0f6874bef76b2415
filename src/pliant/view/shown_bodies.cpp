#include "pliant/view/shown_bodies.hpp"

#include <algorithm>
#include <limits>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

std::vector<std::uint32_t> origins_of(std::span<const RunBody> bodies, std::span<const RunBody> start) {
  std::vector<std::uint32_t> origins;
  if (bodies.size() != start.size()) throw InputError("a tear has left another number of bodies");
  for (size_t b = 0; b < bodies.size(); ++b) {
    const size_t before = start[b].rest.vertices.size(), now = bodies[b].rest.vertices.size();
    const std::vector<int>& origin = bodies[b].origin;
    if (origin.empty() ? now != before : now != origin.size())
      throw InputError(
          format("body {} has torn, and of {} of its {} vertices it is not known where they come "
                 "from",
                 bodies[b].name, now - std::min(now, origin.size()), now));
    for (size_t v = 0; v < now; ++v) {
      const int from = origin.empty() ? static_cast<int>(v) : origin[v];
      if (from < 0 || static_cast<size_t>(from) >= before)
        throw InputError(
            format("body {} has torn, and a vertex comes from none of its start", bodies[b].name));
      origins.push_back(static_cast<std::uint32_t>(start[b].first_vertex + from));
    }
  }
  return origins;
}

float squared_distance(std::span<const float> a, size_t i, std::span<const float> b, size_t k) {
  float sum = 0;
  for (size_t c = 0; c < 3; ++c) {
    const float difference = a[3 * i + c] - b[3 * k + c];
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

ShownBodies::ShownBodies(int since, std::shared_ptr<const std::vector<RunBody>> bodies,
                         std::span<const RunBody> start)
    : since_(since),
      bodies_(std::move(bodies)),
      vertices_(pliant::vertex_count(*bodies_)),
      origin_(since > 0 ? origins_of(*bodies_, start) : std::vector<std::uint32_t>()),
      surface_(find_shown_surface(*bodies_)) {}

const ShownStrain& ShownBodies::strain() const {
  const std::lock_guard lock(busy_);
  if (!strain_) strain_ = std::make_unique<const ShownStrain>(*bodies_, surface_);
  return *strain_;
}

const EnergyDensity& ShownBodies::energy(const EnergyDensity& start) const {
  if (since_ == 0) return start;
  const std::lock_guard lock(busy_);
  if (!energy_) energy_ = start.torn(*bodies_);
  return *energy_;
}

std::vector<std::int32_t> find_kin(const PlacedVertices& here, const PlacedVertices& there) {
  // Those there, by the vertex of the start that they come from.
  std::uint32_t end = 0;
  for (const std::uint32_t vertex : there.vertices) end = std::max(end, there.bodies.origin(vertex) + 1);
  std::vector<std::int32_t> first(end, -1), next(there.vertices.size(), -1);
  for (size_t k = there.vertices.size(); k-- > 0;) {
    const std::uint32_t origin = there.bodies.origin(there.vertices[k]);
    next[k] = first[origin];
    first[origin] = static_cast<std::int32_t>(k);
  }
  std::vector<std::int32_t> kin(here.vertices.size(), -1);
  for (size_t i = 0; i < kin.size(); ++i) {
    const std::uint32_t origin = here.bodies.origin(here.vertices[i]);
    float nearest = std::numeric_limits<float>::infinity();
    for (std::int32_t k = origin < end ? first[origin] : -1; k >= 0; k = next[static_cast<size_t>(k)]) {
      const float distance = squared_distance(here.positions, i, there.positions, static_cast<size_t>(k));
      if (kin[i] >= 0 && !(distance < nearest)) continue;
      kin[i] = k;
      nearest = distance;
    }
  }
  return kin;
}

}  // namespace pliant
