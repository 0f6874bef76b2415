#pragma once

#include <array>
#include <span>

#include "pliant/base/types.hpp"

namespace pliant {

/// A pinhole camera at `eye` that looks at `target`; y is up. The field of view is the full vertical angle in
/// degrees.
struct Camera {
  Vec3 eye = {0, 0, 1};
  Vec3 target = {0, 0, 0};
  double field_of_view = 30;

  /// Unit vectors to the right, up and backward (away from what is seen), as columns.
  Mat3 axes() const;

  /// Where a point appears: x from -aspect at the left to aspect at the right, y from -1 at the bottom to 1
  /// at the top, z the distance in front of the eye (negative behind it).
  Vec3 project(const Vec3& point) const;
};

/// Finds the nearest camera that keeps everything it was shown in the picture, from a three-quarter view
/// slightly above. Show it all frames of a film, then ask for one camera: the picture holds still.
class CameraFit {
 public:
  explicit CameraFit(double aspect, double field_of_view = 30);

  void include(const Vec3& point);
  Camera camera() const;

 private:
  double aspect_;
  double field_of_view_;
  Mat3 axes_;
  std::array<double, 4>
      support_;     ///< farthest reach along the normals of the frustum: right, left, top, bottom
  double nearest_;  ///< largest coordinate along the backward axis
  double farthest_;
};

/// The camera that frames the points.
Camera fit_camera(std::span<const Vec3> points, double aspect, double field_of_view = 30);

}  // namespace pliant
