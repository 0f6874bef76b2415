// Readers of files from outside must survive anything: return, or throw InputError. Seeded mutations of valid
// files.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>

#include "mesh/mesh_checks.hpp"
#include "mesh_file/gltf_samples.hpp"
#include "mesh_file/gmsh_samples.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh/mesh_contents.hpp"
#include "pliant/mesh_file/gltf.hpp"
#include "pliant/mesh_file/gmsh.hpp"
#include "pliant/mesh_file/medit.hpp"
#include "pliant/mesh_file/npy.hpp"
#include "pliant/mesh_file/obj.hpp"
#include "pliant/mesh_file/ply.hpp"
#include "pliant/mesh_file/stl.hpp"
#include "pliant/mesh_file/tetgen.hpp"
#include "pliant/mesh_file/vtu.hpp"

namespace pliant::damage_test {
namespace {

using Random = std::mt19937_64;

/// Replaces a run of digits, if there is one behind a random place.
void replace_number(std::string& text, Random& random) {
  static const char* const kNumbers[] = {"1152921504606846976",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "18446744073709551616",
                                         "4294967296",
                                         "2147483648",
                                         "-1",
                                         "0",
                                         "1e308",
                                         "-1e999",
                                         "nan",
                                         "inf",
                                         "1e-400",
                                         "5",
                                         "",
                                         "+-3",
                                         "0x10",
                                         "3 4",
                                         "7\n8"};
  size_t first = random() % text.size();
  while (first < text.size() && !std::isdigit(static_cast<unsigned char>(text[first]))) ++first;
  size_t last = first;
  while (last < text.size() && std::isdigit(static_cast<unsigned char>(text[last]))) ++last;
  text.replace(first, last - first, kNumbers[random() % std::size(kNumbers)]);
}

std::string damaged(std::string text, Random& random) {
  const int changes = 1 + static_cast<int>(random() % 3);
  for (int change = 0; change < changes && !text.empty(); ++change) {
    const size_t at = random() % text.size(), length = random() % 40;
    switch (random() % 6) {
      case 0:
        text.resize(at);
        break;
      case 1:
        text[at] = static_cast<char>(random());
        break;
      case 2:
        text[at] = static_cast<char>(text[at] ^ (1 << (random() % 8)));
        break;
      case 3:
        text.erase(at, length);
        break;
      case 4:
        text.insert(random() % text.size(), text.substr(at, length));
        break;
      default:
        replace_number(text, random);
    }
  }
  return text;
}

/// How many of the damaged texts were refused. Any other exception escapes and fails the test.
int count_refused(const std::string& text, int rounds, const std::function<void(const std::string&)>& read) {
  Random random(2024);
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::string bad = damaged(text, random);
    try {
      read(bad);
    } catch (const InputError& error) {
      ++refused;
      EXPECT_FALSE(error.complaints().empty());
    }
  }
  return refused;
}

void read_mesh(const MeshContents& mesh) {
  const auto exists = [&](int v) { EXPECT_TRUE(v >= 0 && static_cast<size_t>(v) < mesh.vertices.size()); };
  for (const auto& tet : mesh.tets) std::ranges::for_each(tet, exists);
  for (const auto& triangle : mesh.triangles) std::ranges::for_each(triangle, exists);
  for (const Vec3& x : mesh.vertices) EXPECT_TRUE(x.allFinite());
  for (const PointData& field : mesh.fields)
    for (const double value : field.values) EXPECT_TRUE(std::isfinite(value));
  EXPECT_NO_THROW(check_fields(mesh));
  const TetMesh body = body_of(mesh);
  find_defects(body);
  extract_surface(body);
}

MeshContents small_file() {
  MeshContents mesh = one_tet_file();
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}};
  mesh.fields = {{"mass", 1, {1, 2, 3, 4}}, {"velocity", 3, std::vector<double>(12, 0.5)}};
  return mesh;
}

MeshContents painted_square() {
  return {
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5}}, {}, {{0, 1, 2}, {0, 2, 3}}, {{"pin", 1, {0, 1, 2, 3}}}};
}

constexpr int kRounds = 4000;

TEST(DamagedFiles, OfGmsh22AreRefusedOrGiveAMeshThatIsWhole) {
  EXPECT_GT(count_refused(kGmsh22, kRounds, [](const auto& text) { read_mesh(parse_gmsh(text, "a.msh")); }),
            kRounds / 3);
}

TEST(DamagedFiles, OfGmsh41AreRefusedOrGiveAMeshThatIsWhole) {
  EXPECT_GT(count_refused(kGmsh41, kRounds, [](const auto& text) { read_mesh(parse_gmsh(text, "a.msh")); }),
            kRounds / 3);
}

