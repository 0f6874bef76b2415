#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <span>

#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/picture/camera.hpp"
#include "pliant/picture/image.hpp"

namespace pliant {

using Bounds = Eigen::AlignedBox3d;

/// One thing to draw. Shading is smooth across vertices that triangles share; double a vertex to get a
/// crease.
struct Drawable {
  TriangleMesh mesh;
  Color color;
};

/// How to take a picture. All frames of a film share one.
struct RenderSettings {
  Camera camera;
  Bounds bounds;  ///< of everything in all frames: the scale of ambient shadows and of the ground
  std::optional<double>
      ground;  ///< height of the ground, which catches shadows and fades into the background
  int width = 1280;
  int height = 720;
  int samples = 16;    ///< a pixel, where there is something to resolve; a quarter of them where there is not
  bool edges = false;  ///< draw the mesh lines
};

/// Takes a picture by tracing rays: soft shadows of one large light, ambient light with occlusion. The same
/// bytes for any number of threads.
Image render(std::span<const Drawable> drawables, const RenderSettings& settings);

}  // namespace pliant
