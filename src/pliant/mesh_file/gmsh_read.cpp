// The MSH formats 2.2 and 4.1 as the Gmsh reference manual defines them ("MSH file format", "MSH file format
// version 2"): sections $Name ... $EndName of records. We read $MeshFormat, $Nodes, $Elements and $NodeData
// and pass over the others.

#include <algorithm>
#include <cmath>
#include <optional>

#include "pliant/base/text.hpp"
#include "pliant/mesh_file/gmsh.hpp"
#include "pliant/mesh_file/gmsh_input.hpp"
#include "pliant/mesh_file/text_scanner.hpp"

namespace pliant {

namespace {

struct ElementType {
  int code, dimension, nodes;
  const char* name;
};

constexpr int kTriangle = 2, kTetrahedron = 4;

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
  GmshReader(std::string_view bytes, const std::string& name)
      : bytes_(bytes), name_(name), in_(gmsh_text_input(bytes, name)) {}

  MeshContents read();

 private:
  void read_section(std::string_view name);
  void read_format();
  void read_nodes_2_2();
  void read_nodes_4_1();
  void read_node_block_4_1(Index total);
  void read_elements_2_2();
  void read_element_2_2(const ElementType& type, Index tags);
  Index read_element_block_2_2(Index left);
  void read_elements_4_1();
  void read_element_block_4_1(Index total, Index& read);
  void read_node_data();
  bool read_values(PointData& field, Index rows);
  void skip_section(std::string_view name);
  void end_section(std::string_view name, std::string_view things);
  void require_elements();

  void add_node(std::int64_t tag);
  void read_coordinates(Index vertex, int extra);
  void index_nodes();
  int vertex_of(std::int64_t tag);
  const ElementType& element_type();
  void read_corners(const ElementType& type);
  std::int64_t tag(std::string_view wanted) {
    return version_ == GmshVersion::k2_2 ? in_->integer(wanted) : in_->size(wanted);
  }

  struct Node {
    std::int64_t tag, place;
    int vertex;
  };

