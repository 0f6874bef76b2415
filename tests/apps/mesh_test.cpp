// `pliant mesh` from outside.
#include "pliant/run/run_folder.hpp"
#include "program.hpp"

namespace pliant::mesh_test {

namespace {

namespace fs = std::filesystem;

class MeshProgram : public ProgramTest {};

}  // namespace

TEST_F(MeshProgram, MeshesAShapeAndReportsItsQuality) {
  const Ending ending = run("mesh --shape 'torus major=0.5 minor=0.2' -o torus.msh --cell 0.1");
  EXPECT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_TRUE(contains(ending.said, "components   1"));
  EXPECT_TRUE(contains(ending.said, "degenerate   0, inverted 0"));
  EXPECT_TRUE(contains(ending.said, "dihedral angles"));
  EXPECT_TRUE(fs::exists(folder_ / "torus.msh"));
}

TEST_F(MeshProgram, ConvertsThereAndBackToTheSameBytes) {
  ASSERT_EQ(run("mesh --shape sphere -o a.msh --cell 0.2").exit_code, 0);
  for (const std::string between : {"b.vtu", "b.mesh", "b.node"}) {
    ASSERT_EQ(run("mesh a.msh -o " + between).exit_code, 0) << between;
    ASSERT_EQ(run("mesh " + between + " -o c.msh").exit_code, 0) << between;
    EXPECT_EQ(read_file(folder_ / "a.msh"), read_file(folder_ / "c.msh")) << between;
  }
  ASSERT_EQ(run("mesh a.msh -o d.vtu --binary").exit_code, 0);
  ASSERT_EQ(run("mesh d.vtu -o e.msh").exit_code, 0);
  EXPECT_EQ(read_file(folder_ / "a.msh"), read_file(folder_ / "e.msh"));
}

TEST_F(MeshProgram, FillsASurfaceAndCarriesItsFieldsOver) {
  write("box.ply",
        "ply\nformat ascii 1.0\nelement vertex 8\nproperty double x\nproperty double y\nproperty double z\n"
        "property double pin\nelement face 6\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0 0\n1 0 0 1\n1 1 0 1\n0 1 0 0\n0 0 1 0\n1 0 1 1\n1 1 1 1\n0 1 1 0\n"
        "4 0 3 2 1\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n");
  const Ending ending = run("mesh box.ply -o box.vtu --cell 0.2 --fit");
  ASSERT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_TRUE(contains(ending.said, "volume 1 m^3")) << ending.said;
  EXPECT_TRUE(contains(read_file(folder_ / "box.vtu"), "Name=\"pin\""));
}

TEST_F(MeshProgram, WritesSheetsAndStrands) {
  const Ending cloth = run("mesh --shape 'cloth cells=[4, 4, 1] length=2' -o cloth.obj");
  EXPECT_EQ(cloth.exit_code, 0) << cloth.said;
  EXPECT_TRUE(contains(cloth.said, "triangles    32")) << cloth.said;
  const Ending rope = run("mesh --shape 'strand length=3 cells=[5,1,1]' -o rope.vtu");
  EXPECT_EQ(rope.exit_code, 0) << rope.said;
  EXPECT_TRUE(contains(rope.said, "length       3 m")) << rope.said;
  EXPECT_TRUE(contains(run("mesh rope.vtu").said, "edges        5"));
  const Ending wrong = run("mesh --shape strand -o rope.obj");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(contains(wrong.said, "cannot hold a strand")) << wrong.said;
  EXPECT_FALSE(fs::exists(folder_ / "rope.obj"));
}

TEST_F(MeshProgram, KeepsTrianglesOnRequestAndNeverWritesOverItsInput) {
  ASSERT_EQ(run("mesh --shape 'cloth pattern=delaunay' -o cloth.obj").exit_code, 0);
  EXPECT_EQ(run("mesh cloth.obj -o cloth.vtu").exit_code, 2) << "an open surface encloses nothing";
  EXPECT_EQ(run("mesh cloth.obj -o cloth.vtu --surface").exit_code, 0);
  ASSERT_EQ(run("mesh cloth.vtu -o again.obj").exit_code, 0);
  EXPECT_EQ(read_file(folder_ / "again.obj"), read_file(folder_ / "cloth.obj"));
  const Ending over = run("mesh cloth.obj -o ./cloth.obj --scale 0.001");
  EXPECT_EQ(over.exit_code, 2);
  EXPECT_TRUE(contains(over.said, "would be written over")) << over.said;
  EXPECT_EQ(read_file(folder_ / "again.obj"), read_file(folder_ / "cloth.obj"));
}

TEST_F(MeshProgram, ListsFieldsAndSaysWhichAreLost) {
  write("a.vtu",
        "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\"><UnstructuredGrid>"
        "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><Points><DataArray type=\"Float64\" "
        "NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells>"
        "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>"
        "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray>"
        "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10</DataArray></Cells><PointData>"
        "<DataArray type=\"Float64\" Name=\"pin\" format=\"ascii\">0 0.5 1 2</DataArray></PointData>"
        "</Piece></UnstructuredGrid></VTKFile>");
  EXPECT_TRUE(contains(run("mesh a.vtu").said, "fields       pin 0 to 2"));
  const Ending ending = run("mesh a.vtu -o a.mesh");
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_TRUE(contains(ending.said, ".mesh files hold no fields; left out: pin")) << ending.said;
}

TEST_F(MeshProgram, ThinBodiesAreRunDrawnAndExported) {
  write("thin.toml",
        "name = \"Thin\"\nduration = 0.1\n[[body]]\nshape = { kind = \"cloth\", cells = [4, 4, 1] }\n"
        "[[body]]\nname = \"rope\"\nshape = { kind = \"strand\" }\ntranslate = [2, 0, 0]\n");
  ASSERT_EQ(run("run thin.toml -o run --quiet").exit_code, 0);
  const RunFolder folder(folder_ / "run");
  EXPECT_TRUE(folder.bodies()[0].rest.thin())
      << "read back as cloth, not as a planar body that can be inverted";
  for (const std::string color : {"bodies", "inverted"}) {
    const Ending drawn =
        run("render run -o pictures-" + color + " --width 64 --height 48 --samples 1 --color " + color);
    EXPECT_EQ(drawn.exit_code, 0) << drawn.said;
  }
  EXPECT_EQ(run("export run --format vtu -o vtu").exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "vtu/rope-000000.vtu"));
  const Ending obj = run("export run --format obj -o obj");
  EXPECT_EQ(obj.exit_code, 0);
  EXPECT_TRUE(contains(obj.said, "rope is a strand")) << obj.said;
  EXPECT_TRUE(fs::exists(folder_ / "obj/body-000000.obj"));
  EXPECT_FALSE(fs::exists(folder_ / "obj/rope-000000.obj"));
}