TEST(DamagedFiles, OfBinaryGmshAreRefusedOrGiveAMeshThatIsWhole) {
  for (const GmshVersion version : {GmshVersion::k2_2, GmshVersion::k4_1}) {
    const std::string bytes = gmsh_text(small_file(), version, GmshEncoding::kBinary);
    EXPECT_GT(count_refused(bytes, kRounds, [](const auto& bad) { read_mesh(parse_gmsh(bad, "a.msh")); }),
              kRounds / 3);
  }
}

TEST(DamagedFiles, OfVtuAreRefusedOrGiveAMeshThatIsWhole) {
  for (const VtuEncoding encoding : {VtuEncoding::kAscii, VtuEncoding::kBinary, VtuEncoding::kCompressed}) {
    const std::string text = vtu_text(small_file(), encoding);
    EXPECT_GT(count_refused(text, kRounds, [](const auto& bad) { read_mesh(parse_vtu(bad, "a.vtu")); }),
              kRounds / 3);
  }
}

TEST(DamagedFiles, OfMeditAreRefusedOrGiveAMeshThatIsWhole) {
  EXPECT_GT(count_refused(medit_text(small_file()), kRounds,
                          [](const auto& bad) { read_mesh(parse_medit(bad, "a.mesh")); }),
            kRounds / 3);
}

TEST(DamagedFiles, OfTetgenAreRefusedOrGiveAMeshThatIsWhole) {
  const TetgenTexts whole = tetgen_texts(small_file());
  for (std::string TetgenTexts::*part : {&TetgenTexts::node, &TetgenTexts::ele, &TetgenTexts::face}) {
    const auto read = [&](const std::string& bad) {
      TetgenTexts texts = whole;
      texts.*part = bad;
      read_mesh(parse_tetgen(texts, "a"));
    };
    EXPECT_GT(count_refused(whole.*part, kRounds, read), kRounds / 3);
  }
}

TEST(DamagedFiles, OfObjAreRefusedOrGiveAMeshThatIsWhole) {
  const std::string text =
      "v 0 0 0 1 0 0\nv 1 0 0\nv 1 1 0\nv 0.3 0.2 0\nf 1/1/1 2//2 3/3 -1\nf 1 2 \\\n 3\n";
  const auto read = [](const auto& bad) { read_mesh(parse_obj(bad, "a.obj")); };
  EXPECT_GT(count_refused(text, kRounds, read), kRounds / 4);
}

TEST(DamagedFiles, OfPlyAreRefusedOrGiveAMeshThatIsWhole) {
  const std::string text =
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
      "property uchar red\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
      "0 0 0 1\n1 0 0 2\n1 1 0 3\n0.4 0.3 0 4\n4 0 1 2 3\n";
  const auto read = [](const auto& bad) { read_mesh(parse_ply(bad, "a.ply")); };
  EXPECT_GT(count_refused(text, kRounds, read), kRounds / 3);
  EXPECT_GT(count_refused(ply_bytes(painted_square()), kRounds, read), kRounds / 3);
}

TEST(DamagedFiles, OfStlAreRefusedOrGiveAMeshThatIsWhole) {
  const std::string text =
      "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
      "endsolid a\n";
  const auto read = [](const auto& bad) { read_mesh(parse_stl(bad, "a.stl")); };
  EXPECT_GT(count_refused(text, kRounds, read), kRounds / 3);
  EXPECT_GT(count_refused(stl_bytes(painted_square()), kRounds, read), kRounds / 3);
}

TEST(DamagedFiles, OfGltfAreRefusedOrGiveAMeshThatIsWhole) {
  const auto read = [](const auto& bad) { read_mesh(parse_glb(bad, "a.glb")); };
  EXPECT_GT(count_refused(glb_of(kGltfJson, gltf_binary()), kRounds, read), kRounds / 3);
  EXPECT_GT(count_refused(glb_bytes(painted_square()), kRounds, read), kRounds / 3);
}

TEST(DamagedFiles, OfNpyAreRefusedOrGiveATableThatIsWhole) {
  const std::string bytes = npy_bytes(std::vector<float>(30, 1.5f), 10, 3);
  const auto read = [](const std::string& bad) {
    const NpyArray array = parse_npy(bad, "a.npy");
    EXPECT_EQ(static_cast<Index>(array.values.size()), array.rows * array.columns);
  };
  EXPECT_GT(count_refused(bytes, kRounds, read), kRounds / 3);
}

}  // namespace
}  // namespace pliant::damage_test
