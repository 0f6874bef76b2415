#include "pliant/mesh_file/medit.hpp"

#include "mesh/mesh_checks.hpp"
#include "pliant/base/files.hpp"

namespace pliant::medit_test {
namespace {

std::string complaint(const std::string& text) {
  return complaints_of([&] { parse_medit(text, "a.mesh"); });
}

/// As mesh generators write it: keywords before their numbers on the same line or the next, references,
/// comments, parts that a mesh of tetrahedra does not need.
const std::string kMedit = R"( MeshVersionFormatted   2

 Dimension
3
# made by hand
Vertices 5
0 0 0 6
1 0 0 7   # a comment
0 1 0 0
0 0 1e0 0
1. 1. +1. 3
Edges
2
1 2 1
2 3 1
Corners 1
1
RequiredVertices
1
1
Normals
1
0.5 -0.5 .5
Triangles
1
1 3 4 12
Tetrahedra
2
1 2 3 4 1
5 2 4 3 1
SubDomainFromMesh
1
3 1 1 0
End
)";

const MeshContents kMeditMesh{
    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, {{0, 1, 2, 3}, {4, 1, 3, 2}}, {{0, 2, 3}}, {}};

TEST(Medit, ReadsWhatOtherProgramsWrite) {
  EXPECT_TRUE(same_bits(parse_medit(kMedit, "a.mesh"), kMeditMesh));
}

TEST(Medit, ReadsFilesWithWindowsLineEnds) {
  std::string text;
  for (const char c : kMedit) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_TRUE(same_bits(parse_medit(text, "a.mesh"), kMeditMesh));
}

TEST(Medit, RoundTripsBitExactlyButForFields) {
  const ScratchFolder folder;
  write_medit(folder / "a.mesh", awkward_file());
  MeshContents wanted = awkward_file();
  wanted.fields.clear();
  EXPECT_TRUE(same_bits(parse_medit(read_file(folder / "a.mesh"), "a.mesh"), wanted));
}

TEST(Medit, LiesFlatInTwoDimensions) {
  const MeshContents mesh = parse_medit(
      "MeshVersionFormatted 1\nDimension 2\nVertices 3\n0 0 1\n2 0 1\n0 2 1\nTriangles 1\n1 2 3 0\n",
      "a.mesh");
  EXPECT_EQ(mesh.vertices[1], Vec3(2, 0, 0));
  EXPECT_EQ(mesh.triangles.size(), 1u);
}

struct MeditMistake {
  const char *name, *old, *replacement, *complaint;
};

const MeditMistake kMeditMistakes[] = {
    {"OtherKind", " MeshVersionFormatted", "solid",
     "a.mesh:1:1: expected MeshVersionFormatted, found 'solid'"},
    {"Version", "Formatted   2", "Formatted 9", "a.mesh:1:23: format version 9; 1 to 4 are known"},
    {"Dimension", "Dimension\n3", "Dimension\n4", "a.mesh:4:1: the dimension is 4; it must be 2 or 3"},
    {"NoDimension", " Dimension\n3", "", "a.mesh:5:1: Vertices comes before Dimension"},
    {"HostileVertices", "Vertices 5", "Vertices 1152921504606846976",
     "a.mesh:6:10: '1152921504606846976' vertices cannot be in the"},
    {"NegativeVertices", "Vertices 5", "Vertices -5", "a.mesh:6:10: the number of vertices is '-5'"},
    {"TooFewVertices", "Vertices 5", "Vertices 6",
     "a.mesh:12:1: expected a coordinate of one of the 6 stated"},
    {"TooManyVertices", "Vertices 5", "Vertices 4",
     "a.mesh:11:1: expected a keyword such as Vertices, found '1.'"},
    {"NotFinite", "0 1 0 0", "0 inf 0 0", "a.mesh:9:3: coordinate y of vertex 3 is inf; it must be finite"},
    {"NoSuchVertex", "5 2 4 3 1", "6 2 4 3 1",
     "a.mesh:30:1: vertex 6 does not exist; there are 5, counted from 1"},
    {"ZeroVertex", "5 2 4 3 1", "0 2 4 3 1", "a.mesh:30:1: vertex 0 does not exist"},
    {"HostileTetrahedra", "Tetrahedra\n2", "Tetrahedra\n1152921504606846976",
     "a.mesh:28:1: '1152921504606846976' tetrahedra cannot be in the"},
    {"Hexahedra", "Edges\n2\n", "Hexahedra\n1\n",
     "a.mesh:13:1: Hexahedra are not supported, only tetrahedra and triangles"},
    {"Quadratic", "Edges\n2\n", "TetrahedraP2\n1\n", "TetrahedraP2 are not supported"},
    {"SecondVertices", "Edges\n2\n", "Vertices 1\n", "a second list of vertices"},
    {"NotAKeyword", "Edges\n2\n", "edges\n2\n",
     "a.mesh:12:1: expected a keyword such as Vertices, found 'edges'"},
    {"Cut", "5 2 4 3 1\nSubDomainFromMesh\n1\n3 1 1 0\nEnd\n", "5 2 4",
     "a.mesh:30:6: the file ends where a corner of one of the 2 stated tetrahedra should be"},
};

TEST(MeditMistakes, AreNamedWithTheirLine) {
  for (const MeditMistake& mistake : kMeditMistakes) {
    const std::string found = complaint(with(kMedit, mistake.old, mistake.replacement));
    EXPECT_NE(found.find(mistake.complaint), std::string::npos) << mistake.name << ": " << found;
  }
}

TEST(MeditMistakes, FilesThatHoldNothingAreToldSo) {
  EXPECT_EQ(complaint(""), "a.mesh:1:1: the file is empty");
  EXPECT_NE(
      complaint("MeshVersionFormatted 2\nDimension 3\nVertices 0\nEnd\n").find("neither Tetrahedra nor"),
      std::string::npos);
  EXPECT_NE(complaint("MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n"
                      "Quadrilaterals\n1\n1 2 3 4 0\nEnd\n")
                .find("Quadrilaterals are not supported"),
            std::string::npos);
}

}  // namespace
}  // namespace pliant::medit_test
