#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "pliant/mesh/mesh_contents.hpp"

namespace pliant {

/// Reads an STL file, text (any number of solids) or binary. The format has no vertices, only triangles of
/// three points each: points that are exactly equal become one vertex (see merge_equal_vertices), in the
/// order in which they first appear; nearly equal ones stay apart. Normals and attributes are passed over. A
/// file is binary if its size is what its number of triangles asks for, whatever it begins with. `name`
/// stands for the file in complaints.
MeshContents parse_stl(std::string_view bytes, const std::string& name);

/// Binary STL: the triangles in single precision with their normals. Throws InputError for coordinates beyond
/// its range.
void write_stl(const std::filesystem::path& path, const MeshContents& mesh);
std::string stl_bytes(const MeshContents& mesh);

}  // namespace pliant
