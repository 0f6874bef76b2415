#include <algorithm>
#include <cmath>

#include "mesh/mesh_checks.hpp"
#include "pliant/mesh_file/gmsh.hpp"

namespace pliant::gmsh_binary_test {
namespace {

std::string complaint(const std::string& bytes) {
  return complaints_of([&] { parse_gmsh(bytes, "a.msh"); });
}

/// A binary file, built number by number in either byte order.
class Bytes {
 public:
  explicit Bytes(std::endian order) : order_(order) {}

  Bytes& text(std::string_view lines) {
    bytes_ += lines;
    return *this;
  }
  Bytes& ints(std::initializer_list<std::int32_t> values) { return put(values); }
  Bytes& sizes(std::initializer_list<std::uint64_t> values) { return put(values); }
  Bytes& doubles(std::initializer_list<double> values) { return put(values); }
  std::string bytes() const { return bytes_; }

 private:
  template <class T>
  Bytes& put(std::initializer_list<T> values) {
    for (const T value : values) {
      auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
      if (order_ != std::endian::native) std::reverse(raw.begin(), raw.end());
      bytes_.append(raw.data(), raw.size());
    }
    return *this;
  }

  std::endian order_;
  std::string bytes_;
};

/// Two tetrahedra as Gmsh lays them out: sections to skip, sparse tags, parametric nodes, blocks of other
/// types.
std::string sample_4_1(std::endian order) {
  Bytes file(order);
  file.text("$MeshFormat\n4.1 1 8\n").ints({1}).text("\n$EndMeshFormat\n");
  file.text("$PhysicalNames\n1\n3 7 \"jelly $EndPhysicalNames2\"\n$EndPhysicalNames\n");
  file.text("$Entities\n").sizes({0, 0, 0, 1}).ints({1}).doubles({0, 0, 0, 1, 1, 1}).sizes({1}).ints({7});
  file.sizes({0}).text("\n$EndEntities\n");
  file.text("$Nodes\n").sizes({3, 5, 2, 1000000});
  file.ints({0, 1, 0}).sizes({1, 10}).doubles({0, 0, 0});
  file.ints({2, 1, 1}).sizes({2, 1000000, 3}).doubles({1, 0, 0, 0.5, 0.25, 0, 1, 0, 0.25, 0.75});
  file.ints({3, 1, 0}).sizes({2, 12, 2}).doubles({0, 0, 1, 1, 1, 1}).text("\n$EndNodes\n");
  file.text("$Elements\n").sizes({3, 4, 1, 9});
  file.ints({0, 1, 15}).sizes({1, 1, 10});
  file.ints({2, 1, 2}).sizes({1, 3, 10, 3, 12});
  file.ints({3, 1, 4}).sizes({2, 5, 10, 1000000, 3, 12, 9, 2, 1000000, 12, 3}).text("\n$EndElements\n");
  file.text("$ElementData\n1\n\"q\"\n0\n3\n0\n1\n1\n").ints({5}).doubles({0.5}).text("\n$EndElementData\n");
  file.text("$NodeData\n1\n\"h\"\n1\n0\n3\n0\n1\n5\n");
  for (const int tag : {2, 3, 10, 12, 1000000}) file.ints({tag}).doubles({tag / 2.0});
  return file.text("\n$EndNodeData\n").bytes();
}

std::string sample_2_2(std::endian order) {
  Bytes file(order);
  file.text("$MeshFormat\n2.2 1 8\n").ints({1}).text("\n$EndMeshFormat\n$Nodes\n5\n");
  file.ints({10}).doubles({0, 0, 0}).ints({1000000}).doubles({1, 0, 0}).ints({3}).doubles({0, 1, 0});
  file.ints({12}).doubles({0, 0, 1}).ints({2}).doubles({1, 1, 1}).text("\n$EndNodes\n$Elements\n5\n");
  file.ints({15, 1, 2}).ints({1, 0, 1, 10});
  file.ints({1, 1, 3}).ints({2, 0, 3, 4, 10, 3});
  file.ints({2, 1, 2}).ints({3, 1, 1, 10, 3, 12});
  file.ints({4, 1, 2}).ints({5, 7, 1, 10, 1000000, 3, 12});  // Gmsh also writes blocks of one
  file.ints({4, 1, 0}).ints({9, 2, 1000000, 12, 3}).text("\n$EndElements\n");
  file.text("$NodeData\n1\n\"h\"\n1\n0\n4\n0\n1\n5\n0\n");
  for (const int tag : {2, 3, 10, 12, 1000000}) file.ints({tag}).doubles({tag / 2.0});
  return file.text("\n$EndNodeData\n").bytes();
}

const MeshContents kSample{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}},
                           {{0, 1, 2, 3}, {4, 1, 3, 2}},
                           {{0, 2, 3}},
                           {{"h", 1, {5, 500000, 1.5, 6, 1}}}};

TEST(GmshBinary, Of41IsReadInBothByteOrders) {
  EXPECT_TRUE(same_bits(parse_gmsh(sample_4_1(std::endian::little), "a.msh"), kSample));
  EXPECT_TRUE(same_bits(parse_gmsh(sample_4_1(std::endian::big), "a.msh"), kSample));
}

