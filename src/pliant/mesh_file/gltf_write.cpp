#include <algorithm>
#include <limits>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/append_bytes.hpp"
#include "pliant/mesh_file/gltf.hpp"

namespace pliant {

namespace {

/// Collects accessors and the bytes they speak of; each has a view of its own.
class GlbBuilder {
 public:
  int add_floats(const std::vector<double>& values, int components, bool with_bounds) {
    const size_t begin = binary.size(), width = static_cast<size_t>(components);
    std::vector<float> low(width, std::numeric_limits<float>::infinity()), high(width, -low[0]);
    for (size_t i = 0; i < values.size(); ++i) {
      const float value = to_single_precision(values[i], "glTF");
      low[i % width] = std::min(low[i % width], value);
      high[i % width] = std::max(high[i % width], value);
      append_bytes(binary, value);
    }
    Json accessor = {{"bufferView", add_view(begin, 34962)},
                     {"componentType", 5126},
                     {"count", values.size() / width},
                     {"type", components == 1 ? "SCALAR" : "VEC3"}};
    if (with_bounds) {
      accessor["min"] = low;
      accessor["max"] = high;
    }
    return add(std::move(accessor));
  }

  int add_corners(const std::vector<std::array<int, 3>>& triangles) {
    const size_t begin = binary.size();
    for (const auto& triangle : triangles)
      for (const int corner : triangle) append_bytes(binary, static_cast<std::uint32_t>(corner));
    return add({{"bufferView", add_view(begin, 34963)},
                {"componentType", 5125},
                {"count", 3 * triangles.size()},
                {"type", "SCALAR"}});
  }

  Json views = Json::array(), accessors = Json::array();
  std::string binary;

 private:
  size_t add_view(size_t begin, int target) {
    views.push_back(
        {{"buffer", 0}, {"byteOffset", begin}, {"byteLength", binary.size() - begin}, {"target", target}});
    return views.size() - 1;
  }

  int add(Json accessor) {
    accessors.push_back(std::move(accessor));
    return static_cast<int>(accessors.size()) - 1;
  }
};

std::string attribute_name(const PointData& field) {
  return field.name == "colour" && field.components == 3 ? "COLOR_0" : format("_{}", field.name);
}

void append_chunk(std::string& bytes, std::string data, const char* kind, char padding) {
  data.resize((data.size() + 3) / 4 * 4, padding);
  append_bytes(bytes, static_cast<std::uint32_t>(data.size()));
  bytes.append(kind, 4);
  bytes += data;
}

}  // namespace

std::string glb_bytes(const MeshContents& mesh) {
  if (mesh.triangles.empty()) throw InputError("there is no triangle to write to a glTF file");
  GlbBuilder builder;
  std::vector<double> positions;
  for (const Vec3& x : mesh.vertices) positions.insert(positions.end(), x.begin(), x.end());
  Json attributes = {{"POSITION", builder.add_floats(positions, 3, true)}};
  for (const PointData& field : mesh.fields) {
    if ((field.components != 1 && field.components != 3) ||
        field.values.size() != mesh.vertices.size() * static_cast<size_t>(field.components))
      throw InputError(format("field '{}' does not fit the mesh", field.name));
    attributes[attribute_name(field)] = builder.add_floats(field.values, field.components, false);
  }
  const Json primitive = {{"attributes", attributes},
                          {"indices", builder.add_corners(mesh.triangles)},
                          {"material", 0},
                          {"mode", 4}};
  // Metal, the default, looks black without surroundings; cloth is seen from both sides.
  const Json material = {{"doubleSided", true}, {"pbrMetallicRoughness", {{"metallicFactor", 0}}}};
  const Json document = {{"asset", {{"version", "2.0"}, {"generator", "Pliant"}}},
                         {"scene", 0},
                         {"scenes", Json::array({{{"nodes", {0}}}})},
                         {"nodes", Json::array({{{"mesh", 0}}})},
                         {"meshes", Json::array({{{"primitives", Json::array({primitive})}}})},
                         {"materials", Json::array({material})},
                         {"buffers", Json::array({{{"byteLength", builder.binary.size()}}})},
                         {"bufferViews", builder.views},
                         {"accessors", builder.accessors}};
  const std::string json = document.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (builder.binary.size() + json.size() > std::numeric_limits<std::uint32_t>::max() - 64)
    throw InputError("the mesh is too large for a glTF file, which ends at 4 GiB; write a .ply");
  std::string chunks;
  append_chunk(chunks, json, "JSON", ' ');
  append_chunk(chunks, std::move(builder.binary), "BIN\0", '\0');
  std::string bytes = "glTF";
  append_bytes(bytes, std::uint32_t{2});
  append_bytes(bytes, static_cast<std::uint32_t>(bytes.size() + 4 + chunks.size()));
  return bytes + chunks;
}

void write_glb(const std::filesystem::path& path, const MeshContents& mesh) {
  write_file_atomically(path, glb_bytes(mesh));
}

}  // namespace pliant
