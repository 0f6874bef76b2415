#include "mesh/mesh_checks.hpp"
#include "mesh_file/gmsh_samples.hpp"
#include "pliant/mesh_file/gmsh.hpp"

namespace pliant::gmsh_mistakes_test {
namespace {

std::string complaint(const std::string& text) {
  return complaints_of([&] { parse_gmsh(text, "a.msh"); });
}

/// A change to a valid file, and the complaint it must bring. A `whole` complaint must be the only one and
/// complete.
struct Mistake {
  const char* name;
  const std::string* sample;
  const char *old, *replacement, *complaint;
};

const Mistake kMistakes[] = {
    {"UnknownVersion", &kGmsh22, "2.2 0 8", "3.0 0 8",
     "a.msh:2:1: format version '3.0' is not supported; save it as 4.1 or"},
    {"TextSaidToBeBinary", &kGmsh41, "4.1 0 8", "4.1 1 8",
     "a.msh: byte 59: expected the number 1 as 4 bytes, found"},
    {"UnknownFileType", &kGmsh41, "4.1 0 8", "4.1 2 8",
     "a.msh:5:5: file type 2; it must be 0 (ASCII) or 1 (binary)"},
    {"BinaryOfOtherSize", &kGmsh41, "4.1 0 8", "4.1 1 4",
     "a.msh:5:7: binary data of size 4; only 8 is supported"},
    {"MissingFormat", &kGmsh22, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "",
     "a.msh:6:1: $Nodes comes before $MeshFormat"},
    {"SecondFormat", &kGmsh22, "$MadeUp", "$MeshFormat", "a.msh:26:1: a second $MeshFormat section"},
    {"SecondNodes", &kGmsh22, "$MadeUp", "$Nodes", "a.msh:26:1: a second $Nodes section"},
    {"TextBetweenSections", &kGmsh22, "$EndNodes\n", "$EndNodes\nhello\n",
     "a.msh:17:1: expected the start of a section such as $Nodes, found 'hello'"},
    {"OpenSection", &kGmsh22, "$EndPhysicalNames\n", "",
     "a.msh:27:11: the file ends where '$EndPhysicalNames' (the section starts on line 4) should be"},
    {"TooManyNodes22", &kGmsh22, "$Nodes\n5", "$Nodes\n4",
     "a.msh:15:1: expected $EndNodes after the stated number of nodes, found '2 1 1 +1'"},
    {"TooFewNodes22", &kGmsh22, "$Nodes\n5", "$Nodes\n6",
     "a.msh:16:1: expected one of the 6 stated nodes (an integer), found '$EndNodes'"},
    {"HostileNodes22", &kGmsh22, "$Nodes\n5", "$Nodes\n1152921504606846976",
     "a.msh:10:1: '1152921504606846976' nodes cannot be in the"},
    {"OverflowingNodes22", &kGmsh22, "$Nodes\n5", "$Nodes\n99999999999999999999",
     "a.msh:10:1: '99999999999999999999' nodes cannot be in the"},
    {"NegativeNodes22", &kGmsh22, "$Nodes\n5", "$Nodes\n-5",
     "a.msh:10:1: the number of nodes is '-5'; it cannot be negative"},
    {"HostileElements22", &kGmsh22, "$Elements\n6", "$Elements\n1152921504606846976",
     "a.msh:18:1: '1152921504606846976' elements cannot be in the"},
    {"TooManyElements22", &kGmsh22, "$Elements\n6", "$Elements\n5",
     "a.msh:24:1: expected $EndElements after the stated"},
    {"TooFewElements22", &kGmsh22, "$Elements\n6", "$Elements\n7",
     "a.msh:25:1: expected one of the 7 stated elements (an integer), found '$EndElements'"},
    {"HostileTags22", &kGmsh22, "5 4 2 7", "5 4 1152921504606846976 7",
     "a.msh:23:5: '1152921504606846976' tags cannot be"},
    {"TooManyTags22", &kGmsh22, "5 4 2 7", "5 4 9 7",
     "a.msh:23:26: the line ends where a tag of an element should be"},
    {"InfiniteCoordinate", &kGmsh22, "3 0 1.0 0", "3 0 inf 0",
     "a.msh:13:5: coordinate y of node 3 is inf; it must be finite"},
    {"NanCoordinate", &kGmsh41, "1 0 0 0.5", "1 nan 0 0.5",
     "a.msh:26:3: coordinate y of node 1000000 is nan"},
    {"HugeCoordinate", &kGmsh22, "3 0 1.0 0", "3 0 1e999 0",
     "a.msh:13:5: a coordinate: '1e999' is beyond the range"},
    {"MissingCoordinate", &kGmsh22, "3 0 1.0 0", "3 0 1.0",
     "a.msh:13:8: the line ends where a coordinate should be"},
    {"ExtraCoordinate", &kGmsh22, "3 0 1.0 0", "3 0 1.0 0 8",
     "a.msh:13:11: the line should end after the coordinates of a"},
    {"CoordinateIsAWord", &kGmsh22, "3 0 1.0 0", "3 0 one 0",
     "a.msh:13:5: expected a coordinate (a number), found 'one'"},
    {"DuplicateTag", &kGmsh22, "12 0 0 1e0", "10 0 0 1e0",
     "a.msh:14: node tag 10 was used before, on line 11"},
    {"TagNotPositive", &kGmsh22, "12 0 0 1e0", "-12 0 0 1e0",
     "a.msh:14:1: node tag -12; tags must be positive"},
    {"UnknownTag", &kGmsh22, "10 1000000 3 12\n", "10 1000001 3 12\n",
     "a.msh:23:14: node 1000001 is not in the $Nodes"},
    {"HugeTag", &kGmsh22, "10 1000000 3 12\n", "10 9223372036854775807 3 12\n",
     "a.msh:23:14: node 9223372036854775807 is not in the $Nodes"},
    {"Hexahedra22", &kGmsh22, "5 4 2 7", "5 5 2 7",
     "a.msh:23:3: 8-node hexahedra (type 5) are not supported, only 4-node"},
    {"QuadraticTets41", &kGmsh41, "3 1 4 2", "3 1 11 2",
     "a.msh:40:5: 10-node tetrahedra (type 11) are not supported"},
    {"UnknownType", &kGmsh22, "5 4 2 7", "5 77 2 7", "a.msh:23:3: element type 77 is not known"},
    {"ElementsBeforeNodes", &kGmsh22, "$Nodes", "$Elements", "a.msh:9:1: $Elements comes before $Nodes"},
    {"HostileBlocks41", &kGmsh41, "4 5 2 1000000", "1152921504606846976 5 2 1000000",
     "a.msh:18:1: '1152921504606846976' node blocks cannot be in the"},
    {"HostileNodes41", &kGmsh41, "4 5 2 1000000", "4 1152921504606846976 2 1000000",
     "a.msh:18:3: '1152921504606846976' nodes cannot be in the"},
    {"HostileBlockNodes41", &kGmsh41, "2 1 1 2", "2 1 1 1152921504606846976",
     "a.msh:23:7: '1152921504606846976' nodes in this block cannot be in the"},
    {"BlockLargerThanTotal41", &kGmsh41, "4 5 2 1000000", "4 4 2 1000000",
     "a.msh:28:7: this block has 2 nodes, more than the 1 left"},
    {"TotalLargerThanBlocks41", &kGmsh41, "4 5 2 1000000", "4 6 2 1000000",
     "a.msh:32:6: the section states 6 nodes, but its blocks hold 5"},
    {"BadDimension41", &kGmsh41, "3 1 0 2", "4 1 0 2",
     "a.msh:28:1: an entity of dimension 4; 0 to 3 are possible"},
    {"BadParametric41", &kGmsh41, "3 1 0 2", "3 1 2 2", "a.msh:28:5: parametric is 2; it must be 0 or 1"},
    {"ParametricMissing41", &kGmsh41, "1 0 0 0.5 0.25", "1 0 0 0.5",
     "a.msh:26:10: the line ends where a parametric"},
    {"HostileElements41", &kGmsh41, "3 1 4 2", "3 1 4 1152921504606846976",
     "a.msh:40:7: '1152921504606846976' elements in this block cannot be in the"},
    {"ElementTotalTooSmall41", &kGmsh41, "3 4 1 9", "3 3 1 9",
     "a.msh:40:7: this block has 2 elements, more than the 1 left"},
    {"ElementTotalTooLarge41", &kGmsh41, "3 4 1 9", "3 5 1 9",
     "a.msh:42:17: the section states 5 elements, but its blocks hold 4"},
    {"NoTetrahedra41", &kGmsh41,
     "3 4 1 9\n0 1 15 1\n1 10\n2 1 2 1\n3 10 3 12\n3 1 4 2\n5 10 1000000 3 12\n9 2 1000000 12 3\n",
     "1 1 1 9\n0 1 15 1\n1 10\n", "a.msh:38:13: there are neither 4-node tetrahedra nor 3-node triangles"},
};

void PrintTo(const Mistake& mistake, std::ostream* stream) { *stream << mistake.name; }

class GmshMistake : public ::testing::TestWithParam<Mistake> {};
INSTANTIATE_TEST_SUITE_P(Each, GmshMistake, ::testing::ValuesIn(kMistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

TEST_P(GmshMistake, IsNamedWithItsLine) {
  const Mistake& mistake = GetParam();
  const std::string found = complaint(with(*mistake.sample, mistake.old, mistake.replacement));
  EXPECT_NE(found.find(mistake.complaint), std::string::npos) << "found: " << found;
}

TEST(GmshMistakes, AreCollectedWhereReadingCanGoOn) {
  std::string text = with(kGmsh22, "3 0 1.0 0", "3 0 inf 0");
  text = with(text, "10 1000000 3 12\n", "10 55 3 12\n");
  EXPECT_EQ(complaint(text),
            "a.msh:13:5: coordinate y of node 3 is inf; it must be finite\n"
            "a.msh:23:14: node 55 is not in the $Nodes section");
}

TEST(GmshMistakes, ACutIsNoticedOnEveryByte) {
  // The very last line break may be missing, and the section after $Elements altogether.
  const size_t needed22 = kGmsh22.find("\n$MadeUp"), needed41 = kGmsh41.size() - 1;
  for (size_t length = 0; length < needed22; ++length)
    EXPECT_NE(complaint(kGmsh22.substr(0, length)), "") << length;
  for (size_t length = 0; length < needed41; ++length)
    EXPECT_NE(complaint(kGmsh41.substr(0, length)), "") << length;
}

TEST(GmshMistakes, ACutNamesTheCountItBreaksOrTheLastLine) {
  EXPECT_EQ(
      complaint(kGmsh22.substr(0, kGmsh22.find("3 0 1.0 0"))),
      "a.msh:10:1: '5' nodes cannot be in the 23 bytes that follow; is the count wrong or the file cut off?");
  EXPECT_EQ(complaint(kGmsh22.substr(0, kGmsh22.find("$EndElements"))),
            "a.msh:24:30: the file ends where $EndElements should be; is it cut off?");
}

TEST(GmshMistakes, AFileOfAnotherKindIsToldSo) {
  EXPECT_EQ(complaint("solid cube\n"),
            "a.msh:1:1: expected the start of a section such as $Nodes, found 'solid cube'; is this a Gmsh "
            ".msh file?");
  EXPECT_EQ(complaint(""), "a.msh:1:1: the file is empty");
}

TEST(GmshMistakes, ComplaintsStopBeforeTheyFillTheScreen) {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n100\n";
  for (int n = 0; n < 100; ++n) text += "1 nan nan nan\n";
  const std::string found = complaint(text + "$EndNodes\n");
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 19);
}

}  // namespace
}  // namespace pliant::gmsh_mistakes_test
