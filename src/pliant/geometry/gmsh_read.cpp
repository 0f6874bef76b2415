// The MSH formats 2.2 and 4.1 as the Gmsh reference manual defines them ("MSH file format", "MSH file format
// version 2"): sections $Name ... $EndName, one record a line. We read $MeshFormat, $Nodes and $Elements and
// pass over the others.

#include <algorithm>
#include <cmath>
#include <optional>

#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/geometry/gmsh.hpp"
#include "pliant/geometry/text_scanner.hpp"

namespace pliant {

namespace {

struct ElementType {
  int code, dimension, nodes;
  const char* name;
};

constexpr int kTetrahedron = 4;

// clang-format off
constexpr ElementType kElementTypes[] = {
    {15, 0, 1, "points"},
    {1, 1, 2, "lines"}, {8, 1, 3, "lines"}, {26, 1, 4, "lines"}, {27, 1, 5, "lines"}, {28, 1, 6, "lines"},
    {2, 2, 3, "triangles"}, {9, 2, 6, "triangles"}, {20, 2, 9, "triangles"}, {21, 2, 10, "triangles"},
    {22, 2, 12, "triangles"}, {23, 2, 15, "triangles"}, {24, 2, 15, "triangles"}, {25, 2, 21, "triangles"},
    {3, 2, 4, "quadrangles"}, {16, 2, 8, "quadrangles"}, {10, 2, 9, "quadrangles"},
    {4, 3, 4, "tetrahedra"}, {11, 3, 10, "tetrahedra"}, {29, 3, 20, "tetrahedra"}, {30, 3, 35, "tetrahedra"},
    {31, 3, 56, "tetrahedra"},
    {5, 3, 8, "hexahedra"}, {17, 3, 20, "hexahedra"}, {12, 3, 27, "hexahedra"}, {92, 3, 64, "hexahedra"},
    {93, 3, 125, "hexahedra"},
    {6, 3, 6, "prisms"}, {18, 3, 15, "prisms"}, {13, 3, 18, "prisms"},
    {7, 3, 5, "pyramids"}, {19, 3, 13, "pyramids"}, {14, 3, 14, "pyramids"},
};
// clang-format on

class GmshReader {
 public:
  GmshReader(std::string_view text, const std::string& name) : scanner_(name, text) {}

  TetMesh read();

 private:
  void read_section(std::string_view name);
  void read_format();
  void read_nodes_2_2();
  void read_nodes_4_1();
  void read_node_block_4_1(Index total);
  void read_elements_2_2();
  void read_elements_4_1();
  void read_element_block_4_1(Index total, Index& read);
  void skip_section(std::string_view name);
  void end_section(std::string_view name, std::string_view things);

  void add_node(std::int64_t tag);
  void read_coordinates(Index vertex, int extra);
  void index_nodes();
  int vertex_of(std::int64_t tag);
  const ElementType& element_type();
  void read_corners(const ElementType& type);

  struct Node {
    std::int64_t tag;
    int vertex, line;
  };

