// Reads what vtu_write.cpp writes, line by line: every tag stands alone on its line, every vertex and cell
// too.

#include <cmath>

#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/geometry/text_scanner.hpp"
#include "pliant/geometry/vtu.hpp"

namespace pliant {

namespace {

void expect(TextScanner& scanner, std::string_view wanted) {
  const std::string_view found = scanner.line(wanted);
  if (found == wanted) return;
  scanner.fail(
      format("expected {}, found {}; only .vtu files written by Pliant are read", wanted, in_quotes(found)));
}

/// The number in `NumberOfPoints="8"`.
Index attribute(TextScanner& scanner, std::string_view name, std::string_view end, std::string_view things) {
  const std::string wanted = format("{}=\"...{}", name, end);
  std::string_view found = scanner.word(wanted);
  const std::string start = format("{}=\"", name);
  if (found.size() < start.size() + end.size() || !found.starts_with(start) || !found.ends_with(end)) {
    scanner.fail(format("expected {}, found {}", wanted, in_quotes(found)));
  }
  found.remove_prefix(start.size());
  found.remove_suffix(end.size());
  return scanner.count(found, things, 6);
}

void read_points(TextScanner& scanner, TetMesh& mesh, Index count) {
  expect(scanner, "<Points>");
  expect(scanner, "<DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\" format=\"ascii\">");
  for (Index p = 0; p < count; ++p) {
    scanner.begin_line("a point");
    Vec3& x = mesh.vertices.emplace_back();
    for (double& value : x) {
      value = scanner.number("a coordinate");
      if (!std::isfinite(value))
        scanner.complain(format("a coordinate of point {} is {}; it must be finite", p, value));
    }
    scanner.end_line("the coordinates of a point");
  }
  expect(scanner, "</DataArray>");
  expect(scanner, "</Points>");
}

/// Arrays that could only be different in a file of other cells.
void expect_values(TextScanner& scanner, const TetMesh& mesh, Index first, Index step) {
  const Index count = static_cast<Index>(mesh.element_count());
  const char* kind = mesh.planar() ? "triangles" : "tetrahedra";
  for (Index c = 0; c < count; ++c) {
    scanner.begin_line("a number for each cell");
    const std::int64_t found = scanner.integer("a number for each cell");
    const Index wanted = first + c * step;
    if (found != wanted)
      scanner.fail(format("expected {} (all cells are {}), found {}", wanted, kind, found));
    scanner.end_line("one number");
  }
  expect(scanner, "</DataArray>");
}

void read_cells(TextScanner& scanner, TetMesh& mesh, Index count) {
  const std::int64_t points = static_cast<std::int64_t>(mesh.vertices.size());
  expect(scanner, "<Cells>");
  expect(scanner, "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">");
  for (Index c = 0; c < count; ++c) {
    scanner.begin_line("a cell");
    std::array<int, 4> corners{};
    for (size_t k = 0; k < 4; ++k) {
      // The first cell says whether the body is planar.
      if (k == 3 && (mesh.planar() || (c == 0 && scanner.at_line_end()))) {
        mesh.triangles.push_back({corners[0], corners[1], corners[2]});
        break;
      }
      const std::int64_t value = scanner.integer("a corner of a cell");
      if (value < 0 || value >= points) {
        scanner.fail(format("point {} does not exist; there are {}, counted from 0", value, points));
      }
      corners[k] = static_cast<int>(value);
    }
    if (!mesh.planar()) mesh.tets.push_back(corners);
    scanner.end_line("the corners of a cell");
  }
  expect(scanner, "</DataArray>");
  expect(scanner, "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">");
  const int corners = mesh.planar() ? 3 : 4;
  expect_values(scanner, mesh, corners, corners);
  expect(scanner, "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">");
  expect_values(scanner, mesh, mesh.planar() ? 5 : 10, 0);
  expect(scanner, "</Cells>");
}

}  // namespace

TetMesh parse_vtu(std::string_view text, const std::string& name) {
  TextScanner scanner(name, text);
  expect(scanner, "<?xml version=\"1.0\"?>");
  expect(scanner, "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">");
  expect(scanner, "<UnstructuredGrid>");
  scanner.begin_line("<Piece>");
  if (scanner.word("<Piece>") != "<Piece")
    scanner.fail("expected <Piece NumberOfPoints=... NumberOfCells=...>");
  const Index points = attribute(scanner, "NumberOfPoints", "\"", "points");
  const Index cells = attribute(scanner, "NumberOfCells", "\">", "cells");
  scanner.end_line("<Piece>");
  TetMesh mesh;
  read_points(scanner, mesh, points);
  read_cells(scanner, mesh, cells);
  expect(scanner, "<PointData>");
  while (scanner.line("</PointData>") != "</PointData>") continue;
  for (const char* tag : {"</Piece>", "</UnstructuredGrid>", "</VTKFile>"}) expect(scanner, tag);
  if (!scanner.at_end()) scanner.fail("expected the end of the file after </VTKFile>");
  scanner.finish();
  return mesh;
}

TetMesh read_vtu(const std::filesystem::path& path) { return parse_vtu(read_file(path), path.string()); }

}  // namespace pliant
