#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "pliant/mesh/mesh_contents.hpp"

namespace pliant {

/// The two formats of Gmsh in use: the old one that most programs write, and today's.
enum class GmshVersion { k2_2, k4_1 };
enum class GmshEncoding { kAscii, kBinary };

/// Reads a Gmsh .msh file, 2.2 or 4.1, ASCII or binary of either byte order: its tetrahedra, triangles and
/// $NodeData of one or three components (of several with one name the last, which is the latest time; those
/// that leave out nodes are skipped). Points and lines are skipped, other volume elements refused; other
/// surface elements are skipped where there are tetrahedra and refused where there are none. Vertices keep
/// the order of the file; node tags may be sparse and in any order. Throws InputError with file and line, or
/// byte. Memory is bounded by the size of the file, whatever counts it states.
MeshContents parse_gmsh(std::string_view bytes, const std::string& name);

/// Reading it back gives the same bits. Binary files are little-endian.
void write_gmsh(const std::filesystem::path& path, const MeshContents& mesh, GmshVersion version,
                GmshEncoding encoding = GmshEncoding::kAscii);
std::string gmsh_text(const MeshContents& mesh, GmshVersion version,
                      GmshEncoding encoding = GmshEncoding::kAscii);

}  // namespace pliant