  TextScanner scanner_;
  std::optional<GmshVersion> version_;
  bool has_nodes_ = false, has_elements_ = false;
  std::vector<Node> nodes_;  // sorted by tag once all are read
  TetMesh mesh_;
};

TetMesh GmshReader::read() {
  while (!scanner_.at_end()) {
    const std::string_view name = scanner_.line("a section");
    if (name.size() < 2 || name[0] != '$') {
      scanner_.fail(format("expected the start of a section such as $Nodes, found {}{}", in_quotes(name),
                           version_ ? "" : "; is this a Gmsh .msh file?"));
    }
    read_section(name.substr(1));
  }
  if (!version_) scanner_.fail("there is no $MeshFormat section; is this a Gmsh .msh file?");
  if (!has_nodes_) scanner_.fail("there is no $Nodes section; is the file cut off?");
  if (!has_elements_) scanner_.fail("there is no $Elements section; is the file cut off?");
  scanner_.finish();
  if (mesh_.tets.empty()) {
    scanner_.fail("there are no 4-node tetrahedra; mesh the volume in Gmsh (gmsh -3) and save all elements");
  }
  return std::move(mesh_);
}

void GmshReader::read_section(std::string_view name) {
  const bool is_nodes = name == "Nodes", is_elements = name == "Elements";
  if (name == "MeshFormat") {
    if (version_) scanner_.fail("a second $MeshFormat section; there must be one");
    return read_format();
  }
  if (!is_nodes && !is_elements) return skip_section(name);
  if (!version_) scanner_.fail(format("${} comes before $MeshFormat, which must be first", name));
  if (is_nodes ? has_nodes_ : has_elements_) {
    scanner_.fail(format("a second ${} section; there must be one", name));
  }
  if (is_elements && !has_nodes_) scanner_.fail("$Elements comes before $Nodes; the nodes must be first");
  if (is_nodes) {
    has_nodes_ = true;
    version_ == GmshVersion::k2_2 ? read_nodes_2_2() : read_nodes_4_1();
    end_section(name, "nodes");
    index_nodes();
  } else {
    has_elements_ = true;
    version_ == GmshVersion::k2_2 ? read_elements_2_2() : read_elements_4_1();
    end_section(name, "elements");
  }
}

void GmshReader::read_format() {
  scanner_.begin_line("the format version");
  const std::string_view version = scanner_.word("the format version");
  if (version == "2.2") {
    version_ = GmshVersion::k2_2;
  } else if (version == "4.1") {
    version_ = GmshVersion::k4_1;
  } else {
    scanner_.fail(format(
        "format version {} is not supported; save it as 4.1 or 2.2 (gmsh -save -format msh41 or msh22)",
        in_quotes(version)));
  }
  const std::int64_t file_type = scanner_.integer("the file type");
  if (file_type == 1) scanner_.fail("this is a binary file; save it as ASCII (set Mesh.Binary = 0 in Gmsh)");
  if (file_type != 0) scanner_.fail(format("file type {}; it must be 0 (ASCII)", file_type));
  scanner_.integer("the data size");
  scanner_.end_line("the data size");
  end_section("MeshFormat", "formats");
}

void GmshReader::skip_section(std::string_view name) {
  const int start = scanner_.line_number();
  const std::string end = "$End" + std::string(name);
  const std::string wanted = format("{} (the section starts on line {})", in_quotes(end), start);
  while (scanner_.line(wanted) != end) continue;
}

void GmshReader::end_section(std::string_view name, std::string_view things) {
  const std::string end = "$End" + std::string(name);
  const std::string_view found = scanner_.line(end);
  if (found == end) return;
  scanner_.fail(format("expected {} after the stated number of {}, found {}", end, things, in_quotes(found)));
}

// $Nodes of 2.2: the number of nodes; then a line a node: tag x y z.
void GmshReader::read_nodes_2_2() {
  scanner_.begin_line("the number of nodes");
  const Index count = scanner_.count("nodes", 8);
  scanner_.end_line("the number of nodes");
  const std::string wanted = format("one of the {} stated nodes", count);
  for (Index n = 0; n < count; ++n) {
    scanner_.begin_line(wanted);
    add_node(scanner_.integer(wanted));
    read_coordinates(n, 0);
  }
}

// $Nodes of 4.1: blocks, nodes, lowest and highest tag; then the blocks.
void GmshReader::read_nodes_4_1() {
  scanner_.begin_line("the number of node blocks");
  const Index blocks = scanner_.count("node blocks", 4);
  const Index total = scanner_.count("nodes", 8);
  scanner_.integer("the lowest node tag");
  scanner_.integer("the highest node tag");
  scanner_.end_line("the highest node tag");
  for (Index block = 0; block < blocks; ++block) {
    scanner_.begin_line("a node block");
    read_node_block_4_1(total);
  }
  const Index found = static_cast<Index>(nodes_.size());
  if (found != total)
    scanner_.fail(format("the section states {} nodes, but its blocks hold {}", total, found));
}

// A block: dimension and tag of its entity, whether parametric, nodes; then all tags, a line each; then all
// coordinates.
void GmshReader::read_node_block_4_1(Index total) {
  const std::int64_t dimension = scanner_.integer("the dimension of an entity");
  if (dimension < 0 || dimension > 3)
    scanner_.fail(format("an entity of dimension {}; 0 to 3 are possible", dimension));
  scanner_.integer("the tag of an entity");
  const std::int64_t parametric = scanner_.integer("0 or 1 (parametric)");
  if (parametric != 0 && parametric != 1)
    scanner_.fail(format("parametric is {}; it must be 0 or 1", parametric));
  const Index first = static_cast<Index>(nodes_.size());
  const Index count = scanner_.count("nodes in this block", 8);
  if (count > total - first)
    scanner_.fail(format("this block has {} nodes, more than the {} left", count, total - first));
  scanner_.end_line("the number of nodes in this block");
  const std::string wanted = format("one of the {} stated nodes of this block", count);
  for (Index n = 0; n < count; ++n) {
    scanner_.begin_line(wanted);
    add_node(scanner_.integer(wanted));
    scanner_.end_line("a node tag");
  }
  for (Index n = 0; n < count; ++n) {
    scanner_.begin_line(wanted);
    read_coordinates(first + n, parametric == 1 ? static_cast<int>(dimension) : 0);
  }
}

void GmshReader::add_node(std::int64_t tag) {
  if (tag < 1) scanner_.complain(format("node tag {}; tags must be positive", tag));
  nodes_.push_back({tag, static_cast<int>(nodes_.size()), scanner_.line_number()});
}

void GmshReader::read_coordinates(Index vertex, int extra) {
  Vec3& x = mesh_.vertices.emplace_back();
  for (int axis = 0; axis < 3; ++axis) {
    x[axis] = scanner_.number("a coordinate");
    if (std::isfinite(x[axis])) continue;
    scanner_.complain(format("coordinate {} of node {} is {}; it must be finite", "xyz"[axis],
                             nodes_[vertex].tag, x[axis]));
  }
  for (int i = 0; i < extra; ++i) scanner_.number("a parametric coordinate");
  scanner_.end_line("the coordinates of a node");
}

void GmshReader::index_nodes() {
  std::sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) {
    return a.tag != b.tag ? a.tag < b.tag : a.vertex < b.vertex;
  });
  for (size_t n = 1; n < nodes_.size(); ++n) {
    if (nodes_[n].tag != nodes_[n - 1].tag) continue;
    scanner_.complain(format("node tag {} was used before, on line {}", nodes_[n].tag, nodes_[n - 1].line),
                      nodes_[n].line);
  }
}

