#include "pliant/scene/scene.hpp"

#include <algorithm>
#include <set>

#include "pliant/base/checksum.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/scene/names.hpp"
#include "pliant/scene/reader.hpp"
#include "pliant/scene/writer.hpp"

namespace pliant {

namespace {

/// Fills in missing names and complains about those used twice. `what` with its article is what the items
/// are.
template <class Keys>
void name_all(std::vector<Keys>& items, std::string_view article, std::string_view what,
              std::vector<Complaint>& complaints) {
  std::set<std::string> names;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].name.empty()) items[i].name = default_name(what, i);
    if (!names.insert(items[i].name).second)
      complaints.push_back(items[i].name_origin.complaint(format(
          "there is already {} {} called \"{}\"; give this one another name", article, what, items[i].name)));
  }
}

/// Of the mesh and of what is painted on it.
std::uint64_t checksum(const PlacedBody& body) {
  Checksum sum;
  sum.add(body.rest.vertices);
  sum.add(body.rest.tets);
  sum.add(body.rest.triangles);
  sum.add(body.rest.edges);
  sum.add(body.rest.hexes);
  for (const PointData& field : body.fields) {
    sum.add(field.name.data(), field.name.size());
    sum.add(field.values.data(), field.values.size() * sizeof(double));
  }
  return sum.value();
}

std::uint64_t checksum(const TriangleMesh& surface) {
  Checksum sum;
  sum.add(surface.vertices);
  sum.add(surface.triangles);
  return sum.value();
}

/// In the order of the file, overrides last.
void sort_by_place(std::vector<Complaint>& complaints) {
  std::stable_sort(complaints.begin(), complaints.end(), [](const Complaint& a, const Complaint& b) {
    if ((a.line > 0) != (b.line > 0)) return a.line > 0;
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
}

}  // namespace

std::string Scene::text() const {
  std::string text = to_toml(keys);
  for (size_t i = 0; i < bodies.size(); ++i) {
    const TetMesh& rest = bodies[i].rest;
    text += format("\n# {}: {} vertices, {} elements, checksum {:016x}", keys.bodies[i].name,
                   rest.vertices.size(), rest.element_count(), checksum(bodies[i]));
  }
  for (const Obstacle& obstacle : obstacles)
    text += format("\n# obstacle {}: {} triangles, checksum {:016x}", obstacle.name,
                   obstacle.surface.triangles.size(), checksum(obstacle.surface));
  return text + "\n";
}

namespace {

/// Keys as far as they could be read, and every complaint about them in the order of the file.
struct ReadKeys {
  SceneKeys keys;
  std::vector<Complaint> complaints;
};

ReadKeys read_keys(Value document, const std::vector<std::string>& overrides) {
  ReadKeys result;
  std::vector<Complaint>& complaints = result.complaints;
  for (const std::string& item : overrides) {
    try {
      apply_override(document, item);
    } catch (const InputError& error) {
      complaints.insert(complaints.end(), error.complaints().begin(), error.complaints().end());
    }
  }
  Reader reader(document);
  reader.read(result.keys);
  complaints.insert(complaints.begin(), reader.complaints().begin(), reader.complaints().end());
  name_all(result.keys.bodies, "a", "body", complaints);
  name_all(result.keys.obstacles, "an", "obstacle", complaints);
  sort_by_place(complaints);
  return result;
}

}  // namespace

SceneKeys parse_scene(const std::string& text, const std::string& file,
                      const std::vector<std::string>& overrides) {
  ReadKeys read = read_keys(parse_toml(text, file), overrides);
  if (!read.complaints.empty()) throw InputError(read.complaints);
  return std::move(read.keys);
}

SceneKeys read_scene_keys(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  return parse_scene(read_file(path), path.string(), overrides);
}

Scene read_scene(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  return read_scene({parse_toml(read_file(path), path.string()), path.parent_path()}, overrides);
}

Scene read_scene(SceneDocument document, const std::vector<std::string>& overrides) {
  ReadKeys read = read_keys(std::move(document.value), overrides);
  const std::filesystem::path& folder = document.folder;
  for (size_t i = 0; i < std::min(document.meshes.size(), read.keys.bodies.size()); ++i)
    read.keys.bodies[i].given = std::move(document.meshes[i]);
  if (read.complaints.empty()) return place_scene(std::move(read.keys), folder);
  // With wrong keys nothing can be placed, but mesh files can be looked at: all mistakes come at once.
  for (Complaint& complaint : mesh_file_complaints(read.keys, folder))
    read.complaints.push_back(std::move(complaint));
  sort_by_place(read.complaints);
  throw InputError(read.complaints);
}

}  // namespace pliant
