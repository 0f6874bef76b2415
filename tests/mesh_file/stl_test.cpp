#include "pliant/mesh_file/stl.hpp"

#include <cstring>

#include "mesh/surface_checks.hpp"

namespace pliant::stl_test {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

MeshContents read(const std::string& bytes) { return parse_stl(bytes, "a.stl"); }
std::string complaint(const std::string& bytes) {
  return complaints_of([&] { read(bytes); });
}

const char* const kOpenScad = R"(solid OpenSCAD_Model
  facet normal -0 0 1
    outer loop
      vertex 0 1 1
      vertex 1 0 1
      vertex 1 1 1
    endloop
  endfacet
  facet normal 0 0 1
    outer loop
      vertex 1 0 1
      vertex 0 1 1
      vertex 0 0 1
    endloop
  endfacet
endsolid OpenSCAD_Model
)";

MeshContents square() {
  return {{{0, 1, 1}, {1, 0, 1}, {1, 1, 1}, {0, 0, 1}}, {}, {{0, 1, 2}, {1, 0, 3}}, {}};
}

TEST(ReadStl, MergesEqualCornersOfATextFile) { EXPECT_EQ(read(kOpenScad), square()); }

TEST(ReadStl, TakesSeveralSolidsOddSpacingAndCapitals) {
  const MeshContents mesh = read(
      "\n  SOLID two words here\r\nFACET NORMAL nan nan -nan(ind) OUTER LOOP\n\tVERTEX 0 0 0 vertex 1e0 0 0 "
      "vertex "
      "+0 1.0E+00 0\nENDLOOP ENDFACET\nENDSOLID\n\nsolid\nfacet normal 0 0 0\nouter loop\nvertex 1 0 "
      "0\nvertex 1 1 "
      "-0.0\nvertex 0 1 0\nendloop\nendfacet\nendsolid two words here");
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {1, 3, 2}}));
  EXPECT_EQ(mesh.vertices.size(), 4U);
}

TEST(ReadStl, KeepsNearlyEqualCornersApart) {
  EXPECT_EQ(read(with(kOpenScad, "vertex 0 1 1", "vertex 0 1 1.0000000000000002")).vertices.size(), 5U);
}

TEST(ReadStl, GivesBackWhatWasWritten) {
  MeshContents mesh = awkward_single_precision_surface();
  const MeshContents back = read(stl_bytes(mesh));
  ASSERT_EQ(back.triangles.size(), mesh.triangles.size());
  for (size_t t = 0; t < back.triangles.size(); ++t)
    for (size_t k = 0; k < 3; ++k)
      EXPECT_EQ(back.vertices[back.triangles[t][k]], mesh.vertices[mesh.triangles[t][k]]);
  EXPECT_EQ(read(stl_bytes(square())), square());
}

TEST(ReadStl, LetsTheSizeDecideWhetherAFileIsBinary) {
  std::string bytes = stl_bytes(square());
  bytes.replace(0, 6, "solid ");
  EXPECT_EQ(read(bytes), square());
}

TEST(WriteStl, PutsNormalsAndRefusesNumbersBeyondSinglePrecision) {
  const std::string bytes = stl_bytes(square());
  ASSERT_EQ(bytes.size(), 84U + 2 * 50U);
  std::array<float, 3> normal{};
  std::memcpy(normal.data(), bytes.data() + 84, sizeof normal);
  EXPECT_EQ(normal, (std::array<float, 3>{0, 0, 1}));
  MeshContents far = square();
  far.vertices[0].x() = 1e39;
  EXPECT_TRUE(says(complaints_of([&] { stl_bytes(far); }), {"1e+39", "STL"}));
}

TEST(ReadStl, NamesTheLineOfAMistake) {
  EXPECT_TRUE(says(complaint(with(kOpenScad, "vertex 1 1 1", "vertex 1 1 x")), {"a.stl:6:", "'x'"}));
  EXPECT_TRUE(says(complaint(with(kOpenScad, "vertex 1 1 1", "vertex 1 1 inf")), {"a.stl:6:", "finite"}));
  EXPECT_TRUE(
      says(complaint(with(kOpenScad, "    endloop", "vertex 1 2 3\nendloop")), {"a.stl:7:", "'endloop'"}));
  EXPECT_TRUE(says(complaint(with(kOpenScad, "endsolid OpenSCAD_Model\n", "")), {"a.stl", "cut off"}));
  EXPECT_TRUE(says(complaint(with(kOpenScad, "facet", "face")), {"a.stl:2:", "'face'"}));
}

TEST(ReadStl, RefusesBinaryFilesThatAreNotWhole) {
  const std::string bytes = stl_bytes(square());
  EXPECT_TRUE(says(complaint(bytes.substr(0, bytes.size() - 1)), {"a.stl: byte 80", "2 triangles"}));
  EXPECT_TRUE(says(complaint(bytes + "x"), {"a.stl: byte 80", "2 triangles take 100 bytes, but 101"}));
  EXPECT_TRUE(says(complaint(bytes.substr(0, 50)), {"a.stl: byte 0", "header"}));
  EXPECT_TRUE(says(complaint(""), {"a.stl", "empty"}));
  std::string hostile = bytes;
  hostile.replace(80, 4, "\xff\xff\xff\xff");
  EXPECT_TRUE(says(complaint(hostile), {"a.stl: byte 80", "4294967295 triangles"}));
  std::string endless = bytes;
  endless.replace(96, 4, std::string("\0\0\xc0\x7f", 4));
  EXPECT_TRUE(says(complaint(endless), {"a.stl: byte 96", "finite"}));
}

}  // namespace
}  // namespace pliant::stl_test