/// The vertex of a node tag; without gaps between the tags the first guess is right.
int GmshReader::vertex_of(std::int64_t tag) {
  if (tag >= 1 && !nodes_.empty() && nodes_.front().tag >= 1) {
    const std::int64_t guess = tag - nodes_.front().tag;
    if (guess >= 0 && guess < static_cast<std::int64_t>(nodes_.size()) && nodes_[guess].tag == tag) {
      return nodes_[guess].vertex;
    }
  }
  const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), tag,
                                      [](const Node& node, std::int64_t value) { return node.tag < value; });
  if (found != nodes_.end() && found->tag == tag) return found->vertex;
  scanner_.complain(format("node {} is not in the $Nodes section", tag));
  return 0;
}

const ElementType& GmshReader::element_type() {
  const std::int64_t code = scanner_.integer("an element type");
  for (const ElementType& type : kElementTypes) {
    if (type.code != code) continue;
    if (type.dimension < 3 || code == kTetrahedron) return type;
    scanner_.fail(format(
        "{}-node {} (type {}) are not supported, only 4-node tetrahedra (type 4); mesh again with linear "
        "tetrahedra",
        type.nodes, type.name, code));
  }
  scanner_.fail(format("element type {} is not known; only 4-node tetrahedra (type 4) are read", code));
}

void GmshReader::read_corners(const ElementType& type) {
  std::array<int, 4> tet{};
  for (int n = 0; n < type.nodes; ++n) {
    const std::int64_t tag = scanner_.integer("a node of an element");
    if (type.code == kTetrahedron) tet[n] = vertex_of(tag);
  }
  scanner_.end_line("the nodes of an element");
  if (type.code == kTetrahedron) mesh_.tets.push_back(tet);
}

// $Elements of 2.2: the number of elements; then a line an element: its tag, type, number of tags, tags,
// nodes.
void GmshReader::read_elements_2_2() {
  scanner_.begin_line("the number of elements");
  const Index count = scanner_.count("elements", 8);
  scanner_.end_line("the number of elements");
  const std::string wanted = format("one of the {} stated elements", count);
  for (Index e = 0; e < count; ++e) {
    scanner_.begin_line(wanted);
    scanner_.integer(wanted);
    const ElementType& type = element_type();
    const Index tags = scanner_.count("tags", 2);
    for (Index i = 0; i < tags; ++i) scanner_.integer("a tag of an element");
    read_corners(type);
  }
}

// $Elements of 4.1: blocks, elements, lowest and highest tag; then the blocks.
void GmshReader::read_elements_4_1() {
  scanner_.begin_line("the number of element blocks");
  const Index blocks = scanner_.count("element blocks", 4);
  const Index total = scanner_.count("elements", 4);
  scanner_.integer("the lowest element tag");
  scanner_.integer("the highest element tag");
  scanner_.end_line("the highest element tag");
  Index read = 0;
  for (Index block = 0; block < blocks; ++block) {
    scanner_.begin_line("an element block");
    read_element_block_4_1(total, read);
  }
  if (read != total)
    scanner_.fail(format("the section states {} elements, but its blocks hold {}", total, read));
}

// A block: dimension and tag of its entity, element type, elements; then a line an element: its tag, nodes.
void GmshReader::read_element_block_4_1(Index total, Index& read) {
  scanner_.integer("the dimension of an entity");
  scanner_.integer("the tag of an entity");
  const ElementType& type = element_type();
  const Index count = scanner_.count("elements in this block", 4);
  if (count > total - read)
    scanner_.fail(format("this block has {} elements, more than the {} left", count, total - read));
  scanner_.end_line("the number of elements in this block");
  read += count;
  const std::string wanted = format("one of the {} stated elements of this block", count);
  for (Index e = 0; e < count; ++e) {
    scanner_.begin_line(wanted);
    scanner_.integer(wanted);
    read_corners(type);
  }
}

}  // namespace

TetMesh parse_gmsh(std::string_view text, const std::string& name) { return GmshReader(text, name).read(); }

TetMesh read_gmsh(const std::filesystem::path& path) { return parse_gmsh(read_file(path), path.string()); }

}  // namespace pliant
