// The Wavefront OBJ format: a keyword a line. Comments begin with #, a line that ends in \ goes on in the
// next one. Vertices count from 1 in the order of the file; negative numbers count back from the last vertex
// before the face, -1 being that one.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "pliant/base/text.hpp"
#include "pliant/mesh_file/obj.hpp"
#include "pliant/mesh_file/polygon.hpp"
#include "pliant/mesh_file/text_scanner.hpp"

namespace pliant {

namespace {

/// The text without comments and with continued lines joined. As many line breaks follow a joined line as
/// were taken out of it, so that all others keep their numbers.
std::string joined_lines(std::string_view text) {
  std::string joined;
  joined.reserve(text.size());
  size_t owed = 0;
  bool comment = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      joined.append(1 + owed, '\n');
      owed = 0;
      comment = false;
    } else if (c == '#') {
      comment = true;
    } else if (c == '\\' && !comment && text.substr(i + 1, 1) == "\n") {
      joined += ' ';
      ++owed, ++i;
    } else if (c == '\\' && !comment && text.substr(i + 1, 2) == "\r\n") {
      joined += ' ';
      ++owed, i += 2;
    } else if (!comment) {
      joined += c;
    }
  }
  return joined;
}

bool is_free_form(std::string_view keyword) {
  static constexpr std::string_view kWords[] = {"cstype", "curv", "curv2", "surf",
                                                "bzp",    "bsp",  "cdc",   "cdp"};
  return std::find(std::begin(kWords), std::end(kWords), keyword) != std::end(kWords);
}

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& name) : name_(name), scanner_(name, text) {}

  MeshContents read() {
    while (!scanner_.at_end()) read_line(scanner_.word("a keyword"));
    if (mesh_.vertices.empty() && polygons_.ends.empty())
      scanner_.fail("there is no vertex (a line 'v x y z') and no face in the file; is it a Wavefront OBJ?");
    check_corners();
    scanner_.finish();
    mesh_.triangles = triangulate(polygons_, mesh_.vertices, name_);
    if (!colours_.empty()) {
      colours_.resize(3 * mesh_.vertices.size(), 1.0);
      mesh_.fields.push_back({"colour", 3, std::move(colours_)});
    }
    return std::move(mesh_);
  }

 private:
  void read_line(std::string_view keyword) {
    if (keyword == "v") return read_vertex();
    if (keyword == "f" || keyword == "fo") return read_face();
    if (is_free_form(keyword)) {
      scanner_.fail(
          format("{} belongs to free-form curves and surfaces, which are not read; export the "
                 "mesh as polygons",
                 in_quotes(keyword)));
    }
    if (!scanner_.at_line_end()) scanner_.line("the rest of the line");
  }

  double finite_number(std::string_view wanted) {
    const double value = scanner_.number(wanted);
    if (!std::isfinite(value)) scanner_.complain(format("{} is {}; it must be finite", wanted, value));
    return value;
  }

  /// x y z, then nothing, or a weight (of use for free-form surfaces only), or red green blue [alpha].
  void read_vertex() {
    if (mesh_.vertices.size() == static_cast<size_t>(std::numeric_limits<int>::max()))
      scanner_.fail("there are more vertices than can be numbered; split the file");
    Vec3& x = mesh_.vertices.emplace_back();
    for (double& value : x) value = finite_number("a coordinate");
    double more[4] = {};
    size_t count = 0;
    for (; !scanner_.at_line_end() && count < 4; ++count) more[count] = finite_number("a weight or colour");
    if (count == 2)
      scanner_.complain("a vertex has 3 coordinates and maybe a weight, or a colour of 3 or 4 numbers");
    scanner_.end_line("a vertex");
    if (count < 3) return;
    colours_.resize(3 * (mesh_.vertices.size() - 1), 1.0);
    colours_.insert(colours_.end(), more, more + 3);
  }

  void read_face() {
    size_t corners = 0;
    for (; !scanner_.at_line_end(); ++corners) read_corner(scanner_.word("a corner"));
    if (corners < 3) scanner_.complain(format("a face has {} corners; it needs at least 3", corners));
    polygons_.end_polygon();
    lines_.push_back(scanner_.line_number());
  }

  /// v, v/t, v//n or v/t/n.
  void read_corner(std::string_view word) {
    std::int64_t number = 0;
    const char* const last = word.data() + word.size();
    auto [end, error] = std::from_chars(word.data(), last, number);
    bool good = error == std::errc();
    for (int slashes = 0; good && end != last; ++slashes) {
      good = *end == '/' && slashes < 2;
      std::int64_t other = 0;
      if (good) end = std::from_chars(end + 1, last, other).ptr;
    }
    if (!good) scanner_.fail(format("expected a corner such as 7, 7/2 or 7/2/5, found {}", in_quotes(word)));
    const std::int64_t before = static_cast<std::int64_t>(mesh_.vertices.size());
    const std::int64_t vertex = number < 0 ? before + number : number - 1;
    if (number == 0 || vertex < 0) {
      scanner_.complain(
          format("corner {} names no vertex: they count from 1, and backwards from -1; {} come "
                 "before this line",
                 in_quotes(word), before));
    }
    // Too large a number is found when all vertices are known: a face may come before its vertices.
    const std::int64_t most = std::numeric_limits<int>::max();
    polygons_.corners.push_back(static_cast<int>(std::clamp(vertex, std::int64_t{0}, most)));
  }

  void check_corners() {
    size_t corner = 0;
    for (size_t face = 0; face < polygons_.ends.size(); ++face) {
      for (; corner < polygons_.ends[face]; ++corner) {
        const int vertex = polygons_.corners[corner];
        if (static_cast<size_t>(vertex) < mesh_.vertices.size()) continue;
        scanner_.complain(
            format("vertex {} does not exist; there are {}", vertex + 1L, mesh_.vertices.size()),
            lines_[face]);
      }
    }
  }

  const std::string& name_;
  TextScanner scanner_;
  MeshContents mesh_;
  std::vector<double> colours_;
  PolygonList polygons_;
  std::vector<int> lines_;  // of the faces
};

}  // namespace

MeshContents parse_obj(std::string_view text, const std::string& name) {
  if (text.empty()) throw InputError(Complaint{name, 0, 0, "the file is empty"});
  const std::string joined = joined_lines(text);
  return ObjReader(joined, name).read();
}

}  // namespace pliant
