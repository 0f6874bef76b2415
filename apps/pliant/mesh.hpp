#pragma once

#include <optional>
#include <string>

namespace pliant {

struct MeshOptions {
  std::string input;   ///< a file, or empty
  std::string shape;   ///< words, or empty
  std::string output;  ///< a file; empty for the report alone
  std::optional<double> cell;
  double grading = 0;
  bool fit = false;
  bool merge = false;
  bool surface = false;  ///< triangles are kept, not filled
  bool binary = false;
  double scale = 1;
};

/// Converts a mesh, or meshes a shape or what a surface encloses, and says how good the result is.
int mesh_command(const MeshOptions& options);

}  // namespace pliant
