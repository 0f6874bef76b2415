#pragma once

#include <filesystem>

#include "pliant/geometry/tet_mesh.hpp"

namespace pliant {

/// Binary little-endian PLY with single-precision positions and area-weighted vertex normals: a third of the
/// size of an OBJ, for pictures.
void write_ply(const std::filesystem::path& path, const TriangleMesh& mesh);

}  // namespace pliant
