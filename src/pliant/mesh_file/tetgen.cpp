// TetGen's formats as its manual defines them (section "File Formats"): a line of sizes, then a line a thing.

#include "pliant/mesh_file/tetgen.hpp"

#include <cmath>

#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/text_scanner.hpp"

namespace pliant {

namespace {

namespace fs = std::filesystem;

/// An integer of a line of sizes that may be left out, which stands for 0.
std::int64_t optional_size(TextScanner& scanner, std::string_view wanted) {
  return scanner.at_line_end() ? 0 : scanner.integer(wanted);
}

void begin_tetgen(TextScanner& scanner, std::string_view wanted) {
  if (scanner.at_end()) scanner.fail("the file is empty");
  scanner.begin_line(wanted);
}

/// Points, each with its coordinates, attributes and perhaps a marker; gives the number of the first.
std::int64_t read_points(TextScanner& scanner, MeshContents& mesh) {
  begin_tetgen(scanner, "the number of points");
  const Index count = scanner.count("points", 8);
  const std::int64_t dimension = scanner.integer("the dimension");
  if (dimension != 3) scanner.fail(format("the dimension is {}; it must be 3", dimension));
  const Index attributes =
      scanner.at_line_end() ? 0 : scanner.count("attributes", 2 * std::max<Index>(count, 1));
  const std::int64_t markers = optional_size(scanner, "0 or 1 (boundary markers)");
  scanner.end_line("the sizes");
  for (Index a = 0; a < attributes; ++a)
    mesh.fields.push_back({format("attribute-{}", a + 1), 1, std::vector<double>()});
  std::int64_t first = 0;
  for (Index p = 0; p < count; ++p) {
    scanner.begin_line(format("one of the {} stated points", count));
    const std::int64_t number = scanner.integer("the number of a point");
    if (p == 0) first = number;
    if (first != 0 && first != 1) scanner.fail(format("the first point is {}; it must be 0 or 1", first));
    if (number != first + p)
      scanner.fail(format("expected point {}, found {}; points must be in order", first + p, number));
    Vec3& x = mesh.vertices.emplace_back();
    for (int axis = 0; axis < 3; ++axis) {
      x[axis] = scanner.number("a coordinate");
      if (!std::isfinite(x[axis]))
        scanner.complain(
            format("coordinate {} of point {} is {}; it must be finite", "xyz"[axis], number, x[axis]));
    }
    for (PointData& field : mesh.fields) {
      field.values.push_back(scanner.number("an attribute"));
      if (!std::isfinite(field.values.back()))
        scanner.complain(
            format("an attribute of point {} is {}; it must be finite", number, field.values.back()));
    }
    if (markers != 0) scanner.number("a boundary marker");
    scanner.end_line("the last value of a point");
  }
  return first;
}

/// What stands behind the corners on a line (regions, markers, neighbours) is left alone.
template <size_t corners>
void read_corners(TextScanner& scanner, std::int64_t first, std::int64_t points,
                  std::vector<std::array<int, corners>>& elements) {
  for (int& corner : elements.emplace_back()) {
    const std::int64_t found = scanner.integer("a corner");
    if (found < first || found >= first + points)
      scanner.complain(
          format("point {} does not exist; there are {}, counted from {}", found, points, first));
    else
      corner = static_cast<int>(found - first);
  }
  while (!scanner.at_line_end()) scanner.number("a region or marker");
}

void read_tetrahedra(TextScanner& scanner, std::int64_t first, MeshContents& mesh) {
  begin_tetgen(scanner, "the number of tetrahedra");
  const Index count = scanner.count("tetrahedra", 10);
  const std::int64_t corners = scanner.at_line_end() ? 4 : scanner.integer("the nodes of a tetrahedron");
  if (corners != 4) {
    scanner.fail(
        format("{}-node tetrahedra are not supported, only 4-node ones; mesh without TetGen's -o2", corners));
  }
  optional_size(scanner, "the number of region attributes");
  scanner.end_line("the sizes");
  for (Index t = 0; t < count; ++t) {
    scanner.begin_line(format("one of the {} stated tetrahedra", count));
    scanner.integer("the number of a tetrahedron");
    read_corners(scanner, first, std::ssize(mesh.vertices), mesh.tets);
  }
}

void read_faces(TextScanner& scanner, std::int64_t first, MeshContents& mesh) {
  begin_tetgen(scanner, "the number of faces");
  const Index count = scanner.count("faces", 8);
  while (!scanner.at_line_end()) scanner.integer("0 or 1 (boundary markers)");
  for (Index t = 0; t < count; ++t) {
    scanner.begin_line(format("one of the {} stated faces", count));
    scanner.integer("the number of a face");
    read_corners(scanner, first, std::ssize(mesh.vertices), mesh.triangles);
  }
}

void expect_end(TextScanner& scanner, std::string_view things) {
  if (!scanner.at_end())
    scanner.fail(format("expected the end of the file after the stated number of {}", things));
  scanner.finish();
}

std::string read_half(const fs::path& path, const fs::path& given) {
  std::error_code unreadable;
  if (fs::is_regular_file(path, unreadable)) return read_file(path);
  throw InputError(Complaint{given.string(), 0, 0,
                             format("there is no {} beside it; a TetGen mesh is a .node and an .ele file of "
                                    "the same name",
                                    path.filename().string())});
}

}  // namespace

MeshContents parse_tetgen(const TetgenTexts& texts, const std::string& name) {
  MeshContents mesh;
  TextScanner points(name + ".node", texts.node, '#');
  const std::int64_t first = read_points(points, mesh);
  expect_end(points, "points");
  TextScanner tets(name + ".ele", texts.ele, '#');
  read_tetrahedra(tets, first, mesh);
  expect_end(tets, "tetrahedra");
  if (!texts.face.empty()) {
    TextScanner faces(name + ".face", texts.face, '#');
    read_faces(faces, first, mesh);
    expect_end(faces, "faces");
  }
  return mesh;
}

MeshContents read_tetgen(const fs::path& path) {
  fs::path node = path, ele = path, face = path;
  node.replace_extension(".node");
  ele.replace_extension(".ele");
  face.replace_extension(".face");
  TetgenTexts texts;
  if (path == ele) texts.ele = read_file(ele);  // the file that was asked for is the first to be missed
  texts.node = path == node ? read_file(node) : read_half(node, path);
  if (path != ele) texts.ele = read_half(ele, path);
  std::error_code unreadable;
  if (path == face || fs::is_regular_file(face, unreadable)) texts.face = read_file(face);
  return parse_tetgen(texts, node.replace_extension().string());
}

TetgenTexts tetgen_texts(const MeshContents& mesh) {
  check_fields(mesh);
  int attributes = 0;
  for (const PointData& field : mesh.fields) attributes += field.components;
  TetgenTexts texts;
  texts.node = format("{} 3 {} 0\n", mesh.vertices.size(), attributes);
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3& x = mesh.vertices[v];
    texts.node += format("{} {} {} {}", v + 1, x.x(), x.y(), x.z());
    for (const PointData& field : mesh.fields)
      for (int c = 0; c < field.components; ++c)
        texts.node += format(" {}", field.values[v * field.components + c]);
    texts.node += '\n';
  }
  texts.ele = format("{} 4 0\n", mesh.tets.size());
  for (size_t t = 0; t < mesh.tets.size(); ++t) {
    const auto& tet = mesh.tets[t];
    texts.ele += format("{} {} {} {} {}\n", t + 1, tet[0] + 1L, tet[1] + 1L, tet[2] + 1L, tet[3] + 1L);
  }
  texts.face = format("{} 0\n", mesh.triangles.size());
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& face = mesh.triangles[t];
    texts.face += format("{} {} {} {}\n", t + 1, face[0] + 1L, face[1] + 1L, face[2] + 1L);
  }
  return texts;
}

void write_tetgen(const fs::path& path, const MeshContents& mesh) {
  const TetgenTexts texts = tetgen_texts(mesh);
  fs::path file = path;
  write_file_atomically(file.replace_extension(".node"), texts.node);
  write_file_atomically(file.replace_extension(".ele"), texts.ele);
  write_file_atomically(file.replace_extension(".face"), texts.face);
}

}  // namespace pliant