  std::string_view bytes_;
  std::string name_;
  std::unique_ptr<GmshInput> in_;
  bool binary_ = false;
  std::optional<GmshVersion> version_;
  bool has_nodes_ = false, has_elements_ = false;
  const ElementType* other_surface_ = nullptr;  // the first one that is no triangle of three nodes
  std::vector<Node> nodes_;                     // sorted by tag once all are read
  MeshContents mesh_;
};

MeshContents GmshReader::read() {
  if (in_->at_end()) in_->fail("the file is empty");
  while (!in_->at_end()) {
    const std::string_view name = in_->line("a section");
    if (name.size() < 2 || name[0] != '$') {
      in_->fail(format("expected the start of a section such as $Nodes, found {}{}", in_quotes(name),
                       version_ ? "" : "; is this a Gmsh .msh file?"));
    }
    read_section(name.substr(1));
  }
  if (!version_) in_->fail("there is no $MeshFormat section; is this a Gmsh .msh file?");
  if (!has_nodes_) in_->fail("there is no $Nodes section; is the file cut off?");
  if (!has_elements_) in_->fail("there is no $Elements section; is the file cut off?");
  in_->finish();
  require_elements();
  return std::move(mesh_);
}

void GmshReader::require_elements() {
  if (!mesh_.tets.empty()) return;
  if (other_surface_ != nullptr) {
    in_->fail(format("{}-node {} (type {}) are not supported, only 3-node triangles (type 2)",
                     other_surface_->nodes, other_surface_->name, other_surface_->code));
  }
  if (mesh_.triangles.empty()) {
    in_->fail(
        "there are neither 4-node tetrahedra nor 3-node triangles; mesh the volume in Gmsh (gmsh -3) and "
        "save all elements");
  }
}

void GmshReader::read_section(std::string_view name) {
  const bool is_nodes = name == "Nodes", is_elements = name == "Elements", is_data = name == "NodeData";
  if (name == "MeshFormat") {
    if (version_) in_->fail("a second $MeshFormat section; there must be one");
    return read_format();
  }
  if (!is_nodes && !is_elements && !is_data) return skip_section(name);
  if (!version_) in_->fail(format("${} comes before $MeshFormat, which must be first", name));
  if (is_nodes ? has_nodes_ : is_elements && has_elements_) {
    in_->fail(format("a second ${} section; there must be one", name));
  }
  if (!is_nodes && !has_nodes_) in_->fail(format("${} comes before $Nodes; the nodes must be first", name));
  if (is_nodes) {
    has_nodes_ = true;
    version_ == GmshVersion::k2_2 ? read_nodes_2_2() : read_nodes_4_1();
    end_section(name, "nodes");
    index_nodes();
  } else if (is_elements) {
    has_elements_ = true;
    version_ == GmshVersion::k2_2 ? read_elements_2_2() : read_elements_4_1();
    end_section(name, "elements");
  } else {
    read_node_data();
    end_section(name, "values");
  }
}

void GmshReader::read_format() {
  const std::string_view line = in_->line("the format version");
  const size_t end = static_cast<size_t>(line.data() - bytes_.data()) + line.size();
  TextScanner words(name_, line);
  words.begin_at(in_->place(), 1);
  words.begin_line("the format version");
  const std::string_view version = words.word("the format version");
  if (version == "2.2") {
    version_ = GmshVersion::k2_2;
  } else if (version == "4.1") {
    version_ = GmshVersion::k4_1;
  } else {
    words.fail(format(
        "format version {} is not supported; save it as 4.1 or 2.2 (gmsh -save -format msh41 or msh22)",
        in_quotes(version)));
  }
  const std::int64_t file_type = words.integer("the file type");
  if (file_type != 0 && file_type != 1)
    words.fail(format("file type {}; it must be 0 (ASCII) or 1 (binary)", file_type));
  const std::int64_t data_size = words.integer("the data size");
  if (file_type == 1 && data_size != 8)
    words.fail(format("binary data of size {}; only 8 is supported: save it as ASCII", data_size));
  words.end_line("the data size");
  binary_ = file_type == 1;
  if (binary_) in_ = gmsh_binary_input(bytes_, end, name_);
  end_section("MeshFormat", "formats");
}

void GmshReader::skip_section(std::string_view name) {
  const std::string end = "$End" + std::string(name);
  in_->skip_past(end, binary_ ? end : format("'{}' (the section starts on line {})", end, in_->place()));
}

void GmshReader::end_section(std::string_view name, std::string_view things) {
  const std::string end = "$End" + std::string(name);
  const std::string_view found = in_->line(end);
  if (found == end) return;
  in_->fail(format("expected {} after the stated number of {}, found {}", end, things, in_quotes(found)));
}

// $Nodes of 2.2: the number of nodes; then a record a node: tag x y z.
void GmshReader::read_nodes_2_2() {
  const Index count = in_->count_line("nodes", {8, 28});
  const std::string wanted = format("one of the {} stated nodes", count);
  for (Index n = 0; n < count; ++n) {
    in_->begin_record(wanted);
    add_node(tag(wanted));
    read_coordinates(n, 0);
  }
}

// $Nodes of 4.1: blocks, nodes, lowest and highest tag; then the blocks.
void GmshReader::read_nodes_4_1() {
  in_->begin_record("the number of node blocks");
  const Index blocks = in_->count("node blocks", {4, 20});
  const Index total = in_->count("nodes", {8, 32});
  in_->size("the lowest node tag");
  in_->size("the highest node tag");
  in_->end_record("the highest node tag");
  for (Index block = 0; block < blocks; ++block) {
    in_->begin_record("a node block");
    read_node_block_4_1(total);
  }
  const Index found = static_cast<Index>(nodes_.size());
  if (found != total) in_->fail(format("the section states {} nodes, but its blocks hold {}", total, found));
}

// A block: dimension and tag of its entity, whether parametric, nodes; then all tags, a record each; then all
// coordinates.
void GmshReader::read_node_block_4_1(Index total) {
  const std::int64_t dimension = in_->integer("the dimension of an entity");
  if (dimension < 0 || dimension > 3)
    in_->fail(format("an entity of dimension {}; 0 to 3 are possible", dimension));
  in_->integer("the tag of an entity");
  const std::int64_t parametric = in_->integer("0 or 1 (parametric)");
  if (parametric != 0 && parametric != 1)
    in_->fail(format("parametric is {}; it must be 0 or 1", parametric));
  const Index first = static_cast<Index>(nodes_.size());
  const Index count = in_->count("nodes in this block", {8, 32});
  if (count > total - first)
    in_->fail(format("this block has {} nodes, more than the {} left", count, total - first));
  in_->end_record("the number of nodes in this block");
  const std::string wanted = format("one of the {} stated nodes of this block", count);
  for (Index n = 0; n < count; ++n) {
    in_->begin_record(wanted);
    add_node(tag(wanted));
    in_->end_record("a node tag");
  }
  for (Index n = 0; n < count; ++n) {
    in_->begin_record(wanted);
    read_coordinates(first + n, parametric == 1 ? static_cast<int>(dimension) : 0);
  }
}

void GmshReader::add_node(std::int64_t tag) {
  if (tag < 1) in_->complain(format("node tag {}; tags must be positive", tag));
  nodes_.push_back({tag, in_->place(), static_cast<int>(nodes_.size())});
}

void GmshReader::read_coordinates(Index vertex, int extra) {
  Vec3& x = mesh_.vertices.emplace_back();
  for (int axis = 0; axis < 3; ++axis) {
    x[axis] = in_->number("a coordinate");
    if (std::isfinite(x[axis])) continue;
    in_->complain(format("coordinate {} of node {} is {}; it must be finite", "xyz"[axis], nodes_[vertex].tag,
                         x[axis]));
  }
  for (int i = 0; i < extra; ++i) in_->number("a parametric coordinate");
  in_->end_record("the coordinates of a node");
}

void GmshReader::index_nodes() {
  std::sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) {
    return a.tag != b.tag ? a.tag < b.tag : a.vertex < b.vertex;
  });
  for (size_t n = 1; n < nodes_.size(); ++n) {
    if (nodes_[n].tag != nodes_[n - 1].tag) continue;
    in_->complain_at(nodes_[n].place, format("node tag {} was used before, {}", nodes_[n].tag,
                                             in_->place_text(nodes_[n - 1].place)));
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
  in_->complain(format("node {} is not in the $Nodes section", tag));
  return 0;
}

