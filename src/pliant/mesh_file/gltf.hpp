#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "pliant/mesh/mesh_contents.hpp"

namespace pliant {

/// Reads a .glb file (glTF 2.0 in its binary container): all triangles, strips and fans of the default scene,
/// where its tree of nodes puts them, in one mesh. The colours COLOR_0 become the field "colour", an
/// attribute _NAME of one or three numbers the field "NAME"; what a part of the scene does not say is 0, or
/// white. Vertices stay as they are in the file, where they are often repeated along seams: see
/// merge_equal_vertices. Poses, morphs and materials are passed over; compressed and sparse data and .gltf
/// files with their data beside them are refused. `name` stands for the file in complaints.
MeshContents parse_glb(std::string_view bytes, const std::string& name);

/// Positions and fields in single precision, so that any program can open it. Throws InputError for numbers
/// beyond its range, and where there is no triangle.
void write_glb(const std::filesystem::path& path, const MeshContents& mesh);
std::string glb_bytes(const MeshContents& mesh);

}  // namespace pliant
