#include <algorithm>
#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/gltf.hpp"
#include "pliant/mesh_file/gltf_document.hpp"

namespace pliant {

namespace {

class GltfReader {
 public:
  GltfReader(std::string_view bytes, const std::string& name)
      : document_(bytes, name), most_(1'000'000 + 16 * bytes.size()) {}

  MeshContents read() {
    struct Visit {
      size_t node;
      Eigen::Affine3d to_parent;
    };
    std::vector<Visit> waiting;
    for (const size_t root : document_.roots()) waiting.push_back({root, Eigen::Affine3d::Identity()});
    std::reverse(waiting.begin(), waiting.end());  // the last of the list comes first
    std::vector<bool> visited(document_.node_count(), false);
    while (!waiting.empty()) {
      const Visit visit = waiting.back();
      waiting.pop_back();
      const GltfNode node = document_.node(visit.node);
      if (visited[visit.node])
        document_.fail(format("glTF: node {} is reached twice; the nodes must form a tree", visit.node));
      visited[visit.node] = true;
      const Eigen::Affine3d to_world = visit.to_parent * node.transform;
      if (node.mesh) add_mesh(*node.mesh, to_world);
      for (auto child = node.children.rbegin(); child != node.children.rend(); ++child)
        waiting.push_back({*child, to_world});
    }
    if (mesh_.triangles.empty()) document_.fail("glTF: there are no triangles in the scene of the file");
    return std::move(mesh_);
  }

 private:
  void add_mesh(size_t mesh, const Eigen::Affine3d& to_world) {
    const std::vector<GltfPrimitive> primitives = document_.primitives(mesh);
    parts_ += 10 * primitives.size();  // looking one up takes longer than reading a vertex
    grow_to(parts_);
    for (const GltfPrimitive& primitive : primitives)
      if (primitive.mode >= 4) add_primitive(primitive, to_world);
  }

  void add_primitive(const GltfPrimitive& primitive, const Eigen::Affine3d& to_world) {
    const auto position = std::find_if(primitive.attributes.begin(), primitive.attributes.end(),
                                       [](const auto& attribute) { return attribute.first == "POSITION"; });
    if (position == primitive.attributes.end()) return;  // nothing to show, says the standard
    const Index count = document_.count(position->second);
    grow_to(mesh_.vertices.size() + static_cast<size_t>(count));
    const GltfNumbers positions = document_.numbers(position->second);
    if (positions.components != 3) document_.fail("glTF: POSITION must have three numbers a vertex");
    const size_t first = mesh_.vertices.size();
    for (size_t i = 0; i < positions.values.size(); i += 3) {
      const Vec3 x = to_world * Vec3(positions.values[i], positions.values[i + 1], positions.values[i + 2]);
      if (!x.allFinite())
        document_.fail(format("glTF: vertex {} has a coordinate that is not finite", i / 3));
      mesh_.vertices.push_back(x);
    }
    for (const auto& [name, accessor] : primitive.attributes) {
      if (name == "COLOR_0") add_field("colour", accessor, first);
      if (name.size() > 1 && name[0] == '_') add_field(name.substr(1), accessor, first);
    }
    for (PointData& field : mesh_.fields) pad(field, mesh_.vertices.size());
    // A mirrored part turns its triangles over.
    add_triangles(primitive, static_cast<int>(first), to_world.linear().determinant() < 0);
  }

  /// One large mesh may stand in many places of the scene; a hostile file may let it stand in millions.
  void grow_to(size_t size) {
    if (size > most_)
      document_.fail(format(
          "glTF: the scene repeats vertices, triangles, parts or fields more than {} times, too often for a "
          "file of this "
          "size",
          most_));
  }

  static void pad(PointData& field, size_t vertices) {
    field.values.resize(vertices * static_cast<size_t>(field.components), field.name == "colour" ? 1.0 : 0.0);
  }

  void add_field(const std::string& name, size_t accessor, size_t first) {
    const size_t count = mesh_.vertices.size() - first;
    if (static_cast<size_t>(document_.count(accessor)) != count)
      document_.fail(format("glTF: attribute '{}' has {} elements for {} vertices", name,
                            document_.count(accessor), count));
    // A field has numbers for all vertices, those of other parts too.
    grow_to((mesh_.fields.size() + 1) * mesh_.vertices.size());
    const GltfNumbers numbers = document_.numbers(accessor);
    const bool is_colour = name == "colour";
    const int components = is_colour && numbers.components == 4 ? 3 : numbers.components;  // without alpha
    if (components != 3 && (components != 1 || is_colour)) return;
    auto field = std::find_if(mesh_.fields.begin(), mesh_.fields.end(),
                              [&](const PointData& known) { return known.name == name; });
    if (field == mesh_.fields.end()) field = mesh_.fields.insert(field, {name, components, {}});
    if (field->components != components || field->values.size() > first * static_cast<size_t>(components))
      document_.fail(format("glTF: attribute '{}' is of different kinds in parts of the scene", name));
    pad(*field, first);
    for (size_t i = 0; i < numbers.values.size(); ++i) {
      if (static_cast<int>(i) % numbers.components >= components) continue;
      if (!std::isfinite(numbers.values[i]))
        document_.fail(format("glTF: attribute '{}' has a value that is not finite", name));
      field->values.push_back(numbers.values[i]);
    }
  }

  std::vector<int> corners_of(const GltfPrimitive& primitive, int first) {
    const size_t vertices = mesh_.vertices.size() - static_cast<size_t>(first);
    std::vector<int> corners;
    if (!primitive.indices) {
      for (size_t v = 0; v < vertices; ++v) corners.push_back(first + static_cast<int>(v));
      return corners;
    }
    grow_to(mesh_.triangles.size() + static_cast<size_t>(document_.count(*primitive.indices)) / 3);
    const GltfNumbers indices = document_.numbers(*primitive.indices);
    if (indices.components != 1) document_.fail("glTF: indices must be of type SCALAR");
    for (const double index : indices.values) {
      if (!(index >= 0 && index < static_cast<double>(vertices)) || index != std::floor(index))
        document_.fail(format("glTF: index {} names no vertex; there are {}", index, vertices));
      corners.push_back(first + static_cast<int>(index));
    }
    return corners;
  }

  void add_triangles(const GltfPrimitive& primitive, int first, bool turned) {
    const std::vector<int> corners = corners_of(primitive, first);
    if (primitive.mode == 4 && corners.size() % 3 != 0)
      document_.fail(format("glTF: {} corners do not make triangles of three", corners.size()));
    const size_t step = primitive.mode == 4 ? 3 : 1;
    for (size_t i = 0; i + 2 < corners.size(); i += step) {
      std::array<int, 3> triangle = {corners[i], corners[i + 1], corners[i + 2]};
      if (primitive.mode == 5 && i % 2 == 1) std::swap(triangle[1], triangle[2]);
      if (primitive.mode == 6) triangle[0] = corners[0], triangle[1] = corners[i + 1];
      if (turned) std::swap(triangle[1], triangle[2]);
      const bool is_seam =
          triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0];
      if (primitive.mode == 5 && is_seam) continue;  // strips are sewn together by triangles without area
      grow_to(mesh_.triangles.size() + 1);
      mesh_.triangles.push_back(triangle);
    }
  }

  GltfDocument document_;
  size_t most_;  // vertices, triangles, tenths of a primitive, and vertices times fields
  size_t parts_ = 0;
  MeshContents mesh_;
};

}  // namespace

MeshContents parse_glb(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) throw InputError(Complaint{name, 0, 0, "the file is empty"});
  return GltfReader(bytes, name).read();
}

}  // namespace pliant