const ElementType& GmshReader::element_type() {
  const std::int64_t code = in_->integer("an element type");
  const auto type = std::ranges::find(kElementTypes, code, &ElementType::code);
  if (type == std::end(kElementTypes))
    in_->fail(format("element type {} is not known; only 4-node tetrahedra (type 4) are read", code));
  if (type->dimension == 3 && code != kTetrahedron) {
    in_->fail(format(
        "{}-node {} (type {}) are not supported, only 4-node tetrahedra (type 4); mesh again with linear "
        "tetrahedra",
        type->nodes, type->name, code));
  }
  if (type->dimension == 2 && code != kTriangle && other_surface_ == nullptr) other_surface_ = type;
  return *type;
}

void GmshReader::read_corners(const ElementType& type) {
  std::array<int, 4> corners{};
  const bool kept = type.code == kTetrahedron || type.code == kTriangle;
  for (int n = 0; n < type.nodes; ++n) {
    const std::int64_t node = tag("a node of an element");
    if (kept) corners[n] = vertex_of(node);
  }
  in_->end_record("the nodes of an element");
  if (type.code == kTetrahedron) mesh_.tets.push_back(corners);
  if (type.code == kTriangle) mesh_.triangles.push_back({corners[0], corners[1], corners[2]});
}

// $Elements of 2.2: the number of elements; then a line an element: its tag, type, number of tags, tags,
// nodes. In binary files elements of one type and number of tags form blocks.
void GmshReader::read_elements_2_2() {
  const Index count = in_->count_line("elements", {8, 8});
  const std::string wanted = format("one of the {} stated elements", count);
  for (Index e = 0; binary_ && e < count;) e += read_element_block_2_2(count - e);
  for (Index e = 0; !binary_ && e < count; ++e) {
    in_->begin_record(wanted);
    in_->integer(wanted);
    const ElementType& type = element_type();
    read_element_2_2(type, in_->count("tags", {2, 4}));
  }
}

void GmshReader::read_element_2_2(const ElementType& type, Index tags) {
  for (Index i = 0; i < tags; ++i) in_->integer("a tag of an element");
  read_corners(type);
}

// A block: type, elements, number of tags; then an element after the other: its tag, tags, nodes.
Index GmshReader::read_element_block_2_2(Index left) {
  const ElementType& type = element_type();
  const Index count = in_->checked_count(in_->integer("the number of elements in this block"),
                                         "elements in this block", {8, 8});
  if (count > left) in_->fail(format("this block has {} elements, more than the {} left", count, left));
  const Index tags =
      in_->checked_count(in_->integer("the number of tags"), "tags", {2, 4 * std::max<Index>(count, 1)});
  for (Index e = 0; e < count; ++e) {
    in_->integer("the tag of an element");
    read_element_2_2(type, tags);
  }
  return count;
}

