#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pliant/run/run_folder.hpp"

namespace pliant {

/// What can be seen of the bodies of a run: their surfaces, and the lines of strands. Vertices inside of
/// bodies are left out; the others are numbered anew, body by body, in the order of the frames.
struct ShownSurface {
  /// The share of one body.
  struct Part {
    size_t first_vertex = 0, vertices = 0;
    size_t first_triangle = 0, triangles = 0;
    size_t first_line = 0, lines = 0;
  };

  std::vector<std::uint32_t> vertex_of;  ///< of each shown vertex, its number in a frame
  std::vector<std::uint32_t> triangles;  ///< three shown vertices each
  std::vector<std::uint32_t> lines;      ///< two each, of bodies without triangles
  std::vector<Part> parts;               ///< in the order of the bodies

  /// Of each vertex of a frame the number it is shown with, -1 where it is not.
  std::vector<std::int32_t> shown_numbers(int vertices) const;

  /// Of the shown vertices, three numbers each, from those of a frame.
  std::vector<float> taken(std::span<const float> frame) const;

  /// The parts as JSON: [{first_vertex, vertices, first_triangle, triangles, first_line, lines}].
  std::string parts_json() const;
};

ShownSurface find_shown_surface(std::span<const RunBody> bodies);

}  // namespace pliant
