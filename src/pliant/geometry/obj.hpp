#pragma once

#include <filesystem>

#include "pliant/geometry/tet_mesh.hpp"

namespace pliant {

/// Wavefront OBJ, which every modelling program reads. Positions keep all their digits.
void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh);

}  // namespace pliant
