#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "pliant/mesh/mesh_contents.hpp"

namespace pliant {

/// Reads a Medit .mesh file, ASCII: vertices in two or three dimensions, tetrahedra, triangles. Other volume
/// elements are refused, and so are quadrilaterals in a file without tetrahedra; what else there is (edges,
/// corners, normals, ...) is skipped. Throws InputError with file and line.
MeshContents parse_medit(std::string_view text, const std::string& name);

/// The format has no place for fields: they are left out.
std::string medit_text(const MeshContents& mesh);
void write_medit(const std::filesystem::path& path, const MeshContents& mesh);

}  // namespace pliant
