// What can only be checked with the meshes at hand: files, rest shapes, regions.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/base/text.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh/region.hpp"
#include "pliant/mesh_file/mesh_file.hpp"
#include "pliant/scene/place_obstacle.hpp"
#include "pliant/scene/placement.hpp"
#include "pliant/scene/registry.hpp"
#include "pliant/scene/scene.hpp"
#include "pliant/scene/value.hpp"

namespace pliant {

namespace {

namespace fs = std::filesystem;

std::string shown(const Vec3& point) {
  return format("[{:.6g}, {:.6g}, {:.6g}]", point[0], point[1], point[2]);
}

PaintedMesh given_mesh(const BodyKeys& keys) {
  PaintedMesh mesh = *keys.given;
  if (keys.shape && is_thin(keys.shape->kind)) mesh.mesh.thickness = thickness_of(*keys.shape);
  return mesh;
}

/// The mesh as the program, the file or the shape gives it.
PaintedMesh load(const BodyKeys& keys) {
  if (keys.given) return given_mesh(keys);
  if (!keys.mesh) return make_shape(*keys.shape);
  require_mesh_file(*keys.mesh);
  MeshContents contents = read_mesh_file(*keys.mesh);
  if (contents.tets.empty() && !contents.triangles.empty()) return fill_surface(contents, *keys.mesh, {});
  return solid_of(std::move(contents), *keys.mesh);
}

/// Throws InputError that names the fields there are.
const PointData& find_field(const std::vector<PointData>& fields, const std::string& name) {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const PointData& field) { return field.name == name; });
  if (found != fields.end()) return *found;
  std::string names;
  for (const PointData& field : fields) names += (names.empty() ? "" : ", ") + field.name;
  throw InputError(format("no field called {} is painted on the mesh; {}", toml_text(name),
                          names.empty() ? "there is none at all" : "there are " + names));
}

/// The number at a vertex; of a vector its length.
double value_at(const PointData& field, size_t vertex) {
  if (field.components == 1) return field.values[vertex];
  double squared = 0;
  for (int k = 0; k < field.components; ++k) {
    const double value = field.values[vertex * field.components + k];
    squared += value * value;
  }
  return std::sqrt(squared);
}

Region to_region(const RegionKeys& keys, const PlacedBody& body) {
  if (keys.field) {
    const PointData& field = find_field(body.fields, keys.field->name);
    IndexRegion painted;
    for (size_t i = 0; i < body.rest.vertices.size(); ++i)
      if (value_at(field, i) > keys.field->above) painted.indices.push_back(static_cast<int>(i));
    return painted;
  }
  if (keys.box) return BoxRegion{keys.box->min, keys.box->max};
  if (keys.sphere) return SphereRegion{keys.sphere->center, keys.sphere->radius};
  if (keys.plane) return PlaneRegion{keys.plane->point, keys.plane->normal};
  return IndexRegion{*keys.indices};
}

class Placer {
 public:
  Placer(const fs::path& folder, std::vector<Complaint>& complaints)
      : folder_(folder), complaints_(complaints) {}

  /// Mesh paths in a scene are relative to its folder.
  template <class Keys>
  void complete_path(Keys& keys) const {
    if (keys.shape) complete_paths(*keys.shape, folder_);
    if (keys.mesh) keys.mesh = fs::absolute(folder_ / *keys.mesh).lexically_normal().string();
  }

  PlacedBody place_body(const BodyKeys& keys) {
    PlacedBody body;
    if (!load_rest(keys, body)) return body;
    paint_stiffness(keys, body);
    std::vector<char> taken(body.rest.vertices.size(), 0);
    for (const ScriptKeys& script : keys.scripts) {
      body.scripted.push_back(select(script.region, keys.name, body));
      claim(body.scripted.back(), script.region.origin, taken);
    }
    for (const MoveKeys& move : keys.start.moves)
      if (move.vertex >= std::ssize(body.rest.vertices))
        complaints_.push_back(
            keys.origin.complaint(format("start.move: body {} has no vertex {}; it has {}, counted from 0",
                                         keys.name, move.vertex, body.rest.vertices.size())));
    for (const AttachmentKeys& attachment : keys.attachments)
      body.attached.push_back(select(attachment.region, keys.name, body));
    return body;
  }

  bool load_rest(const BodyKeys& keys, PlacedBody& body) {
    const size_t before = complaints_.size();
    TetMesh& rest = body.rest;
    try {
      PaintedMesh painted = load(keys);
      rest = std::move(painted.mesh);
      body.fields = std::move(painted.fields);
      body.start = std::move(painted.start);
    } catch (const InputError& error) {
      complain_at(keys.source, error);
      return false;
    }
    place(keys, rest.vertices);
    place(keys, body.start);
    for (const std::string& defect : find_defects(rest))
      complaints_.push_back(keys.source.complaint(format("body {}: {}", keys.name, defect)));
    if (complaints_.size() > before) return false;
    for (const double mass : lumped_masses(rest, keys.material.density)) {
      if (std::isnormal(mass)) continue;
      complaints_.push_back(keys.source.complaint(format(
          "body {}: the mass of a vertex is too large or too small for a number; check sizes and density",
          keys.name)));
      return false;
    }
    return true;
  }

