// Files as other programs wrote them: tests/mesh_file/samples holds a box meshed and saved by Gmsh 4.15 and a
// small grid saved by VTK 9.7 and meshio 5.3, in the encodings that these programs have.

#include "errors.hpp"
#include "mesh/mesh_checks.hpp"
#include "pliant/base/files.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh_file/gmsh.hpp"
#include "pliant/mesh_file/medit.hpp"
#include "pliant/mesh_file/vtu.hpp"

namespace pliant::samples_test {
namespace {

std::string sample(const std::string& name) {
  return read_file(std::filesystem::path(PLIANT_SOURCE_DIR) / "tests/mesh_file/samples" / name);
}

void expect_meshed_box(const MeshContents& mesh, const std::string& name) {
  EXPECT_EQ(mesh.vertices.size(), 14u) << name;
  EXPECT_EQ(mesh.triangles.size(), 24u) << name;
  ASSERT_EQ(mesh.tets.size(), 24u) << name;
  EXPECT_EQ(mesh.tets[0], parse_medit(sample("gmsh.mesh"), "gmsh.mesh").tets[0]) << name;
  EXPECT_TRUE(find_defects(body_of(mesh)).empty()) << name;
  EXPECT_NEAR(volume(body_of(mesh)), 1, 1e-14) << name;
}

TEST(SamplesOfGmsh, AreReadInEveryVersionAndEncoding) {
  for (const char* name :
       {"gmsh-22-ascii.msh", "gmsh-22-binary.msh", "gmsh-41-ascii.msh", "gmsh-41-binary.msh"}) {
    const MeshContents mesh = parse_gmsh(sample(name), name);
    expect_meshed_box(mesh, name);
    ASSERT_EQ(mesh.fields.size(), 1u) << name;
    EXPECT_EQ(mesh.fields[0].name, "height");
    for (size_t v = 0; v < mesh.vertices.size(); ++v)
      EXPECT_EQ(mesh.fields[0].values[v], mesh.vertices[v].z()) << name << ", vertex " << v;
  }
}

TEST(SamplesOfGmsh, AreReadInMeditsFormat) {
  expect_meshed_box(parse_medit(sample("gmsh.mesh"), "gmsh.mesh"), "gmsh.mesh");
}

TEST(SamplesOfVtk, AreReadInEveryEncoding) {
  const MeshContents wanted{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1.0 / 3}},
                            {{0, 1, 2, 3}, {4, 1, 3, 2}},
                            {{0, 2, 1}},
                            {{"mass", 1, {0.1, 0.2, 0.3, 0.4, 0.5}},
                             {"velocity", 3, {0, 0, 0, 1, 0.5, -1, 2, 1, -2, 3, 1.5, -3, 4, 2, -4}},
                             {"id", 1, {-2, -1, 0, 1, 2}}},
                            {{0, 4}}};
  for (const char* name :
       {"vtk-inline.vtu", "vtk-inline-zlib-big-endian.vtu", "vtk-appended-raw-big-endian.vtu",
        "vtk-appended-raw-zlib.vtu", "vtk-appended-base64.vtu", "vtk-appended-base64-zlib.vtu"}) {
    EXPECT_EQ(parse_vtu(sample(name), name), wanted) << name;
  }
  MeshContents text = parse_vtu(sample("vtk-ascii.vtu"), "vtk-ascii.vtu");
  EXPECT_NEAR(text.vertices[4].z(), 1.0 / 3, 1e-9);  // VTK prints fewer digits
  text.vertices[4] = wanted.vertices[4];
  EXPECT_EQ(text, wanted);
}

TEST(SamplesOfMeshio, AreRead) {
  const MeshContents wanted{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1.0 / 3}},
                            {{0, 1, 2, 3}, {4, 1, 3, 2}},
                            {{0, 2, 1}},
                            {{"mass", 1, {0.1, 0.2, 0.3, 0.4, 0.5}}}};
  for (const char* name : {"meshio-binary.vtu", "meshio-zlib.vtu"})
    EXPECT_EQ(parse_vtu(sample(name), name), wanted) << name;
}

TEST(Samples, ThatAreCutAreRefused) {
  for (const char* name : {"vtk-inline.vtu", "vtk-inline-zlib-big-endian.vtu", "vtk-appended-raw-zlib.vtu",
                           "vtk-appended-base64-zlib.vtu", "gmsh-22-binary.msh", "gmsh-41-binary.msh"}) {
    const std::string whole = sample(name);
    const bool is_vtu = std::string_view(name).ends_with("vtu");
    const size_t needed = is_vtu ? whole.rfind("</VTKFile>") + 9 : whole.find("$EndElements") + 11;
    for (size_t length = 0; length < needed; length += 7) {
      const std::string cut = whole.substr(0, length);
      EXPECT_ERROR(InputError, name, is_vtu ? parse_vtu(cut, name) : parse_gmsh(cut, name))
          << name << " " << length;
    }
  }
}

}  // namespace
}  // namespace pliant::samples_test
