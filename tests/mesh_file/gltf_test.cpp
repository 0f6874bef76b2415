#include "pliant/mesh_file/gltf.hpp"

#include "mesh/surface_checks.hpp"
#include "mesh_file/gltf_samples.hpp"

namespace pliant::gltf_test {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

MeshContents read(const std::string& json) { return parse_glb(glb_of(json, gltf_binary()), "a.glb"); }
MeshContents read_with(std::string_view old, std::string_view replacement) {
  return read(with(kGltfJson, old, replacement));
}
std::string complaint_with(std::string_view old, std::string_view replacement) {
  return complaints_of([&] { read_with(old, replacement); });
}

TEST(ReadGlb, PutsMeshesWhereTheTreeOfNodesPutsThem) {
  const MeshContents mesh = read(kGltfJson);
  ASSERT_EQ(mesh.vertices.size(), 4U);
  // Moved by 10 along x, doubled, then turned by a quarter around z.
  EXPECT_LT((mesh.vertices[0] - Vec3(0, 20, 0)).norm(), 1e-13);
  EXPECT_LT((mesh.vertices[1] - Vec3(0, 22, 0)).norm(), 1e-13);
  EXPECT_LT((mesh.vertices[2] - Vec3(-2, 20, 0)).norm(), 1e-13);
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {3, 2, 1}}));
}

TEST(ReadGlb, TakesColoursAndNamedAttributesAsFields) {
  const MeshContents mesh = read(kGltfJson);
  ASSERT_EQ(mesh.fields.size(), 2U);
  EXPECT_EQ(mesh.fields[0], (PointData{"colour", 3, {1, 0, 0.2, 1, 0, 0.2, 1, 0, 0.2, 1, 0, 0.2}}));
  EXPECT_EQ(mesh.fields[1], (PointData{"pin", 1, {0, 1, 0.5, 0.25}}));
}

TEST(ReadGlb, TakesMatricesColumnByColumn) {
  const MeshContents mesh =
      read_with("\"translation\":[10,0,0]", "\"matrix\":[0,1,0,0, -1,0,0,0, 0,0,1,0, 5,6,7,1]");
  // Turned by a quarter and moved, then as before.
  EXPECT_LT((mesh.vertices[0] - Vec3(-12, 10, 14)).norm(), 1e-13);
  EXPECT_LT((mesh.vertices[1] - Vec3(-14, 10, 14)).norm(), 1e-13);
}

TEST(ReadGlb, TurnsTrianglesOverWhereAPartIsMirrored) {
  EXPECT_EQ(read_with("\"scale\":[2,2,2]", "\"scale\":[2,-2,2]").triangles,
            (Triangles{{0, 2, 1}, {3, 1, 2}}));
}

TEST(ReadGlb, TakesStripsFansAndCornersInARow) {
  EXPECT_EQ(read_with("\"indices\":3,\"mode\":4", "\"mode\":5").triangles, (Triangles{{0, 1, 2}, {1, 3, 2}}));
  EXPECT_EQ(read_with("\"indices\":3,\"mode\":4", "\"mode\":6").triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(read_with("\"mode\":4", "\"mode\":6").triangles,
            (Triangles{{0, 1, 2}, {0, 2, 3}, {0, 3, 2}, {0, 2, 1}}));
  EXPECT_TRUE(says(complaint_with("\"indices\":3,", ""), {"4 corners"}));
}

TEST(ReadGlb, LeavesOutTheTrianglesThatSewStripsTogether) {
  std::string binary = gltf_binary().substr(0, 80);
  for (const int corner : {0, 1, 2, 2, 3, 1}) append_bytes(binary, static_cast<std::uint16_t>(corner));
  const MeshContents mesh = parse_glb(glb_of(with(kGltfJson, "\"mode\":4", "\"mode\":5"), binary), "a.glb");
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {2, 1, 3}}));
}

TEST(ReadGlb, TakesIndicesOfEverySize) {
  std::string small = gltf_binary().substr(0, 80), large = small;
  for (const int corner : {0, 1, 2, 3, 2, 1}) {
    append_bytes(small, static_cast<std::uint8_t>(corner));
    append_bytes(large, static_cast<std::uint32_t>(corner));
  }
  const MeshContents mesh = read(kGltfJson);
  EXPECT_EQ(parse_glb(glb_of(with(with(kGltfJson, "5123", "5121"), "\"byteLength\":12,", "\"byteLength\":6,"),
                             small),
                      "a.glb"),
            mesh);
  const std::string json = with(with(kGltfJson, "5123", "5125"), "\"byteLength\":12,", "\"byteLength\":24,");
  EXPECT_EQ(parse_glb(glb_of(json, large), "a.glb"), mesh);
}

