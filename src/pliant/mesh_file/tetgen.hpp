#pragma once

#include <filesystem>
#include <string>

#include "pliant/mesh/mesh_contents.hpp"

namespace pliant {

/// The files of a TetGen mesh. `face` may be empty: then there is no such file.
struct TetgenTexts {
  std::string node, ele, face;
};

/// Reads the mesh that NAME.node, NAME.ele and, where it is there, NAME.face hold; `path` may name any of the
/// three. Attributes of the points become fields `attribute-1`, `attribute-2`, ...; markers and the regions
/// of the tetrahedra are skipped, 10-node tetrahedra refused. Numbers count from 0 or 1, as the first point
/// does. Throws InputError with file and line, or saying which file is missing.
MeshContents read_tetgen(const std::filesystem::path& path);
/// The same for texts in memory; `name`.node and so on stand for the files in complaints.
MeshContents parse_tetgen(const TetgenTexts& texts, const std::string& name);

/// Counted from 1. Every component of a field becomes an attribute; the names of the fields are lost. All
/// three files are written, whichever `path` names.
void write_tetgen(const std::filesystem::path& path, const MeshContents& mesh);
TetgenTexts tetgen_texts(const MeshContents& mesh);

}  // namespace pliant
