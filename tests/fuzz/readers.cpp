#include "fuzz/readers.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "pliant/base/error.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh/merge.hpp"
#include "pliant/mesh_file/gltf.hpp"
#include "pliant/mesh_file/gmsh.hpp"
#include "pliant/mesh_file/medit.hpp"
#include "pliant/mesh_file/npy.hpp"
#include "pliant/mesh_file/obj.hpp"
#include "pliant/mesh_file/ply.hpp"
#include "pliant/mesh_file/stl.hpp"
#include "pliant/mesh_file/tetgen.hpp"
#include "pliant/mesh_file/vtu.hpp"
#include "pliant/run/checkpoint.hpp"
#include "pliant/scene/scene.hpp"
#include "pliant/shape/surface_shape.hpp"

namespace pliant {

namespace {

/// A reader that lets this happen is broken.
void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

/// Asks what filling a surface asks, at a few points.
void fill(const MeshContents& surface) {
  constexpr size_t kAtMost = 200;  // triangles, to be fast
  if (surface.triangles.size() > kAtMost || surface.vertices.size() > kAtMost) return;
  const TriangleMesh triangles{surface.vertices, surface.triangles};
  try {
    const ShapePointer shape = make_surface_shape(triangles, "a");
    const Vec3 middle = shape->bounds().center();
    require(!std::isnan(shape->distance_jet(middle).value), "a distance is not a number");
    for (const PointData& field : carry_over(triangles, surface.fields, {&middle, 1}))
      for (const double value : field.values)
        require(std::isfinite(value), "a value carried over is not finite");
  } catch (const InputError&) {
  }
}

void use_mesh(const MeshContents& mesh) {
  const auto exists = [&](int vertex) {
    require(vertex >= 0 && static_cast<size_t>(vertex) < mesh.vertices.size(), "a corner does not exist");
  };
  for (const auto& tet : mesh.tets) std::ranges::for_each(tet, exists);
  for (const auto& triangle : mesh.triangles) std::ranges::for_each(triangle, exists);
  for (const auto& edge : mesh.edges) std::ranges::for_each(edge, exists);
  for (const Vec3& x : mesh.vertices) require(x.allFinite(), "a coordinate is not finite");
  for (const PointData& field : mesh.fields)
    for (const double value : field.values) require(std::isfinite(value), "a value is not finite");
  check_fields(mesh);
  const TetMesh body = body_of(mesh);
  find_defects(body);
  extract_surface(body);
  tidied_triangles(merge_equal_vertices(mesh));
  fill(skin_of(mesh));
}

/// Three files in one, each behind a line "==".
void read_tetgen_texts(const std::string& text) {
  TetgenTexts texts;
  size_t begin = 0;
  for (std::string* part : {&texts.node, &texts.ele, &texts.face}) {
    const size_t end = std::min(text.find("==\n", begin), text.size());
    *part = text.substr(begin, end - begin);
    begin = std::min(end + 3, text.size());
  }
  use_mesh(parse_tetgen(texts, "a"));
}

/// Large boxes are valid and slow; files of meshes are fuzzed on their own.
bool is_cheap(const SceneKeys& keys) {
  const auto plain = [](const ObstacleKeys& obstacle) {
    return !obstacle.is_from_file() && !obstacle.grid && obstacle.shape && obstacle.shape->parts.empty();
  };
  if (keys.obstacles.size() >= 10 || !std::all_of(keys.obstacles.begin(), keys.obstacles.end(), plain))
    return false;
  return keys.bodies.size() < 10 && std::all_of(keys.bodies.begin(), keys.bodies.end(), [](const auto& body) {
           if (!body.shape) return false;
           if (body.shape->kind != "box" || body.shape->cell || body.shape->round > 0) return false;
           const auto& cells = body.shape->cells;
           return 1.0 * cells[0] * cells[1] * cells[2] < 1000;
         });
}

void read_scene_text(const std::string& text) {
  const SceneKeys keys = parse_scene(text, "scene.toml");
  if (!is_cheap(keys)) return;
  const std::string written = place_scene(keys, ".").text();
  require(place_scene(parse_scene(written, "again.toml"), ".").text() == written, "it is not read back");
}

/// The first line is what `--set` gives, the rest the scene.
void read_override(const std::string& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  parse_scene(text.substr(end), "scene.toml", {text.substr(0, end)});
}

void read_npy_bytes(const std::string& bytes) {
  const NpyArray array = parse_npy(bytes, "a.npy");
  require(static_cast<Index>(array.values.size()) == array.rows * array.columns, "the shape does not fit");
}

/// Damage is caught by the checksum, so that nothing behind it would be tried: the sum is made right here.
void read_checkpoint(const std::string& bytes) {
  const std::uint64_t sum = checkpoint_sum(bytes);
  const std::string whole = bytes + std::string(reinterpret_cast<const char*>(&sum), sizeof sum);
  decode(whole, "checkpoint.bin");
}

constexpr FuzzedReader kReaders[] = {
    {"scene", read_scene_text},
    {"override", read_override},
    {"gmsh", [](const std::string& text) { use_mesh(parse_gmsh(text, "a.msh")); }},
    {"vtu", [](const std::string& text) { use_mesh(parse_vtu(text, "a.vtu")); }},
    {"medit", [](const std::string& text) { use_mesh(parse_medit(text, "a.mesh")); }},
    {"tetgen", read_tetgen_texts},
    {"obj", [](const std::string& text) { use_mesh(parse_obj(text, "a.obj")); }},
    {"ply", [](const std::string& bytes) { use_mesh(parse_ply(bytes, "a.ply")); }},
    {"stl", [](const std::string& bytes) { use_mesh(parse_stl(bytes, "a.stl")); }},
    {"gltf", [](const std::string& bytes) { use_mesh(parse_glb(bytes, "a.glb")); }},
    {"npy", read_npy_bytes},
    {"checkpoint", read_checkpoint},
};

}  // namespace

std::span<const FuzzedReader> fuzzed_readers() { return kReaders; }

}  // namespace pliant
