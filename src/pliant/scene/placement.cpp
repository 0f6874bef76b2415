#include "pliant/scene/placement.hpp"

#include <numbers>

#include "pliant/base/random.hpp"
#include "pliant/base/text.hpp"

namespace pliant {

namespace {

/// Of a body whose vertices are at `places`.
Vec3 center_of_mass(const TetMesh& rest, const std::vector<Vec3>& places) {
  const std::vector<double> mass = lumped_masses(rest, 1.0);
  Vec3 sum = Vec3::Zero();
  double total = 0;
  for (size_t i = 0; i < mass.size(); ++i) {
    sum += mass[i] * places[i];
    total += mass[i];
  }
  return sum / total;
}

std::vector<char> scripted_vertices(const PlacedBody& body) {
  std::vector<char> scripted(body.rest.vertices.size(), 0);
  for (const std::vector<int>& vertices : body.scripted)
    for (const int vertex : vertices) scripted[vertex] = 1;
  return scripted;
}

/// Every vertex draws its three numbers, scripted or not, so that a script changes no other vertex.
void randomise(std::vector<Vec3>& positions, const std::vector<char>& keep, double fraction, Random random) {
  Eigen::AlignedBox3d bounds;
  for (const Vec3& position : positions) bounds.extend(position);
  for (size_t i = 0; i < positions.size(); ++i) {
    const double u = random.uniform(), v = random.uniform(), w = random.uniform();
    const Vec3 place = bounds.min() + bounds.sizes().cwiseProduct(Vec3(u, v, w));
    if (!keep[i]) positions[i] = (1 - fraction) * positions[i] + fraction * place;
  }
}

}  // namespace

void require_mesh_file(const std::string& path) {
  std::error_code unreadable;
  if (!std::filesystem::is_regular_file(path, unreadable))
    throw InputError(format("mesh file {} does not exist; the path is relative to the scene file", path));
}

Mat3 rotation_matrix(const RotationKeys& keys) {
  if (keys.angle == 0) return Mat3::Identity();
  return Eigen::AngleAxisd(keys.angle * std::numbers::pi / 180, keys.axis.normalized()).toRotationMatrix();
}

Motion to_motion(const MotionKeys& keys) {
  constexpr double kDegree = std::numbers::pi / 180;
  Motion motion;
  motion.center = keys.center;
  motion.axis = keys.axis.normalized();
  motion.interpolation =
      keys.interpolation == "smooth" ? Motion::Interpolation::smooth : Motion::Interpolation::linear;
  for (const Keyframe& key : keys.keys) motion.keys.push_back({key.time, key.translate, key.angle * kDegree});
  motion.constant_velocity = keys.velocity;
  motion.constant_spin = keys.spin * kDegree;
  return motion;
}

void place(const PlacementKeys& keys, std::vector<Vec3>& points) {
  const Mat3 turn = rotation_matrix(keys.rotate);
  for (Vec3& point : points) point = turn * point.cwiseProduct(keys.scale) + keys.translate;
}

Start start_of(const BodyKeys& keys, const PlacedBody& body, std::uint64_t seed) {
  const StartKeys& start = keys.start;
  const Mat3 turn = rotation_matrix(start.rotate);
  const bool moved = start.rotate.angle != 0 || start.stretch != Vec3::Ones();
  Start result;
  result.shape = body.start.empty() ? body.rest.vertices : body.start;
  const Vec3 center = center_of_mass(body.rest, result.shape);
  // An undeformed start must be the rest shape to the last bit.
  if (moved)
    for (Vec3& x : result.shape) x = center + turn * (x - center).cwiseProduct(start.stretch);
  result.positions = result.shape;
  const std::vector<char> scripted = scripted_vertices(body);
  if (start.randomise > 0) randomise(result.positions, scripted, start.randomise, Random(seed));
  for (size_t i = 0; i < result.positions.size(); ++i) {
    if (start.collapse && !scripted[i]) result.positions[i] = *start.collapse;
  }
  for (const MoveKeys& move : start.moves)
    if (!scripted[move.vertex]) result.positions[move.vertex] = move.to;
  for (size_t i = 0; i < result.positions.size(); ++i) {
    if (body.rest.planar()) result.positions[i].z() = body.rest.vertices[i].z();
    result.velocities.push_back(start.velocity + start.spin.cross(result.positions[i] - center));
  }
  return result;
}

}  // namespace pliant