TEST(ReadGlb, RepeatsAMeshForEveryNodeThatHasIt) {
  const MeshContents mesh = read_with("\"name\":\"Parent\",", "\"mesh\":0,");
  EXPECT_EQ(mesh.vertices.size(), 8U);
  EXPECT_EQ(mesh.triangles[2], (std::array<int, 3>{4, 5, 6}));
  EXPECT_EQ(mesh.fields[1].values.size(), 8U);
}

TEST(ReadGlb, FillsFieldsThatAPartDoesNotHave) {
  const MeshContents mesh = read_with(
      "\"primitives\":[",
      "\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":3},{\"attributes\":{},\"mode\":1},");
  ASSERT_EQ(mesh.fields.size(), 2U);
  EXPECT_EQ(mesh.fields[0].values[0], 1.0) << "white";
  EXPECT_EQ(mesh.fields[1], (PointData{"pin", 1, {0, 0, 0, 0, 0, 1, 0.5, 0.25}}));
}

TEST(ReadGlb, TakesTheTopOfTheTreeWhereThereIsNoScene) {
  EXPECT_EQ(read_with("\"scene\":0,\"scenes\":[{\"name\":\"Scene\",\"nodes\":[1]}],", ""), read(kGltfJson));
}

TEST(ReadGlb, GivesBackWhatWasWritten) {
  const MeshContents mesh = awkward_single_precision_surface();
  EXPECT_EQ(parse_glb(glb_bytes(mesh), "a.glb"), mesh);
}

TEST(WriteGlb, IsPaddedAndStatesItsLengthAndBounds) {
  const std::string bytes = glb_bytes({{{0, 0, 0}, {1, 0, 0}, {0, 0.5, 0}}, {}, {{0, 1, 2}}, {}});
  EXPECT_EQ(bytes.substr(0, 8), std::string("glTF\2\0\0\0", 8));
  std::string length;
  append_bytes(length, static_cast<std::uint32_t>(bytes.size()));
  EXPECT_EQ(bytes.substr(8, 4), length);
  EXPECT_EQ(bytes.size() % 4, 0U);
  EXPECT_NE(bytes.find("\"min\":[0.0,0.0,0.0],\"max\":[1.0,0.5,0.0]"), std::string::npos);
}

