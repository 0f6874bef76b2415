#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "pliant/geometry/tet_mesh.hpp"

namespace pliant {

/// The two ASCII formats of Gmsh in use: the old one that most programs write, and today's.
enum class GmshVersion { k2_2, k4_1 };

/// Reads the tetrahedra of a Gmsh .msh file, ASCII 2.2 or 4.1. Points, lines and surface elements are
/// skipped, other volume elements refused. Vertices keep the order of the file, also those that no
/// tetrahedron uses (find_defects tells); node tags may be sparse and in any order. Throws InputError with
/// file and line. Memory is bounded by the size of the file, whatever counts it states.
TetMesh read_gmsh(const std::filesystem::path& path);

/// The same for a text in memory; `name` stands for the file in complaints.
TetMesh parse_gmsh(std::string_view text, const std::string& name);

/// Coordinates are printed so that reading them back gives the same bits.
void write_gmsh(const std::filesystem::path& path, const TetMesh& mesh, GmshVersion version);
std::string gmsh_text(const TetMesh& mesh, GmshVersion version);

}  // namespace pliant
