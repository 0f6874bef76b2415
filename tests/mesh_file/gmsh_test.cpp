#include "pliant/mesh_file/gmsh.hpp"

#include "mesh/mesh_checks.hpp"
#include "mesh_file/gmsh_samples.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh/box.hpp"

namespace pliant::gmsh_test {
namespace {

const MeshContents kTwoTets{
    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, {{0, 1, 2, 3}, {4, 1, 3, 2}}, {{0, 2, 3}}, {}};

class GmshRoundTrip : public ::testing::TestWithParam<std::pair<GmshVersion, GmshEncoding>> {
 public:
  static std::string text(const MeshContents& mesh) {
    return gmsh_text(mesh, GetParam().first, GetParam().second);
  }
};
INSTANTIATE_TEST_SUITE_P(EveryVariant, GmshRoundTrip,
                         ::testing::Values(std::pair(GmshVersion::k2_2, GmshEncoding::kAscii),
                                           std::pair(GmshVersion::k4_1, GmshEncoding::kAscii),
                                           std::pair(GmshVersion::k2_2, GmshEncoding::kBinary),
                                           std::pair(GmshVersion::k4_1, GmshEncoding::kBinary)));

TEST_P(GmshRoundTrip, IsBitExactThroughAFile) {
  const ScratchFolder folder;
  write_gmsh(folder / "a.msh", awkward_file(), GetParam().first, GetParam().second);
  EXPECT_TRUE(same_bits(parse_gmsh(read_file(folder / "a.msh"), "a.msh"), awkward_file()));
}

TEST_P(GmshRoundTrip, KeepsAWholeBox) {
  const MeshContents box = contents_of({make_box({{1, 2, 3}, {7, 5, 3}, 6})});
  EXPECT_TRUE(same_bits(parse_gmsh(text(box), "a.msh"), box));
}

TEST_P(GmshRoundTrip, KeepsAMeshOfTrianglesOnly) {
  MeshContents mesh = awkward_file();
  mesh.tets.clear();
  EXPECT_TRUE(same_bits(parse_gmsh(text(mesh), "a.msh"), mesh));
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
  const MeshContents mesh = parse_gmsh(text, "a.msh");
  EXPECT_EQ(mesh.vertices, kTwoTets.vertices);
  EXPECT_EQ(find_defects(body_of(mesh)).size(), 1u);
}

TEST(Gmsh41, WritesOneVolumeWithItsBounds) {
  EXPECT_EQ(gmsh_text(one_tet_file(), GmshVersion::k4_1),
            "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
            "$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
            "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
            "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n");
}

TEST(Gmsh22, WritesTagsCountedFromOne) {
  EXPECT_EQ(gmsh_text(one_tet_file(), GmshVersion::k2_2),
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
            "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
            "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n");
}

TEST(Gmsh, ReadsViewsOnNodesAsFields) {
  const std::string view =
      "$NodeData\n1\n\"A scalar view\"\n1\n0.5\n3\n0\n1\n5\n2 5\n10 1\n1000000 2\n3 3\n12 4\n$EndNodeData\n";
  const MeshContents mesh = parse_gmsh(kGmsh22 + view, "a.msh");
  ASSERT_EQ(mesh.fields.size(), 1u);
  EXPECT_EQ(mesh.fields[0], (PointData{"A scalar view", 1, {1, 2, 3, 4, 5}}));
}

TEST(Gmsh, KeepsTheLastStepOfAView) {
  std::string text = gmsh_text(one_tet_file(), GmshVersion::k4_1);
  for (const char* value : {"7", "8"})
    text +=
        format("$NodeData\n1\n\"t\"\n1\n0\n3\n{0}\n1\n4\n1 {0}\n2 {0}\n3 {0}\n4 {0}\n$EndNodeData\n", value);
  EXPECT_EQ(parse_gmsh(text, "a.msh").fields, (std::vector<PointData>{{"t", 1, {8, 8, 8, 8}}}));
}

TEST(Gmsh, SkipsViewsThatLeaveOutNodesAndTensors) {
  std::string text = gmsh_text(one_tet_file(), GmshVersion::k2_2);
  text += "$NodeData\n1\n\"some\"\n1\n0\n3\n0\n1\n2\n1 5\n2 5\n$EndNodeData\n";
  text += "$NodeData\n1\n\"stress\"\n0\n3\n0\n9\n1\n1 1 2 3 4 5 6 7 8 9\n$EndNodeData\n";
  EXPECT_TRUE(same_bits(parse_gmsh(text, "a.msh"), one_tet_file()));
}

TEST(Gmsh, RefusesQuadranglesOnlyWhereThereAreNoTetrahedra) {
  const std::string text = gmsh_text(one_tet_file(), GmshVersion::k2_2);
  const std::string mixed = with(text, "1\n1 4 2 0 1 1 2 3 4", "2\n1 3 0 1 2 3 4\n2 4 0 1 2 3 4");
  EXPECT_TRUE(same_bits(parse_gmsh(mixed, "a.msh"), one_tet_file()));
  const std::string alone = with(text, "1 4 2 0 1 1 2 3 4", "1 3 0 1 2 3 4");
  EXPECT_NE(complaints_of([&] { parse_gmsh(alone, "a.msh"); }).find("4-node quadrangles (type 3) are not"),
            std::string::npos);
}

}  // namespace
}  // namespace pliant::gmsh_test
