#include "pliant/geometry/vtu.hpp"

#include "geometry/mesh_checks.hpp"
#include "pliant/base/files.hpp"

namespace pliant {
namespace {

std::string complaint(const std::string& text) {
  return complaints_of([&] { parse_vtu(text, "a.vtu"); });
}

TEST(Vtu, RoundTripsBitExactlyThroughAFile) {
  const ScratchFolder folder;
  write_vtu(folder / "a.vtu", awkward_mesh());
  EXPECT_TRUE(same_bits(read_vtu(folder / "a.vtu"), awkward_mesh()));
}

TEST(Vtu, ReadsTheMeshOfAFileWithPointData) {
  const std::vector<PointData> data{{"mass", 1, {1, 2, 3, 4}}, {"velocity", 3, std::vector<double>(12, 0.5)}};
  EXPECT_TRUE(same_bits(parse_vtu(vtu_text(one_tet(), data), "a.vtu"), one_tet()));
}

TEST(Vtu, IsTheTextThatParaViewExpects) {
  const std::vector<PointData> data{{"a<b & \"c\"", 1, {1, 2, 3, 0.25}}};
  EXPECT_EQ(vtu_text(one_tet(), data),
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
  const std::vector<PointData> data{{"mass", 1, {1, 2, 3}}};
  EXPECT_EQ(complaints_of([&] { vtu_text(one_tet(), data); }),
            "point data 'mass' has 3 values of 1 components for 4 vertices; 1 or 3 a vertex are possible");
}

TEST(VtuDamage, ACutIsNoticedOnEveryLine) {
  const std::string text = vtu_text(one_tet());
  // The very last line break may be missing.
  for (size_t length = 0; length + 1 < text.size(); ++length)
    EXPECT_NE(complaint(text.substr(0, length)), "");
}

TEST(VtuDamage, AMissingCoordinateIsNamedWithItsLine) {
  EXPECT_EQ(complaint(with(vtu_text(one_tet()), "0 1 0\n", "0 1\n")),
            "a.vtu:9:4: the line ends where a coordinate should be");
}

TEST(VtuDamage, ACoordinateThatIsNotFiniteIsNamedWithItsLine) {
  EXPECT_EQ(complaint(with(vtu_text(one_tet()), "0 1 0\n", "0 inf 0\n")),
            "a.vtu:9:3: a coordinate of point 2 is inf; it must be finite");
}

TEST(VtuDamage, ACornerThatDoesNotExistIsNamedWithItsLine) {
  EXPECT_EQ(complaint(with(vtu_text(one_tet()), "0 1 2 3", "0 1 2 4")),
            "a.vtu:15:7: point 4 does not exist; there are 4, counted from 0");
}

TEST(VtuDamage, AHostileCountIsRefused) {
  const std::string found =
      complaint(with(vtu_text(one_tet()), "Points=\"4\"", "Points=\"1152921504606846976\""));
  EXPECT_NE(found.find("a.vtu:4:8: '1152921504606846976' points cannot be in the"), std::string::npos)
      << found;
}

TEST(VtuDamage, CellsOfAnotherKindAreRefused) {
  EXPECT_EQ(complaint(with(vtu_text(one_tet()), "10\n", "12\n")),
            "a.vtu:21:1: expected 10 (all cells are tetrahedra), found 12");
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
}  // namespace pliant
