#pragma once

#include <string>
#include <vector>

#include "pliant/mesh_file/append_bytes.hpp"

namespace pliant {

/// A .glb file of JSON and numbers.
inline std::string glb_of(std::string json, std::string binary) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  std::string bytes = "glTF";
  append_bytes(bytes, std::uint32_t{2});
  append_bytes(bytes, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + binary.size()));
  append_bytes(bytes, static_cast<std::uint32_t>(json.size()));
  bytes += "JSON" + json;
  append_bytes(bytes, static_cast<std::uint32_t>(binary.size()));
  return bytes + std::string("BIN\0", 4) + binary;
}

/// A square of four vertices, each followed by a colour of four bytes (so that the stride is 16), then the
/// pins of the vertices as floats, then indices of the two triangles as 16-bit numbers (as a strip the first
/// four).
inline std::string gltf_binary() {
  std::string binary;
  const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  for (const auto& corner : corners) {
    for (const float value : corner) append_bytes(binary, value);
    for (const int value : {255, 0, 51, 255}) append_bytes(binary, static_cast<std::uint8_t>(value));
  }
  for (const float pin : {0.f, 1.f, 0.5f, 0.25f}) append_bytes(binary, pin);
  for (const int corner : {0, 1, 2, 3, 2, 1}) append_bytes(binary, static_cast<std::uint16_t>(corner));
  return binary;
}

/// In the manner of Blender's exporter: a node in a node, each with a transformation.
inline const std::string kGltfJson = R"({
"asset":{"generator":"Khronos glTF Blender I/O v4.1.63","version":"2.0"},
"scene":0,"scenes":[{"name":"Scene","nodes":[1]}],
"nodes":[{"mesh":0,"name":"Plane","translation":[10,0,0]},
 {"children":[0],"name":"Parent","rotation":[0,0,0.70710678118654757,0.70710678118654757],"scale":[2,2,2]}],
"meshes":[{"name":"Plane","primitives":[{"attributes":{"POSITION":0,"COLOR_0":1,"_pin":2},"indices":3,"mode":4}]}],
"accessors":[
 {"bufferView":0,"componentType":5126,"count":4,"max":[1,1,0],"min":[0,0,0],"type":"VEC3"},
 {"bufferView":0,"byteOffset":12,"componentType":5121,"normalized":true,"count":4,"type":"VEC4"},
 {"bufferView":1,"componentType":5126,"count":4,"type":"SCALAR"},
 {"bufferView":2,"componentType":5123,"count":6,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":64,"byteOffset":0,"byteStride":16,"target":34962},
 {"buffer":0,"byteLength":16,"byteOffset":64},{"buffer":0,"byteLength":12,"byteOffset":80}],
"buffers":[{"byteLength":92}]})";

}  // namespace pliant
