// Medit's format as the report "MEDIT: an interactive mesh visualization software" (INRIA RT-0253) defines
// it: keywords, each followed by what belongs to it, laid out freely over the lines.

#include "pliant/mesh_file/medit.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/text_scanner.hpp"

namespace pliant {

namespace {

constexpr std::string_view kRefusedByMedit[] = {
    "Hexahedra",    "HexahedraQ2", "Prisms",     "PrismsP2",         "Pentahedra",
    "Pyramids",     "PyramidsP2",  "Hexaedra",   "TetrahedraP2",     "TetrahedraP3",
    "TetrahedraP4", "TrianglesP2", "Polyhedra",  "QuadrilateralsQ2", "TrianglesP3",
    "TrianglesP4",  "Polygons",    "EdgesP2Lin", "BoundaryPolygons",
};

class MeditReader {
 public:
  MeditReader(std::string_view text, const std::string& name) : scanner_(name, text, '#') {}

  MeshContents read();

 private:
  void read_header();
  void read_part(std::string_view keyword);
  void read_vertices();
  template <size_t corners>
  void read_elements(std::vector<std::array<int, corners>>& elements, std::string_view things);
  void skip_part();

  std::string_view word(std::string_view wanted) {
    scanner_.begin_line(wanted);
    return scanner_.word(wanted);
  }
  std::int64_t integer(std::string_view wanted) {
    scanner_.begin_line(wanted);
    return scanner_.integer(wanted);
  }
  double number(std::string_view wanted) {
    scanner_.begin_line(wanted);
    return scanner_.number(wanted);
  }
  Index count(std::string_view things, Index bytes_each) {
    return scanner_.count(word(format("the number of {}", things)), things, bytes_each);
  }

