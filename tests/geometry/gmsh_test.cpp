#include "pliant/geometry/gmsh.hpp"

#include "geometry/gmsh_samples.hpp"
#include "geometry/mesh_checks.hpp"
#include "pliant/geometry/box.hpp"

namespace pliant {
namespace {

const TetMesh kTwoTets{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, {{0, 1, 2, 3}, {4, 1, 3, 2}}};

class GmshRoundTrip : public testing::TestWithParam<GmshVersion> {};
INSTANTIATE_TEST_SUITE_P(BothVersions, GmshRoundTrip, testing::Values(GmshVersion::k2_2, GmshVersion::k4_1));

TEST_P(GmshRoundTrip, IsBitExactThroughAFile) {
  const ScratchFolder folder;
  write_gmsh(folder / "a.msh", awkward_mesh(), GetParam());
  EXPECT_TRUE(same_bits(read_gmsh(folder / "a.msh"), awkward_mesh()));
}

TEST_P(GmshRoundTrip, KeepsAWholeBox) {
  const TetMesh box = make_box({{1, 2, 3}, {7, 5, 3}, 6});
  EXPECT_TRUE(same_bits(parse_gmsh(gmsh_text(box, GetParam()), "a.msh"), box));
}

TEST(Gmsh22, ReadsWhatOtherProgramsWrite) { EXPECT_TRUE(same_bits(parse_gmsh(kGmsh22, "a.msh"), kTwoTets)); }

TEST(Gmsh41, ReadsWhatOtherProgramsWrite) { EXPECT_TRUE(same_bits(parse_gmsh(kGmsh41, "a.msh"), kTwoTets)); }

TEST(Gmsh, ReadsFilesWithWindowsLineEndsAndBlankLines) {
  std::string text;
  for (const char c : kGmsh22) text += c == '\n' ? std::string("\r\n \r\n") : std::string(1, c);
  EXPECT_TRUE(same_bits(parse_gmsh(text, "a.msh"), kTwoTets));
}

TEST(Gmsh, KeepsVerticesOfNoTetrahedron) {
  const std::string text = with(kGmsh22, "9 4 4 7 1 1 -2 2 1000000 12 3", "9 2 2 7 1 10 3 12");
  const TetMesh mesh = parse_gmsh(text, "a.msh");
  EXPECT_EQ(mesh.vertices, kTwoTets.vertices);
  EXPECT_EQ(find_defects(mesh).size(), 1u);
}

TEST(Gmsh41, WritesOneVolumeWithItsBounds) {
  EXPECT_EQ(gmsh_text(one_tet(), GmshVersion::k4_1),
            "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
            "$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
            "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
            "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n");
}

TEST(Gmsh22, WritesTagsCountedFromOne) {
  EXPECT_EQ(gmsh_text(one_tet(), GmshVersion::k2_2),
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
            "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
            "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n");
}

}  // namespace
}  // namespace pliant
