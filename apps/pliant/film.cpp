#include "film.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "inversion.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/picture/creases.hpp"
#include "pliant/picture/lighting.hpp"
#include "pliant/picture/tubes.hpp"

namespace pliant {

namespace {

/// As thick as can be told from its neighbours, whatever its true thickness.
double radius_of_strand(const TetMesh& rest) {
  constexpr double kShare = 0.25;  // of an edge
  double sum = 0;
  for (const auto& [a, b] : rest.edges) sum += (rest.vertices[a] - rest.vertices[b]).norm();
  return kShare * sum / static_cast<double>(std::max<size_t>(1, rest.edges.size()));
}

std::vector<Vec3> outward_normals(const TriangleMesh& mesh) {
  std::vector<Vec3> outward(mesh.vertices.size(), Vec3::Zero());
  for (const auto& triangle : mesh.triangles) {
    const Vec3& a = mesh.vertices[triangle[0]];
    const Vec3 area = (mesh.vertices[triangle[1]] - a).cross(mesh.vertices[triangle[2]] - a);
    for (const int vertex : triangle) outward[vertex] += area;
  }
  for (Vec3& normal : outward) normal = normal.stableNormalized();
  return outward;
}

Surface with_creases(const TriangleMesh& mesh) {
  Surface surface{mesh, std::vector<int>(mesh.vertices.size()), {}};
  std::iota(surface.vertex_of.begin(), surface.vertex_of.end(), 0);
  return split_creases(surface);
}

/// The plane that a surface lies in.
struct Plane {
  Vec3 point, normal;
};

std::optional<Plane> plane_of(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return {};
  const auto& [a, b, c] = mesh.triangles[0];
  const Vec3 point = mesh.vertices[a];
  const Vec3 across = (mesh.vertices[b] - point).cross(mesh.vertices[c] - point),
             normal = across.normalized();
  const double near = 1e-6 * std::sqrt(across.norm());
  const bool flat = std::all_of(mesh.vertices.begin(), mesh.vertices.end(), [&](const Vec3& vertex) {
    return std::abs(normal.dot(vertex - point)) <= near;
  });
  return flat ? std::optional(Plane{point, normal}) : std::nullopt;
}

/// Its height, where it is level and faces up.
std::optional<double> height_of(const TriangleMesh& mesh) {
  constexpr double kLevel = 1 - 1e-10;
  const std::optional<Plane> plane = plane_of(mesh);
  if (!plane || !(plane->normal.y() > kLevel)) return {};
  return plane->point.y();
}

}  // namespace

Film::Film(const RunFolder& run, bool color_inverted, const std::vector<std::string>& hidden_obstacles)
    : run_(run), color_inverted_(color_inverted) {
  follow(0);
  Bounds bounds;
  for (const RunBody& body : run.bodies())
    for (const Vec3& vertex : body.rest.vertices) bounds.extend(vertex);
  constexpr double kGap = 5e-4;
  if (!bounds.isEmpty()) gap_ = kGap * bounds.diagonal().norm();
  std::string names;
  for (const RunObstacle& obstacle : run.obstacles()) {
    names += (names.empty() ? "" : ", ") + obstacle.name;
    if (std::find(hidden_obstacles.begin(), hidden_obstacles.end(), obstacle.name) == hidden_obstacles.end())
      obstacles_.push_back({&obstacle, with_creases(obstacle.surface), outward_normals(obstacle.surface)});
  }
  for (const std::string& name : hidden_obstacles)
    if (std::none_of(run.obstacles().begin(), run.obstacles().end(),
                     [&](const RunObstacle& obstacle) { return obstacle.name == name; }))
      throw InputError(format("there is no obstacle \"{}\" to hide in this run; {}", name,
                              names.empty() ? "it has none" : "there are: " + names));
}

Color Film::color_of(size_t body) const {
  const std::optional<Vec3>& chosen = run_.bodies()[body].color;
  return chosen ? Color{chosen->x(), chosen->y(), chosen->z()} : palette_color(static_cast<int>(body));
}

/// Bodies may have torn since the frame drawn last.
void Film::follow(int frame) const {
  std::shared_ptr<const std::vector<RunBody>> bodies = run_.bodies_in(frame);
  if (bodies == shown_) return;
  shown_ = std::move(bodies);
  surfaces_.clear();
  for (const RunBody& body : *shown_) surfaces_.push_back(split_creases(extract_surface(body.rest)));
}

std::vector<Drawable> Film::bodies(int frame) const {
  follow(frame);
  const std::vector<Vec3> positions = run_.frame(frame);
  std::vector<Drawable> drawables;
  for (size_t i = 0; i < surfaces_.size(); ++i) {
    const RunBody& body = (*shown_)[i];
    const std::span<const Vec3> own(positions.data() + body.first_vertex, body.rest.vertices.size());
    if (surfaces_[i].mesh.triangles.empty()) {
      drawables.push_back({make_tubes(own, body.rest.edges, radius_of_strand(body.rest)), color_of(i)});
      continue;
    }
    if (color_inverted_) {
      for (Drawable& drawable : pliant::color_inverted(body.rest, surfaces_[i], own))
        drawables.push_back(std::move(drawable));
      continue;
    }
    Drawable& drawable = drawables.emplace_back(surfaces_[i].mesh, color_of(i));
    for (size_t k = 0; k < surfaces_[i].vertex_of.size(); ++k)
      drawable.mesh.vertices[k] = own[static_cast<size_t>(surfaces_[i].vertex_of[k])];
  }
  return drawables;
}

std::vector<Drawable> Film::obstacles(int frame, bool unbounded) const {
  std::vector<Drawable> drawables;
  for (const VisibleObstacle& obstacle : obstacles_) {
    if (obstacle.stored->unbounded != unbounded) continue;
    const Pose& pose = obstacle.stored->poses[static_cast<size_t>(frame)];
    Drawable& drawable = drawables.emplace_back(obstacle.surface.mesh, kNeutralColor);
    for (size_t i = 0; i < drawable.mesh.vertices.size(); ++i) {
      Vec3& vertex = drawable.mesh.vertices[i];
      // A sheet shall lie on an obstacle and not in it, and obstacles go on standing on each other.
      Vec3 away = pose.turn * obstacle.outward[static_cast<size_t>(obstacle.surface.vertex_of[i])];
      away.y() = 1;
      vertex = pose.position(vertex) - gap_ * away;
    }
  }
  return drawables;
}

std::vector<Drawable> Film::obstacles(int frame) const { return obstacles(frame, false); }
std::vector<Drawable> Film::endless(int frame) const { return obstacles(frame, true); }

std::vector<Drawable> Film::endless_behind(int frame, const Camera& camera, bool without_floor) const {
  const Vec3 light = Lighting(camera).key_direction().cast<double>();
  const std::optional<double> ground = without_floor ? floor(frame) : std::nullopt;
  std::vector<Drawable> drawables = endless(frame);
  std::erase_if(drawables, [&](const Drawable& drawable) {
    const std::optional<Plane> plane = plane_of(drawable.mesh);
    const bool hides =
        plane && (plane->normal.dot(camera.eye - plane->point) <= 0 || plane->normal.dot(light) <= 0);
    return hides || (ground && height_of(drawable.mesh) == ground);
  });
  return drawables;
}

std::optional<double> Film::floor(int frame) const {
  std::optional<double> highest;
  for (const Drawable& drawable : endless(frame)) {
    const std::optional<double> height = height_of(drawable.mesh);
    if (height && (!highest || *height > *highest)) highest = height;
  }
  return highest;
}

}  // namespace pliant