TEST_F(MeshProgram, TurnsTetrahedraThatAreInsideOut) {
  write("a.mesh",
        "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 "
        "0\nTetrahedra\n1\n1 3 2 4 0\nEnd\n");
  const Ending ending = run("mesh a.mesh -o b.mesh");
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_TRUE(contains(ending.said, "turned 1 tetrahedron")) << ending.said;
  EXPECT_TRUE(contains(ending.said, "inverted 0")) << ending.said;
}

TEST_F(MeshProgram, RefusesAnOpenSurfaceAndWritesNothing) {
  write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\n");
  const Ending ending = run("mesh open.obj -o open.msh");
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_TRUE(contains(ending.said, "open.obj: the surface is open")) << ending.said;
  EXPECT_TRUE(contains(ending.said, "4 boundary edges in 1 hole")) << ending.said;
  EXPECT_FALSE(fs::exists(folder_ / "open.msh"));
  EXPECT_TRUE(contains(run("mesh open.obj").said, "open edges   4 in 1 hole"));
}

TEST_F(MeshProgram, MergesVerticesOnRequest) {
  write("seam.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 4 6 5\n");
  EXPECT_TRUE(contains(run("mesh seam.obj -o merged.obj --merge").said, "merged 2 of 6 vertices"));
}

TEST_F(MeshProgram, GuessesUnits) {
  ASSERT_EQ(run("mesh --shape 'sphere radius=50 cell=20' -o mm.msh").exit_code, 0);
  EXPECT_TRUE(contains(run("mesh mm.msh").said, "millimetres, use --scale 0.001"));
  EXPECT_TRUE(contains(run("mesh mm.msh --scale 0.001").said, "metres, by the size of it"));
}

TEST_F(MeshProgram, SaysWhatIsWrongWithTheRequest) {
  EXPECT_EQ(run("mesh").exit_code, 2);
  EXPECT_EQ(run("mesh nowhere.msh").exit_code, 2);
  const Ending unknown = run("mesh --shape sphere -o ball.xyz");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(contains(unknown.said, "known endings are")) << unknown.said;
  EXPECT_EQ(run("mesh --shape 'sphere radius=0'").exit_code, 2);
}

}  // namespace pliant::mesh_test
