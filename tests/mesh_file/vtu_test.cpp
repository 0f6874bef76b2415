#include "pliant/mesh_file/vtu.hpp"

#include "mesh/mesh_checks.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh/box.hpp"

namespace pliant::vtu_test {
namespace {

std::string complaint(const std::string& text) {
  return complaints_of([&] { parse_vtu(text, "a.vtu"); });
}

class VtuRoundTrip : public ::testing::TestWithParam<VtuEncoding> {};
INSTANTIATE_TEST_SUITE_P(EveryEncoding, VtuRoundTrip,
                         ::testing::Values(VtuEncoding::kAscii, VtuEncoding::kBinary,
                                           VtuEncoding::kCompressed));

TEST_P(VtuRoundTrip, IsBitExactThroughAFile) {
  const ScratchFolder folder;
  write_vtu(folder / "a.vtu", awkward_file(), GetParam());
  EXPECT_TRUE(same_bits(parse_vtu(read_file(folder / "a.vtu"), "a.vtu"), awkward_file()));
}

TEST_P(VtuRoundTrip, KeepsABoxOfManyBlocks) {
  const MeshContents box = contents_of({make_box({{1, 2, 3}, {17, 15, 13}, 6})});
  EXPECT_TRUE(same_bits(parse_vtu(vtu_text(box, GetParam()), "a.vtu"), box));
}

TEST_P(VtuRoundTrip, KeepsTrianglesAlone) {
  MeshContents mesh = awkward_file();
  mesh.tets.clear();
  EXPECT_TRUE(same_bits(parse_vtu(vtu_text(mesh, GetParam()), "a.vtu"), mesh));
}

TEST_P(VtuRoundTrip, UnpacksToAsMuchAsIsAllowed) {
  const MeshContents box = contents_of({make_box({.cells = {4, 4, 4}})});
  const std::string text = vtu_text(box, GetParam());
  const std::uint64_t numbers = 3 * box.vertices.size() + 6 * box.tets.size();
  EXPECT_TRUE(same_bits(parse_vtu(text, "a.vtu", 8 * numbers), box));
  EXPECT_NE(complaints_of([&] { parse_vtu(text, "a.vtu", 8 * numbers - 1); }).find("may unpack to"),
            std::string::npos);
}

TEST(Vtu, IsTheTextThatParaViewExpects) {
  MeshContents mesh = one_tet_file();
  mesh.fields = {{"a<b & \"c\"", 1, {1, 2, 3, 0.25}}};
  EXPECT_EQ(vtu_text(mesh),
            R"(<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">
<UnstructuredGrid>
<Piece NumberOfPoints="4" NumberOfCells="1">
<Points>
<DataArray type="Float64" Name="Points" NumberOfComponents="3" format="ascii">
0 0 0
1 0 0
0 1 0
0 0 1
</DataArray>
</Points>
<Cells>
<DataArray type="Int32" Name="connectivity" format="ascii">
0 1 2 3
</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">
4
</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">
10
</DataArray>
</Cells>
<PointData>
<DataArray type="Float64" Name="a&lt;b &amp; &quot;c&quot;" NumberOfComponents="1" format="ascii">
1
2
3
0.25
</DataArray>
</PointData>
</Piece>
</UnstructuredGrid>
</VTKFile>
)");
}

TEST(Vtu, RefusesPointDataThatDoesNotFitTheMesh) {
  MeshContents mesh = one_tet_file();
  mesh.fields = {{"mass", 1, {1, 2, 3}}};
  EXPECT_EQ(complaints_of([&] { vtu_text(mesh); }),
            "point data 'mass' has 3 values of 1 components for 4 vertices; 1 or 3 a vertex are possible");
}

/// A piece of one triangle at some height, with point data of the given names.
std::string piece(int z, const std::vector<std::string>& fields) {
  std::string text = "<Piece NumberOfCells='   1' NumberOfPoints='3 '><PointData>";
  for (const std::string& name : fields)
    text += format("<DataArray type='Int16' Name='{}' format='ascii'>{} 1 2</DataArray>", name, z);
  text += "</PointData><Cells><DataArray type='UInt8' Name='types'>5</DataArray>";
  text += "<DataArray type='Int64' Name='offsets'>3</DataArray>";
  text += "<DataArray type='Int64' Name='connectivity'>0 1\n2</DataArray></Cells><Points>";
  return text + format(
                    "<DataArray type='Float32' NumberOfComponents='3'>0 0 {0} 1 0 {0} 0 1 {0}</DataArray>"
                    "</Points></Piece>",
                    z);
}

std::string file_of(const std::string& pieces) {
  return format("<VTKFile type='UnstructuredGrid'><UnstructuredGrid>{}</UnstructuredGrid></VTKFile>", pieces);
}

TEST(Vtu, PutsPiecesOneAfterTheOtherWithTheFieldsOfAll) {
  const std::string empty = "<Piece NumberOfPoints='0' NumberOfCells='0'><Points/><Cells/></Piece>";
  const MeshContents mesh =
      parse_vtu(file_of(piece(7, {"a", "b", "c"}) + empty + piece(8, {"c", "a"})), "a.vtu");
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(mesh.vertices[4], Vec3(1, 0, 8));
  EXPECT_EQ(mesh.fields,
            (std::vector<PointData>{{"a", 1, {7, 1, 2, 8, 1, 2}}, {"c", 1, {7, 1, 2, 8, 1, 2}}}));
}

TEST(VtuDamage, ACutIsNoticedOnEveryByte) {
  for (const VtuEncoding encoding : {VtuEncoding::kAscii, VtuEncoding::kBinary, VtuEncoding::kCompressed}) {
    const std::string text = vtu_text(one_tet_file(), encoding);
    // The very last line break may be missing.
    for (size_t length = 0; length + 1 < text.size(); ++length)
      EXPECT_NE(complaint(text.substr(0, length)), "") << length;
  }
}

struct VtuMistake {
  const char *name, *old, *replacement, *complaint;
};

const VtuMistake kVtuMistakes[] = {
    {"MissingCoordinate", "0 1 0\n", "0 1\n", "a.vtu:10:6: array 'Points' ends after 11 of 12 numbers"},
    {"ExtraCoordinate", "0 1 0\n", "0 1 0 5\n", "a.vtu:10:5: array 'Points' has more than 12 numbers"},
    {"NotFinite", "0 1 0\n", "0 inf 0\n", "a.vtu:9:3: number 7 of array 'Points' is inf; it must be finite"},
    {"NotANumber", "0 1 0\n", "0 x 0\n", "a.vtu:9:3: expected a number (a number), found 'x'"},
    {"NoSuchPoint", "0 1 2 3", "0 1 2 4",
     "a.vtu:14:1: array 'connectivity': point 4 of cell 0 does not exist; there are 4, counted from 0"},
    {"NegativePoint", "0 1 2 3", "0 1 2 -1", "point -1 of cell 0 does not exist"},
    {"HostilePoints", "Points=\"4\"", "Points=\"1152921504606846976\"",
     "a.vtu:4:1: 1152921504606846976 points cannot be in a file of"},
    {"HostileCells", "Cells=\"1\"", "Cells=\"1152921504606846976\"",
     "a.vtu:4:1: 1152921504606846976 cells cannot be in a file of"},
    {"HostileOffset", "\n4\n", "\n1152921504606846976\n",
     "a.vtu:14:1: array 'connectivity': 1152921504606846976 numbers are more than a file of"},
    {"NegativeOffset", "\n4\n", "\n-4\n",
     "a.vtu:17:1: array 'offsets': number 0 is -4; offsets must not decrease"},
    {"Hexahedra", "10\n", "12\n",
     "a.vtu:20:1: array 'types': hexahedra (type 12) are not supported, only tetrahedra (type 10) and"},
    {"Quadratic", "10\n", "24\n", "quadratic tetrahedra (type 24) are not supported"},
    {"UnknownCells", "10\n", "99\n", "cells (type 99) are not supported"},
    {"TriangleOfFour", "10\n", "5\n", "a triangle of 4 points"},
    {"NoConnectivity", "Name=\"connectivity\"", "Name=\"faces\"",
     "a.vtu:4:1: the <Cells> of this <Piece> have no array 'connectivity'"},
    {"Planar", "NumberOfComponents=\"3\"", "NumberOfComponents=\"2\"",
     "array 'Points': 2 components; points have 3"},
    {"OtherGrid", "\"UnstructuredGrid\"", "\"PolyData\"", "a.vtu:2:1: a VTK file of type 'PolyData'; only"},
    {"ParallelGrid", "\"UnstructuredGrid\"", "\"PUnstructuredGrid\"",
     "give one of the .vtu files that it lists"},
    {"CountIsAWord", "Points=\"4\"", "Points=\"four\"", "NumberOfPoints is 'four'; it must be an integer"},
    {"ByteOrder", "LittleEndian", "MiddleEndian", "byte_order 'MiddleEndian'; it must be"},
    {"Format", "format=\"ascii\"", "format=\"cuneiform\"",
     "a.vtu:6:1: format 'cuneiform'; it must be ascii,"},
    {"NoOffset", "format=\"ascii\"", "format=\"appended\"", "an appended array must have an offset"},
    {"OffsetBeyond", "format=\"ascii\"", "format=\"appended\" offset=\"7\"",
     "array 'Points': its offset 7 is beyond the 0 bytes of <AppendedData>"},
    {"NotBase64", "format=\"ascii\"", "format=\"binary\"", "array 'Points': it has 3"},
    {"NotWellFormed", "</Points>", "</Pionts>", "found </Pionts> where </Points> should be"},
};

TEST(VtuDamage, IsNamedWithItsLine) {
  for (const VtuMistake& mistake : kVtuMistakes) {
    const std::string found = complaint(with(vtu_text(one_tet_file()), mistake.old, mistake.replacement));
    EXPECT_NE(found.find(mistake.complaint), std::string::npos) << mistake.name << ": " << found;
  }
}

TEST(VtuDamage, FilesOfOtherKindsAreToldSo) {
  EXPECT_EQ(complaint(""), "a.vtu:1:1: the file is empty");
  EXPECT_EQ(complaint("solid"), "a.vtu:1:1: expected a tag, found 'solid'");
  EXPECT_EQ(complaint("<html></html>"), "a.vtu:1:1: expected <VTKFile>; is this a .vtu file?");
}

TEST(VtuDamage, OfCompressedBlocksIsNoticed) {
  std::string bytes = vtu_text(one_tet_file(), VtuEncoding::kCompressed);
  const size_t start = bytes.find("\n_") + 2;
  bytes[start + 32 + 1] ^= 1;  // behind the four numbers of the header of the first array
  EXPECT_EQ(complaint(bytes), "a.vtu:6:1: array 'Points': block 0 of its compressed data is damaged");
  EXPECT_NE(
      complaint(with(bytes, "vtkZLib", "vtkLZ4")).find("compressor 'vtkLZ4DataCompressor' is not supported"),
      std::string::npos);
}

TEST(VtuDamage, AFileThatUnpacksToFarMoreThanItIsIsRefused) {
  MeshContents mesh = one_tet_file();
  mesh.vertices.resize(300'000, Vec3::Zero());
  const std::string bytes = vtu_text(mesh, VtuEncoding::kCompressed);
  ASSERT_LT(bytes.size(), 20'000u);
  EXPECT_NE(complaint(bytes).find("array 'Points': 900000 numbers are more than a file of"),
            std::string::npos)
      << complaint(bytes);
}

TEST(VtuDamage, ManyArraysOfTheSameBytesAreRefused) {
  MeshContents mesh = one_tet_file();
  mesh.vertices.resize(4000, Vec3(1, 2, 3));
  mesh.fields = {{"a", 3, std::vector<double>(12000, 1.5)}};
  std::string bytes = vtu_text(mesh, VtuEncoding::kBinary);
  const size_t at = bytes.find("<DataArray type=\"Float64\" Name=\"a\""), end = bytes.find("</PointData>");
  const std::string array = bytes.substr(at, end - at);
  std::string many = bytes;
  for (int i = 0; i < 900; ++i) many.insert(end, array);
  EXPECT_NE(complaint(many).find("are more than a file of"), std::string::npos);
  for (int i = 0; i < 2000; ++i) bytes.insert(end, array);
  EXPECT_NE(complaint(bytes).find("more than 1000 are not read"), std::string::npos);
}

TEST(Pvd, ListsFilesWithTheirTimes) {
  const ScratchFolder folder;
  const std::vector<std::pair<double, std::string>> files{{0, "0.vtu"}, {0.5, "1.vtu"}};
  write_pvd(folder / "a.pvd", files);
  EXPECT_EQ(read_file(folder / "a.pvd"),
            R"(<?xml version="1.0"?>
<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">
<Collection>
<DataSet timestep="0" group="" part="0" file="0.vtu"/>
<DataSet timestep="0.5" group="" part="0" file="1.vtu"/>
</Collection>
</VTKFile>
)");
}

}  // namespace
}  // namespace pliant::vtu_test