// $Elements of 4.1: blocks, elements, lowest and highest tag; then the blocks.
void GmshReader::read_elements_4_1() {
  in_->begin_record("the number of element blocks");
  const Index blocks = in_->count("element blocks", {4, 20});
  const Index total = in_->count("elements", {4, 16});
  in_->size("the lowest element tag");
  in_->size("the highest element tag");
  in_->end_record("the highest element tag");
  Index read = 0;
  for (Index block = 0; block < blocks; ++block) {
    in_->begin_record("an element block");
    read_element_block_4_1(total, read);
  }
  if (read != total) in_->fail(format("the section states {} elements, but its blocks hold {}", total, read));
}

// A block: dimension and tag of its entity, element type, elements; then a record an element: its tag, nodes.
void GmshReader::read_element_block_4_1(Index total, Index& read) {
  in_->integer("the dimension of an entity");
  in_->integer("the tag of an entity");
  const ElementType& type = element_type();
  const Index count = in_->count("elements in this block", {4, 16});
  if (count > total - read)
    in_->fail(format("this block has {} elements, more than the {} left", count, total - read));
  in_->end_record("the number of elements in this block");
  read += count;
  const std::string wanted = format("one of the {} stated elements of this block", count);
  for (Index e = 0; e < count; ++e) {
    in_->begin_record(wanted);
    tag(wanted);
    read_corners(type);
  }
}

// $NodeData: texts, of which the first is the name; real numbers, of which the first is the time; integers:
// time step, components, rows; each list with its length before it, all a line each. Then the rows: tag,
// values.
void GmshReader::read_node_data() {
  PointData field;
  const Index texts = in_->count_line("texts", {1, 1});
  for (Index i = 0; i < texts; ++i) {
    const std::string_view text = in_->line("the name of a view");
    if (i > 0) continue;
    const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    field.name = quoted ? text.substr(1, text.size() - 2) : text;
  }
  const Index reals = in_->count_line("real numbers", {1, 1});
  for (Index i = 0; i < reals; ++i) in_->line("the time of a view");
  const Index integers = in_->count_line("integers", {1, 1});
  std::array<std::int64_t, 3> sizes{};
  for (Index i = 0; i < integers; ++i) {
    const std::int64_t value = in_->integer_line("a size of a view");
    if (i < 3) sizes[i] = value;
  }
  if (integers < 3) in_->fail(format("{} integers; there must be 3: step, components, rows", integers));
  if (sizes[1] < 1 || sizes[1] > 9)
    in_->fail(format("{} components; 1 (scalars), 3 (vectors) and 9 (tensors) are possible", sizes[1]));
  field.components = static_cast<int>(sizes[1]);
  const Index rows =
      in_->checked_count(sizes[2], "rows of values", {2 * (field.components + 1), 4 + 8 * field.components});
  if (!read_values(field, rows)) return;
  const auto same = std::ranges::find(mesh_.fields, field.name, &PointData::name);
  if (same == mesh_.fields.end())
    mesh_.fields.push_back(std::move(field));
  else
    *same = std::move(field);
}

/// Whether every vertex got its values.
bool GmshReader::read_values(PointData& field, Index rows) {
  const bool kept = (field.components == 1 || field.components == 3) && !nodes_.empty() &&
                    rows >= static_cast<Index>(nodes_.size());
  if (kept) field.values.resize(nodes_.size() * field.components);
  std::vector<char> seen(kept ? nodes_.size() : 0, 0);
  for (Index row = 0; row < rows; ++row) {
    in_->begin_record("one of the stated rows of values");
    const int vertex = vertex_of(in_->integer("the tag of a node"));
    for (int c = 0; c < field.components; ++c) {
      const double value = in_->number("a value");
      if (kept && !std::isfinite(value)) in_->complain(format("the value is {}; it must be finite", value));
      if (kept) field.values[static_cast<size_t>(vertex) * field.components + c] = value;
    }
    in_->end_record("the values of a node");
    if (kept) seen[vertex] = 1;
  }
  return kept && std::ranges::count(seen, 1) == std::ssize(seen);
}

}  // namespace

MeshContents parse_gmsh(std::string_view bytes, const std::string& name) {
  return GmshReader(bytes, name).read();
}

}  // namespace pliant
