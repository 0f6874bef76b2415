#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "pliant/mesh/mesh_contents.hpp"
#include "pliant/mesh/tet_mesh.hpp"

namespace pliant {

/// Wavefront OBJ, which every modelling program reads. Positions keep all their digits.
void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh);

/// Vertices and triangles; of the fields the format can hold only "colour".
void write_obj(const std::filesystem::path& path, const MeshContents& mesh);
std::string obj_text(const MeshContents& mesh);

/// Reads vertices and faces (see triangulate) of any OBJ text. Vertex colours become the field "colour",
/// white where a vertex has none. Texture coordinates, normals, groups, materials, lines and unknown words
/// are skipped, free-form curves and surfaces refused. `name` stands for the file in complaints, which name
/// the line.
MeshContents parse_obj(std::string_view text, const std::string& name);

}  // namespace pliant
