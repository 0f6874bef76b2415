#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// What `pliant render` was asked for.
struct RenderOptions {
  std::filesystem::path run;     ///< the run folder
  std::filesystem::path output;  ///< the folder for the pictures; created where missing
  int width = 1280;
  int height = 720;
  std::string frames;                   ///< "" for all, "0,12,24" or "0:72:12" (see parse_frame_list)
  bool montage = false;                 ///< one picture, montage.png, in place of one a frame
  int columns = 0;                      ///< of the montage; 0 picks
  std::optional<Vec3> camera;           ///< where the camera stands; fitted to all frames unless given
  std::optional<Vec3> look_at;          ///< the middle of the picture
  std::optional<double> field_of_view;  ///< vertical, in degrees
  bool edges = false;                   ///< draw the mesh lines
  bool color_inverted = false;          ///< elements inside out red, others green
  bool ground = true;  ///< where a level plane is the ground of the scene, or below everything
  std::vector<std::string> hidden_obstacles;  ///< names of those that are not drawn
  int samples = 16;                           ///< camera rays a pixel along outlines; others follow from it
};

/// Draws frames of a run folder: OUTPUT/000000.png and so on, or OUTPUT/montage.png. Returns the exit code;
/// throws InputError and IoError.
int render_command(const RenderOptions& options);

}  // namespace pliant