TEST(WriteGlb, RefusesWhatTheFormatCannotHold) {
  EXPECT_NE(complaints_of([] { glb_bytes({}); }), "");
  EXPECT_NE(complaints_of([] {
              glb_bytes({{{1e39, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {}, {{0, 1, 2}}, {}});
            }),
            "");
}

TEST(ReadGlb, RefusesCompressedSparseAndScatteredDataByName) {
  EXPECT_TRUE(
      says(complaint_with("\"asset\"", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"asset\""),
           {"a.glb", "KHR_draco_mesh_compression", "without compression"}));
  EXPECT_TRUE(says(complaint_with("\"mode\":4", "\"extensions\":{\"KHR_draco_mesh_compression\":{}}"),
                   {"KHR_draco"}));
  EXPECT_TRUE(says(complaint_with("\"target\":34962", "\"extensions\":{\"EXT_meshopt_compression\":{}}"),
                   {"EXT_meshopt_compression"}));
  EXPECT_TRUE(says(complaint_with("\"min\":[0,0,0]", "\"sparse\":{}"), {"sparse"}));
  EXPECT_TRUE(says(complaint_with("\"byteLength\":92", "\"byteLength\":92,\"uri\":\"a.bin\""),
                   {"another file", ".glb"}));
  EXPECT_TRUE(says(complaints_of([] { parse_glb(kGltfJson, "a.gltf"); }), {"a.gltf", "export it as .glb"}));
}

TEST(ReadGlb, RefusesTreesThatAreNone) {
  EXPECT_TRUE(says(complaint_with("\"mesh\":0,", "\"mesh\":0,\"children\":[1],"), {"reached twice"}));
  EXPECT_TRUE(says(complaint_with("\"children\":[0]", "\"children\":[0,0]"), {"reached twice"}));
  EXPECT_TRUE(says(complaint_with("\"children\":[0]", "\"children\":[7]"), {"nodes 7 does not exist"}));
  EXPECT_TRUE(says(complaint_with("\"nodes\":[1]", "\"nodes\":[]"), {"no triangles"}));
}

TEST(ReadGlb, TakesDeepTreesAndRefusesDeepJson) {
  std::string nodes = "\"nodes\":[";
  for (int i = 0; i < 50'000; ++i) nodes += "{\"children\":[" + std::to_string(i + 1) + "]},";
  const std::string json = with(with(kGltfJson, "\"nodes\":[1]", "\"nodes\":[0]"), "\"nodes\":[{\"mesh\":0",
                                nodes + "{\"mesh\":0");
  EXPECT_EQ(read(with(json, "\"children\":[0]", "\"camera\":0")).triangles.size(), 2U);
  EXPECT_TRUE(says(complaint_with("[10,0,0]", std::string(1'000'000, '[')), {"deep"}));
}

TEST(ReadGlb, RefusesNumbersOutOfBounds) {
  for (const char* count : {"5", "4000000000", "4294967296", "1152921504606846976", "-1", "1.5", "\"4\""})
    EXPECT_TRUE(says(complaint_with("\"count\":4", "\"count\":" + std::string(count)), {"a.glb"})) << count;
  EXPECT_TRUE(says(complaint_with("\"byteOffset\":64", "\"byteOffset\":4294967295"), {"do not fit"}));
  EXPECT_TRUE(says(complaint_with("\"byteOffset\":12", "\"byteOffset\":4294967295"), {"do not fit"}));
  EXPECT_TRUE(says(complaint_with("\"byteStride\":16", "\"byteStride\":0"), {"byteStride 0"}));
  EXPECT_TRUE(says(complaint_with("\"VEC3\"", "\"VEC2\""), {"POSITION"}));
  EXPECT_TRUE(says(complaint_with("\"VEC3\"", "\"MAT4\""), {"type of an accessor"}));
  EXPECT_TRUE(says(complaint_with("5123", "5124"), {"componentType 5124"}));
  EXPECT_TRUE(says(complaint_with("\"mode\":4", "\"mode\":7"), {"mode"}));
  EXPECT_TRUE(says(complaint_with("[2,2,2]", "[2,2]"), {"scale", "3 numbers"}));
  EXPECT_TRUE(says(complaint_with("[2,2,2]", "[1e300,1e300,1e300]"), {"a.glb"}) ||
              read_with("[2,2,2]", "[1e300,1e300,1e300]").vertices[1].allFinite());
  EXPECT_TRUE(says(complaint_with("{\"bufferView\":2,", "{\"bufferView\":1,"), {"names no vertex"}));
}

TEST(ReadGlb, BoundsWhatAHostileFileCanMakeOfAMesh) {
  std::string primitives;
  for (int i = 0; i < 1000; ++i) primitives += "{\"attributes\":{\"POSITION\":0},\"indices\":3},";
  std::string nodes, children = "0";
  for (int i = 2; i < 2000; ++i) {
    nodes += ",{\"mesh\":0}";
    children += "," + std::to_string(i);
  }
  std::string json = with(kGltfJson, "\"primitives\":[", "\"primitives\":[" + primitives);
  json = with(json, "\"scale\":[2,2,2]}]", "\"scale\":[2,2,2]}" + nodes + "]");
  json = with(json, "\"children\":[0]", "\"children\":[" + children + "]");
  EXPECT_TRUE(says(complaints_of([&] { read(json); }), {"a.glb", "repeats"}));
}

TEST(ReadGlb, BoundsHowManyFieldsMayShareTheirNumbers) {
  constexpr size_t kVertices = 20000;
  std::string attributes = "\"POSITION\":0";
  for (int i = 0; i < 2000; ++i) attributes += ",\"_a" + std::to_string(i) + "\":1";
  const std::string json =
      "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
      "\"meshes\":[{\"primitives\":[{\"attributes\":{" +
      attributes +
      "}}]}],\"buffers\":[{\"byteLength\":240000}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":240000}],"
      "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":20000,\"type\":\"VEC3\"},"
      "{\"bufferView\":0,\"componentType\":5121,\"count\":20000,\"type\":\"VEC3\"}]}";
  EXPECT_TRUE(
      says(complaints_of([&] { parse_glb(glb_of(json, std::string(12 * kVertices, '\0')), "a.glb"); }),
           {"a.glb", "fields more than"}));
}

TEST(ReadGlb, RefusesContainersThatAreNotWhole) {
  const std::string bytes = glb_of(kGltfJson, gltf_binary());
  const auto complaint = [](const std::string& bad) {
    return complaints_of([&] { parse_glb(bad, "a.glb"); });
  };
  EXPECT_TRUE(says(complaint(""), {"a.glb", "empty"}));
  EXPECT_TRUE(says(complaint("glT"), {"a.glb: byte 0"}));
  EXPECT_TRUE(says(complaint("ply\nformat"), {"not a .glb file"}));
  EXPECT_TRUE(says(complaint(bytes.substr(0, bytes.size() - 1)), {"a.glb: byte 8", "cut off"}));
  EXPECT_TRUE(
      says(complaint(with(bytes, std::string("\2\0\0\0", 4), std::string("\1\0\0\0", 4))), {"version 1"}));
  EXPECT_TRUE(says(complaint(with(bytes, "JSON", "JSOM")), {"first chunk"}));
  EXPECT_TRUE(says(complaint(with(bytes, "\"scene\"", "\"scene,")), {"JSON of the file is damaged"}));
}

}  // namespace
}  // namespace pliant::gltf_test
