#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "pliant/mesh/mesh_contents.hpp"
#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// Binary little-endian PLY with single-precision positions and area-weighted vertex normals: a third of the
/// size of an OBJ, for pictures.
void write_ply(const std::filesystem::path& path, const TriangleMesh& mesh);

/// Binary little-endian PLY that loses nothing of vertices, triangles and fields: all numbers in double
/// precision. A vector field NAME becomes the properties NAME_x, NAME_y and NAME_z, "colour" red, green and
/// blue. Throws InputError for a field whose name the format cannot hold, or whose length does not fit.
void write_ply(const std::filesystem::path& path, const MeshContents& mesh);
std::string ply_bytes(const MeshContents& mesh);

/// Reads vertices and faces (see triangulate) of any PLY file, ASCII or binary. What else a vertex has,
/// normals excepted, becomes fields: red, green and blue together the field "colour" (whole numbers are
/// divided by the largest of their type, so that white is 1), NAME_x, NAME_y and NAME_z together a vector,
/// every other number a scalar. Other elements are passed over, triangle strips refused. `name` stands for
/// the file in complaints, which name the line or the byte.
MeshContents parse_ply(std::string_view bytes, const std::string& name);

}  // namespace pliant
