#pragma once

#include <Eigen/Geometry>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// Numbers at the vertices of a primitive, or the corners of its triangles: `components` each.
struct GltfNumbers {
  std::vector<double> values;
  int components = 1;
};

/// A part of a mesh.
struct GltfPrimitive {
  int mode = 4;  ///< 4 triangles, 5 a strip, 6 a fan, below points and lines
  std::vector<std::pair<std::string, size_t>> attributes;  ///< name and accessor
  std::optional<size_t> indices;                           ///< accessor
};

/// A node of the scene's tree.
struct GltfNode {
  Eigen::Affine3d transform = Eigen::Affine3d::Identity();  ///< to the parent's coordinates
  std::vector<size_t> children;
  std::optional<size_t> mesh;
};

/// The JSON of a .glb file and the bytes it speaks of. Everything is looked up when asked for, and whatever
/// is missing, of the wrong kind or out of bounds gives InputError.
class GltfDocument {
 public:
  GltfDocument(std::string_view bytes, std::string name);
  ~GltfDocument();
  GltfDocument(const GltfDocument&) = delete;
  GltfDocument& operator=(const GltfDocument&) = delete;

  /// The nodes at the top of the default scene, or of the first; where there is no scene, those that no other
  /// has as a child.
  std::vector<size_t> roots() const;
  size_t node_count() const;
  GltfNode node(size_t index) const;
  std::vector<GltfPrimitive> primitives(size_t mesh) const;
  /// The numbers of an accessor as doubles; whole numbers marked as normalised are divided by the largest of
  /// their type. At most as many as the file has bytes.
  GltfNumbers numbers(size_t accessor) const;
  Index count(size_t accessor) const;

  [[noreturn]] void fail(const std::string& message) const;

 private:
  struct Contents;  // keeps the JSON library out of this header
  std::unique_ptr<Contents> contents_;
};

}  // namespace pliant
