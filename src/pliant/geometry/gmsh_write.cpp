#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/geometry/gmsh.hpp"

namespace pliant {

namespace {

// The shortest digits that read back as the same bits.
std::string coordinates(const Vec3& x) { return format("{} {} {}", x.x(), x.y(), x.z()); }

std::string text_2_2(const TetMesh& mesh) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
  text += format("$Nodes\n{}\n", mesh.vertices.size());
  for (size_t v = 0; v < mesh.vertices.size(); ++v)
    text += format("{} {}\n", v + 1, coordinates(mesh.vertices[v]));
  text += format("$EndNodes\n$Elements\n{}\n", mesh.tets.size());
  for (size_t t = 0; t < mesh.tets.size(); ++t) {
    const auto& tet = mesh.tets[t];
    // tag, type 4 (tetrahedron), two tags: no physical group, volume 1
    text += format("{} 4 2 0 1 {} {} {} {}\n", t + 1, tet[0] + 1L, tet[1] + 1L, tet[2] + 1L, tet[3] + 1L);
  }
  return text + "$EndElements\n";
}

std::string text_4_1(const TetMesh& mesh) {
  std::string text = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  if (!mesh.vertices.empty()) low = high = mesh.vertices[0];
  for (const Vec3& x : mesh.vertices) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  // One volume, tag 1, without physical groups and bounding surfaces; it owns all nodes and elements.
  text += format("$Entities\n0 0 0 1\n1 {} {} 0 0\n$EndEntities\n", coordinates(low), coordinates(high));
  const size_t nodes = mesh.vertices.size(), tets = mesh.tets.size();
  text += format("$Nodes\n1 {} {} {}\n3 1 0 {}\n", nodes, nodes == 0 ? 0 : 1, nodes, nodes);
  for (size_t v = 0; v < nodes; ++v) text += format("{}\n", v + 1);
  for (const Vec3& x : mesh.vertices) text += coordinates(x) + '\n';
  text += format("$EndNodes\n$Elements\n1 {} {} {}\n3 1 4 {}\n", tets, tets == 0 ? 0 : 1, tets, tets);
  for (size_t t = 0; t < tets; ++t) {
    const auto& tet = mesh.tets[t];
    text += format("{} {} {} {} {}\n", t + 1, tet[0] + 1L, tet[1] + 1L, tet[2] + 1L, tet[3] + 1L);
  }
  return text + "$EndElements\n";
}

}  // namespace

std::string gmsh_text(const TetMesh& mesh, GmshVersion version) {
  return version == GmshVersion::k2_2 ? text_2_2(mesh) : text_4_1(mesh);
}

void write_gmsh(const std::filesystem::path& path, const TetMesh& mesh, GmshVersion version) {
  write_file_atomically(path, gmsh_text(mesh, version));
}

}  // namespace pliant
