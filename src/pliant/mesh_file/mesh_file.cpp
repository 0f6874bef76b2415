#include "pliant/mesh_file/mesh_file.hpp"

#include <algorithm>
#include <cctype>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh_file/gltf.hpp"
#include "pliant/mesh_file/gmsh.hpp"
#include "pliant/mesh_file/medit.hpp"
#include "pliant/mesh_file/obj.hpp"
#include "pliant/mesh_file/ply.hpp"
#include "pliant/mesh_file/stl.hpp"
#include "pliant/mesh_file/tetgen.hpp"
#include "pliant/mesh_file/vtu.hpp"

namespace pliant {

namespace {

namespace fs = std::filesystem;

struct MeshFormat {
  std::string_view ending;
  bool surfaces_only;
  MeshContents (*read)(const fs::path&);
  void (*write)(const fs::path&, const MeshContents&, FileEncoding);
};

template <MeshContents (*Parse)(std::string_view, const std::string&)>
MeshContents read_and_parse(const fs::path& path) {
  return Parse(read_file(path), path.string());
}

template <void (*Write)(const fs::path&, const MeshContents&)>
void write_plainly(const fs::path& path, const MeshContents& mesh, FileEncoding) {
  Write(path, mesh);
}

void write_msh(const fs::path& path, const MeshContents& mesh, FileEncoding encoding) {
  write_gmsh(path, mesh, GmshVersion::k4_1,
             encoding == FileEncoding::kBinary ? GmshEncoding::kBinary : GmshEncoding::kAscii);
}

void write_any_vtu(const fs::path& path, const MeshContents& mesh, FileEncoding encoding) {
  write_vtu(path, mesh, encoding == FileEncoding::kBinary ? VtuEncoding::kCompressed : VtuEncoding::kAscii);
}

const MeshFormat kMeshFormats[] = {
    {".msh", false, read_and_parse<parse_gmsh>, write_msh},
    {".vtu", false, read_and_parse<parse_vtu>, write_any_vtu},
    {".mesh", false, read_and_parse<parse_medit>, write_plainly<write_medit>},
    {".node", false, read_tetgen, write_plainly<write_tetgen>},
    {".ele", false, read_tetgen, write_plainly<write_tetgen>},
    {".face", false, read_tetgen, nullptr},
    {".obj", true, read_and_parse<parse_obj>, write_plainly<write_obj>},
    {".ply", true, read_and_parse<parse_ply>, write_plainly<write_ply>},
    {".stl", true, read_and_parse<parse_stl>, write_plainly<write_stl>},
    {".glb", true, read_and_parse<parse_glb>, write_plainly<write_glb>},
    {".gltf", true, read_and_parse<parse_glb>, nullptr},
};

const MeshFormat& format_of(const fs::path& path, bool to_write) {
  std::string ending = path.extension().string(), known;
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const MeshFormat& candidate : kMeshFormats) {
    if (to_write && candidate.write == nullptr) continue;
    if (candidate.ending == ending) return candidate;
    known += format("{}{}", known.empty() ? "" : ", ", candidate.ending);
  }
  throw InputError(Complaint{path.string(), 0, 0,
                             format("meshes are not {} files that end in '{}'; known endings are {}",
                                    to_write ? "written to" : "read from", ending, known)});
}

}  // namespace

MeshContents read_mesh_file(const fs::path& path) { return format_of(path, false).read(path); }

void write_mesh_file(const fs::path& path, const MeshContents& mesh, FileEncoding encoding) {
  const MeshFormat& found = format_of(path, true);
  if (found.surfaces_only)
    found.write(path, skin_of(mesh), encoding);
  else
    found.write(path, mesh, encoding);
}

bool holds_strands(const fs::path& path) { return format_of(path, true).ending == ".vtu"; }

bool holds_surfaces_only(const fs::path& path) { return format_of(path, true).surfaces_only; }

}  // namespace pliant
