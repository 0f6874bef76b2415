#pragma once

#include <filesystem>

#include "pliant/mesh/mesh_contents.hpp"

namespace pliant {

/// Text can be read by people and compared line by line, binary is smaller and faster; formats that know only
/// one of them are written in it.
enum class FileEncoding { kText, kBinary };

/// Reads a mesh from a file of any known kind, told by its ending: volumes from .msh, .vtu, .mesh and .node
/// or .ele, surfaces from .obj, .ply, .stl and .glb (and from the others where they hold triangles only).
/// Throws InputError.
MeshContents read_mesh_file(const std::filesystem::path& path);

/// Writes a mesh. Of tetrahedra, files that hold surfaces get the surface, with its part of the fields.
/// Throws InputError where the ending is not known.
void write_mesh_file(const std::filesystem::path& path, const MeshContents& mesh,
                     FileEncoding encoding = FileEncoding::kText);

/// Whether files of this ending hold edges.
bool holds_strands(const std::filesystem::path& path);

/// Whether files of this ending hold surfaces only.
bool holds_surfaces_only(const std::filesystem::path& path);

}  // namespace pliant
