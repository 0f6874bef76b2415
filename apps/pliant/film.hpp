#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pliant/picture/renderer.hpp"
#include "pliant/run/run_folder.hpp"

namespace pliant {

/// The visible part of a run: surfaces of bodies and obstacles, with sharp edges kept, that follow the
/// frames.
class Film {
 public:
  /// The run must outlive it. Throws InputError where an obstacle to hide does not exist.
  Film(const RunFolder& run, bool color_inverted, const std::vector<std::string>& hidden_obstacles);

  std::vector<Drawable> bodies(int frame) const;
  /// Those that have an end.
  std::vector<Drawable> obstacles(int frame) const;
  /// Those that have none.
  std::vector<Drawable> endless(int frame) const;
  /// Of these the ones that hide neither the scene from the camera nor the light from the scene, as a wall
  /// before it or a ceiling would. With `without_floor`, the one that `floor` is about is left out too.
  std::vector<Drawable> endless_behind(int frame, const Camera& camera, bool without_floor) const;
  /// The height of the highest plane without an end that is level and faces up.
  std::optional<double> floor(int frame) const;

 private:
  struct VisibleObstacle {
    const RunObstacle* stored;
    Surface surface;
    std::vector<Vec3> outward;  ///< normals at the stored vertices
  };

  std::vector<Drawable> obstacles(int frame, bool unbounded) const;
  Color color_of(size_t body) const;
  void follow(int frame) const;

  const RunFolder& run_;
  bool color_inverted_;
  double gap_ = 0;  ///< between bodies and the obstacles they lie on, m
  mutable std::shared_ptr<const std::vector<RunBody>> shown_;  ///< bodies of the frame drawn last
  mutable std::vector<Surface> surfaces_;                      ///< of these
  std::vector<VisibleObstacle> obstacles_;
};

}  // namespace pliant
