#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pliant/geometry/mesh_contents.hpp"
#include "pliant/geometry/tet_mesh.hpp"

namespace pliant {

/// VTK's XML format for unstructured grids, as text; opens in ParaView. Reading it back gives the same bits.
/// Throws InputError where the number of values does not fit the mesh.
void write_vtu(const std::filesystem::path& path, const TetMesh& mesh, std::span<const PointData> data = {});
std::string vtu_text(const TetMesh& mesh, std::span<const PointData> data = {});

/// Reads the mesh of a file that write_vtu wrote, not any other .vtu; throws InputError with file and line if
/// damaged.
TetMesh read_vtu(const std::filesystem::path& path);
/// The same for a text in memory; `name` stands for the file in complaints.
TetMesh parse_vtu(std::string_view text, const std::string& name);

/// A ParaView collection: which file to show at which time. File names are relative to the collection. Files
/// of the same time, one after the other, are its parts.
void write_pvd(const std::filesystem::path& path, std::span<const std::pair<double, std::string>> files);

}  // namespace pliant