  TextScanner scanner_;
  std::int64_t dimension_ = 0;
  bool has_vertices_ = false, has_quadrilaterals_ = false;
  std::string_view next_;  // a keyword that ended a part of unknown length
  MeshContents mesh_;
};

MeshContents MeditReader::read() {
  read_header();
  while (!next_.empty() || !scanner_.at_end()) {
    const std::string_view keyword = next_.empty() ? word("a keyword") : next_;
    next_ = {};
    if (keyword == "End") break;
    read_part(keyword);
  }
  if (!has_vertices_) scanner_.fail("there is no keyword Vertices; is the file cut off?");
  if (mesh_.tets.empty() && has_quadrilaterals_)
    scanner_.fail("Quadrilaterals are not supported, only tetrahedra and triangles; mesh again with these");
  if (mesh_.tets.empty() && mesh_.triangles.empty())
    scanner_.fail("there are neither Tetrahedra nor Triangles in it; is the file cut off?");
  scanner_.finish();
  return std::move(mesh_);
}

void MeditReader::read_header() {
  if (scanner_.at_end()) scanner_.fail("the file is empty");
  const std::string_view first = scanner_.word("MeshVersionFormatted");
  if (first != "MeshVersionFormatted") {
    scanner_.fail(
        format("expected MeshVersionFormatted, found {}; is this a Medit .mesh file in ASCII? Binary ones "
               "(.meshb) are not read",
               in_quotes(first)));
  }
  const std::int64_t version = integer("the format version");
  if (version < 0 || version > 4) scanner_.fail(format("format version {}; 1 to 4 are known", version));
}

void MeditReader::read_part(std::string_view keyword) {
  if (keyword == "Dimension") {
    dimension_ = integer("the dimension");
    if (dimension_ != 2 && dimension_ != 3)
      scanner_.fail(format("the dimension is {}; it must be 2 or 3", dimension_));
  } else if (keyword == "Vertices") {
    read_vertices();
  } else if (keyword == "Tetrahedra") {
    read_elements(mesh_.tets, "tetrahedra");
  } else if (keyword == "Triangles") {
    read_elements(mesh_.triangles, "triangles");
  } else if (std::ranges::find(kRefusedByMedit, keyword) != std::end(kRefusedByMedit)) {
    if (count(keyword, 1) > 0) {
      scanner_.fail(format(
          "{} are not supported, only tetrahedra and triangles with straight edges; mesh again with these",
          keyword));
    }
  } else if (keyword[0] >= 'A' && keyword[0] <= 'Z') {
    has_quadrilaterals_ |= keyword == "Quadrilaterals";
    skip_part();
  } else {
    scanner_.fail(format("expected a keyword such as Vertices, found {}", in_quotes(keyword)));
  }
}

/// What belongs to a keyword that we do not know are numbers and texts in quotes.
void MeditReader::skip_part() {
  while (!scanner_.at_end()) {
    const std::string_view found = word("a keyword");
    if (found[0] < 'A' || found[0] > 'Z') continue;
    next_ = found;
    return;
  }
}

void MeditReader::read_vertices() {
  if (dimension_ == 0) scanner_.fail("Vertices comes before Dimension");
  if (has_vertices_) scanner_.fail("a second list of vertices; there must be one");
  has_vertices_ = true;
  const Index vertices = count("vertices", 2 * dimension_);
  const std::string wanted = format("a coordinate of one of the {} stated vertices", vertices);
  for (Index v = 0; v < vertices; ++v) {
    Vec3& x = mesh_.vertices.emplace_back(Vec3::Zero());
    for (int axis = 0; axis < dimension_; ++axis) {
      x[axis] = number(wanted);
      if (!std::isfinite(x[axis]))
        scanner_.complain(
            format("coordinate {} of vertex {} is {}; it must be finite", "xyz"[axis], v + 1, x[axis]));
    }
    number("the reference of a vertex");
  }
}

template <size_t corners>
void MeditReader::read_elements(std::vector<std::array<int, corners>>& elements, std::string_view things) {
  if (!has_vertices_) scanner_.fail(format("the {} come before the vertices, which must be first", things));
  const Index stated = count(things, 2 * static_cast<Index>(corners));
  const auto vertices = static_cast<std::int64_t>(mesh_.vertices.size());
  const std::string wanted = format("a corner of one of the {} stated {}", stated, things);
  for (Index e = 0; e < stated; ++e) {
    std::array<int, corners>& element = elements.emplace_back();
    for (int& corner : element) {
      const std::int64_t found = integer(wanted);
      if (found < 1 || found > vertices)
        scanner_.complain(format("vertex {} does not exist; there are {}, counted from 1", found, vertices));
      else
        corner = static_cast<int>(found - 1);
    }
    number("the reference of an element");
  }
}

}  // namespace

MeshContents parse_medit(std::string_view text, const std::string& name) {
  return MeditReader(text, name).read();
}

std::string medit_text(const MeshContents& mesh) {
  std::string text = format("MeshVersionFormatted 2\n\nDimension 3\n\nVertices\n{}\n", mesh.vertices.size());
  // Behind each vertex and element stands its reference, here none.
  for (const Vec3& x : mesh.vertices) text += format("{} {} {} 0\n", x.x(), x.y(), x.z());
  if (!mesh.triangles.empty()) text += format("\nTriangles\n{}\n", mesh.triangles.size());
  for (const auto& t : mesh.triangles) text += format("{} {} {} 0\n", t[0] + 1L, t[1] + 1L, t[2] + 1L);
  if (!mesh.tets.empty()) text += format("\nTetrahedra\n{}\n", mesh.tets.size());
  for (const auto& t : mesh.tets)
    text += format("{} {} {} {} 0\n", t[0] + 1L, t[1] + 1L, t[2] + 1L, t[3] + 1L);
  return text + "\nEnd\n";
}

void write_medit(const std::filesystem::path& path, const MeshContents& mesh) {
  write_file_atomically(path, medit_text(mesh));
}

}  // namespace pliant