  /// Of those that could not be loaded nothing.
  std::vector<Obstacle> place_obstacles(std::vector<ObstacleKeys>& all, Bounds scene) {
    std::vector<Obstacle> obstacles(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
      complete_path(all[i]);
      load_obstacle_of(all[i], obstacles[i]);
      if (obstacles[i].shape && !obstacles[i].unbounded()) scene.extend(obstacles[i].shape->bounds());
    }
    for (size_t i = 0; i < all.size(); ++i) {
      try {
        if (obstacles[i].shape) finish_obstacle(all[i], obstacles[i], scene);
      } catch (const InputError& error) {
        complain_at(all[i].source, error, format("obstacle {}: ", all[i].name));
      }
    }
    return obstacles;
  }

  void load_obstacle_of(const ObstacleKeys& keys, Obstacle& obstacle) {
    try {
      obstacle = load_obstacle(keys);
    } catch (const InputError& error) {
      complain_at(keys.source, error, format("obstacle {}: ", keys.name));
    }
  }

 private:
  void complain_at(const Origin& origin, const InputError& error, const std::string& about = "") {
    for (const Complaint& complaint : error.complaints())
      complaints_.push_back(origin.complaint(about + complaint.text()));
  }

  void paint_stiffness(const BodyKeys& keys, PlacedBody& body) {
    if (!keys.material.young_field) return;
    const std::string& name = *keys.material.young_field;
    try {
      const PointData& field = find_field(body.fields, name);
      // Sheets of springs have edges for elements, others triangles.
      const TetMesh& rest = body.rest;
      const bool by_triangles = rest.thin() && keys.material.model != "springs";
      for (size_t e = 0; e < (by_triangles ? rest.triangles.size() : rest.element_count()); ++e) {
        const std::span<const int> corners =
            by_triangles ? std::span<const int>(rest.triangles[e]) : rest.element(e);
        double sum = 0;
        for (const int corner : corners) sum += value_at(field, static_cast<size_t>(corner));
        body.stiffness.push_back(sum / static_cast<double>(corners.size()));
        if (!std::isnormal(body.stiffness.back()) || body.stiffness.back() < 0)
          throw InputError(
              format("field {} is {} on average over element {}; to multiply a stiffness it must be "
                     "positive",
                     name, body.stiffness.back(), e));
      }
    } catch (const InputError& error) {
      for (const Complaint& complaint : error.complaints())
        complaints_.push_back(
            keys.origin.complaint(format("body {}: material.young_field: {}", keys.name, complaint.message)));
    }
  }

  std::vector<int> select(const RegionKeys& keys, const std::string& name, const PlacedBody& body) {
    const TetMesh& rest = body.rest;
    std::vector<int> vertices;
    try {
      vertices = select_vertices(to_region(keys, body), rest.vertices);
    } catch (const InputError& error) {
      for (const Complaint& complaint : error.complaints())
        complaints_.push_back(keys.origin.complaint(format("body {}: {}", name, complaint.message)));
      return vertices;
    }
    if (vertices.empty()) {
      Eigen::AlignedBox3d bounds;
      for (const Vec3& vertex : rest.vertices) bounds.extend(vertex);
      complaints_.push_back(keys.origin.complaint(format(
          "this region selects no vertex; body {} has {} vertices between {} and {} where it is placed", name,
          rest.vertices.size(), shown(bounds.min()), shown(bounds.max()))));
    }
    return vertices;
  }

  /// A vertex can follow one script only.
  void claim(const std::vector<int>& vertices, const Origin& origin, std::vector<char>& taken) {
    const auto shared =
        std::count_if(vertices.begin(), vertices.end(), [&](int vertex) { return taken[vertex] != 0; });
    if (shared > 0)
      complaints_.push_back(origin.complaint(format(
          "{} of the {} vertices of this script are in an earlier script already; make the regions disjoint",
          shared, vertices.size())));
    for (const int vertex : vertices) taken[vertex] = 1;
  }

  const fs::path& folder_;
  std::vector<Complaint>& complaints_;
};

}  // namespace

std::vector<Complaint> mesh_file_complaints(const SceneKeys& keys, const fs::path& folder) {
  std::vector<Complaint> complaints;
  Placer placer(folder, complaints);
  for (BodyKeys body : keys.bodies) {
    if (!body.mesh) continue;
    if (!body.given) placer.complete_path(body);
    PlacedBody placed;
    placer.load_rest(body, placed);
  }
  for (ObstacleKeys keys_of : keys.obstacles) {
    if (!keys_of.mesh) continue;
    placer.complete_path(keys_of);
    Obstacle loaded;
    placer.load_obstacle_of(keys_of, loaded);
  }
  return complaints;
}

Scene place_scene(SceneKeys keys, const fs::path& folder) {
  std::vector<Complaint> complaints;
  Scene scene;
  Placer placer(folder, complaints);
  Bounds bounds;
  for (BodyKeys& body : keys.bodies) {
    if (!body.given) placer.complete_path(body);
    scene.bodies.push_back(placer.place_body(body));
    for (const Vec3& vertex : scene.bodies.back().rest.vertices) bounds.extend(vertex);
  }
  if (bounds.isEmpty()) bounds.extend(Vec3(0, 0, 0));
  scene.obstacles = placer.place_obstacles(keys.obstacles, bounds);
  if (!complaints.empty()) throw InputError(complaints);
  scene.keys = std::move(keys);
  return scene;
}

}  // namespace pliant
