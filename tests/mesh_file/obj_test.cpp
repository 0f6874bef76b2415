#include "pliant/mesh_file/obj.hpp"

#include "mesh/surface_checks.hpp"

namespace pliant::obj_test {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

MeshContents read(const std::string& text) { return parse_obj(text, "a.obj"); }
std::string complaint(const std::string& text) {
  return complaints_of([&] { read(text); });
}

const char* const kBlender = R"(# Blender 4.1.1
# www.blender.org
mtllib plane.mtl
o Plane
v -1.000000 0.000000 1.000000
v 1.000000 0.000000 1.000000
v -1.000000 0.000000 -1.000000
v 1.000000 0.000000 -1.000000
vn -0.0000 1.0000 -0.0000
vt 1.000000 0.000000
vt 0.000000 1.000000
vt 0.000000 0.000000
vt 1.000000 1.000000
s 0
usemtl Material
f 1/3/1 2/1/1 4/4/1 3/2/1
l 1 2
)";

TEST(ReadObj, TakesAFileOfBlender) {
  const MeshContents mesh = read(kBlender);
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{-1, 0, 1}, {1, 0, 1}, {-1, 0, -1}, {1, 0, -1}}));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 3}, {0, 3, 2}}));
  EXPECT_TRUE(mesh.fields.empty());
}

TEST(ReadObj, TakesTheColoursThatMeshLabWrites) {
  const MeshContents mesh =
      read("vn 0 0 1\nv 0 0 0 1.000000 0.501961 0.000000\nv 1 0 0\nv 0 1 0 0 0 1 0.5\nf 1//1 2//1 3//1\n");
  ASSERT_EQ(mesh.fields.size(), 1U);
  EXPECT_EQ(mesh.fields[0], (PointData{"colour", 3, {1, 0.501961, 0, 1, 1, 1, 0, 0, 1}}));
}

TEST(ReadObj, UnderstandsEveryKindOfCorner) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (const char* face : {"f 1 2 3", "f 1/1 2/2 3/3", "f 1//1 2//2 3//3", "f 1/1/1 2/2/2 3/3/3",
                           "f -3 -2 -1", "f -3/-3/-3 -2/-2/-2 -1/-1/-1", "f\t1  2\t 3  \r", "f 1 2 \\\n 3",
                           "f 1 \\\r\n2 3 # yes", "f 1/ 2/ 3/"})
    EXPECT_EQ(read(points + face).triangles, (Triangles{{0, 1, 2}})) << face;
}

TEST(ReadObj, CountsBackFromTheVerticesBeforeTheFace) {
  const MeshContents mesh = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -4 -1 -2\n");
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 3, 2}}));
}

TEST(ReadObj, LetsFacesComeBeforeTheirVertices) {
  EXPECT_EQ(read("f 1 2 3\nv 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\n").triangles, (Triangles{{0, 1, 2}}));
}

TEST(ReadObj, CutsAFaceWithADent) {
  const MeshContents mesh = read("v 0 0 0\nv 1 0.5 0\nv 2 0 0\nv 1 2 0\nf 1 2 3 4\n");
  EXPECT_NEAR(area(mesh.vertices, mesh.triangles), 1.5, 1e-14);
}

TEST(ReadObj, GivesBackWhatWasWritten) {
  MeshContents mesh = awkward_surface();
  mesh.fields = {mesh.fields[1]};
  const MeshContents back = read(obj_text(mesh));
  EXPECT_EQ(back.triangles, mesh.triangles);
  EXPECT_EQ(bits_of(back), bits_of(mesh));
  EXPECT_EQ(back, mesh);
}

TEST(ReadObj, NamesTheLineOfAMistakeAlsoBehindContinuedLinesAndComments) {
  EXPECT_TRUE(says(complaint("v 0 0 \\\n 0\n# more\nv 1 x 0\n"), {"a.obj:4:", "'x'"}));
  EXPECT_TRUE(
      says(complaint("v 0 0 0\nf 1 1 \\\n1\nf 1 1 7\n"), {"a.obj:4:", "vertex 7 does not exist", "are 1"}));
}

TEST(ReadObj, RefusesWhatCannotBeRight) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_TRUE(says(complaint(points + "f 1 2 0"), {":4:", "'0' names no vertex"}));
  EXPECT_TRUE(says(complaint(points + "f 1 2 -4"), {":4:", "3 come before"}));
  EXPECT_TRUE(says(complaint(points + "f 1 2"), {":4:", "2 corners"}));
  EXPECT_TRUE(says(complaint(points + "f 1 2 3/1/1/1"), {":4:", "found '3/1/1/1'"}));
  EXPECT_TRUE(says(complaint(points + "f 1 2 9999999999999999999"), {":4:", "9999"}));
  EXPECT_TRUE(says(complaint(points + "f 1 2 4611686018427387904"), {":4:", "does not exist"}));
  EXPECT_TRUE(says(complaint("v 0 0\nv 1 1 1\n"), {":1", "line ends"}));
  EXPECT_TRUE(says(complaint("v 0 0 nan\n"), {":1:", "finite"}));
  EXPECT_TRUE(says(complaint("v 0 0 0 1 2\n"), {":1:", "weight"}));
  EXPECT_TRUE(says(complaint(points + "cstype bspline\n"), {":4:", "'cstype'", "free-form"}));
  EXPECT_TRUE(says(complaint(""), {"a.obj", "empty"}));
  EXPECT_TRUE(says(complaint("hello\nworld\n"), {"no vertex", "OBJ"}));
}

}  // namespace
}  // namespace pliant::obj_test