TEST(GmshBinary, Of22IsReadInBothByteOrders) {
  EXPECT_TRUE(same_bits(parse_gmsh(sample_2_2(std::endian::little), "a.msh"), kSample));
  EXPECT_TRUE(same_bits(parse_gmsh(sample_2_2(std::endian::big), "a.msh"), kSample));
}

TEST(GmshBinary, ACutIsNoticedOnEveryByte) {
  for (const std::string& whole : {sample_2_2(std::endian::little), sample_4_1(std::endian::little)}) {
    const size_t needed = whole.find("$EndElements") + std::string_view("$EndElements").size();
    for (size_t length = 0; length < needed; ++length)
      EXPECT_NE(complaint(whole.substr(0, length)), "") << length;
  }
}

TEST(GmshBinary, OutputHasTheBytesThatGmshExpects) {
  MeshContents mesh = one_tet_file();
  mesh.fields = {{"m", 1, {1, 2, 3, 4}}};
  Bytes file(std::endian::little);
  file.text("$MeshFormat\n2.2 1 8\n").ints({1}).text("\n$EndMeshFormat\n$Nodes\n4\n");
  file.ints({1}).doubles({0, 0, 0}).ints({2}).doubles({1, 0, 0}).ints({3}).doubles({0, 1, 0});
  file.ints({4}).doubles({0, 0, 1}).text("\n$EndNodes\n$Elements\n1\n");
  file.ints({4, 1, 2, 1, 0, 1, 1, 2, 3, 4}).text("\n$EndElements\n$NodeData\n1\n\"m\"\n1\n0\n3\n0\n1\n4\n");
  for (const int tag : {1, 2, 3, 4}) file.ints({tag}).doubles({1.0 * tag});
  EXPECT_EQ(gmsh_text(mesh, GmshVersion::k2_2, GmshEncoding::kBinary), file.text("\n$EndNodeData\n").bytes());
}

/// The first numbers of the nodes of version 4.1: blocks, nodes, lowest and highest tag; a block.
std::string with_nodes(std::initializer_list<std::uint64_t> sizes, std::initializer_list<int> entity,
                       std::initializer_list<std::uint64_t> block) {
  Bytes file(std::endian::little);
  file.text("$MeshFormat\n4.1 1 8\n").ints({1}).text("\n$EndMeshFormat\n$Nodes\n").sizes(sizes);
  for (const int value : entity) file.ints({value});
  return file.sizes(block).doubles({0, 0, 0, 0, 0, 0, 0, 0, 0}).text("\n$EndNodes\n").bytes();
}

TEST(GmshBinaryMistakes, HostileCountsAreRefusedWithTheirByte) {
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 60;
  EXPECT_NE(
      complaint(with_nodes({kHuge, 1, 1, 1}, {}, {})).find("a.msh: byte 47: 1152921504606846976 node blocks"),
      std::string::npos);
  EXPECT_NE(complaint(with_nodes({1, kHuge, 1, 1}, {}, {})).find("a.msh: byte 55: 1152921504606846976 nodes"),
            std::string::npos);
  EXPECT_NE(complaint(with_nodes({1, 1, 1, 1}, {3, 1, 0}, {kHuge}))
                .find("a.msh: byte 91: 1152921504606846976 nodes in this"),
            std::string::npos);
  EXPECT_NE(complaint(with_nodes({~std::uint64_t{0}, 1, 1, 1}, {}, {})).find("it cannot be negative"),
            std::string::npos);
}

TEST(GmshBinaryMistakes, AreNamedWithTheirByte) {
  const std::string whole = sample_2_2(std::endian::little);
  const auto replaced = [&](Bytes old, Bytes changed) { return with(whole, old.bytes(), changed.bytes()); };
  const Bytes empty(std::endian::little);
  EXPECT_NE(complaint(replaced(Bytes(empty).ints({12}).doubles({0, 0, 1}),
                               Bytes(empty).ints({12}).doubles({0, 0, INFINITY})))
                .find("coordinate z of node 12 is inf; it must be finite"),
            std::string::npos);
  EXPECT_NE(complaint(replaced(Bytes(empty).ints({12}).doubles({0}), Bytes(empty).ints({10}).doubles({0})))
                .find("byte 133: node tag 10 was used before, at byte 49"),
            std::string::npos);
  EXPECT_NE(complaint(replaced(Bytes(empty).ints({4, 1, 0}), Bytes(empty).ints({5, 1, 0})))
                .find("8-node hexahedra (type 5) are not supported"),
            std::string::npos);
  EXPECT_NE(
      complaint(replaced(Bytes(empty).ints({9, 2}), Bytes(empty).ints({9, 77}))).find("node 77 is not in"),
      std::string::npos);
  EXPECT_NE(complaint(replaced(Bytes(empty).ints({4, 1, 2}), Bytes(empty).ints({4, 1 << 30, 2})))
                .find("1073741824 elements in this block cannot be in the"),
            std::string::npos);
  EXPECT_NE(complaint(replaced(Bytes(empty).ints({4, 1, 2}), Bytes(empty).ints({4, 1, 1 << 30})))
                .find("1073741824 tags cannot be in the"),
            std::string::npos);
}

}  // namespace
}  // namespace pliant::gmsh_binary_test
