// VTK's XML format for unstructured grids: <VTKFile> holds an <UnstructuredGrid> of <Piece>s and perhaps
// <AppendedData>; a piece holds <Points>, <Cells> and <PointData>, and these <DataArray>s.

#include <algorithm>
#include <charconv>
#include <limits>

#include "pliant/base/text.hpp"
#include "pliant/mesh_file/text_scanner.hpp"
#include "pliant/mesh_file/vtu.hpp"
#include "pliant/mesh_file/vtu_arrays.hpp"

namespace pliant {

namespace {

constexpr int kVtkLine = 3, kVtkTriangle = 5, kVtkTetrahedron = 10;
constexpr int kSkippedByVtu[] = {0, 1, 2, 4, 21, 35, 68, 75};  // nothing, vertices, polylines

struct VtkCellType {
  int code;
  const char* name;
};

// clang-format off
constexpr VtkCellType kVtkCellTypes[] = {
    {6, "triangle strips"}, {7, "polygons"}, {8, "pixels"}, {9, "quads"}, {11, "voxels"}, {12, "hexahedra"},
    {13, "wedges"}, {14, "pyramids"}, {15, "pentagonal prisms"}, {16, "hexagonal prisms"},
    {22, "quadratic triangles"}, {23, "quadratic quads"}, {24, "quadratic tetrahedra"},
    {25, "quadratic hexahedra"}, {26, "quadratic wedges"}, {27, "quadratic pyramids"},
    {28, "biquadratic quads"}, {29, "triquadratic hexahedra"}, {34, "biquadratic triangles"},
    {36, "quadratic polygons"}, {42, "polyhedra"}, {69, "Lagrange triangles"}, {70, "Lagrange quads"},
    {71, "Lagrange tetrahedra"}, {72, "Lagrange hexahedra"}, {73, "Lagrange wedges"},
    {76, "Bezier triangles"}, {77, "Bezier quads"}, {78, "Bezier tetrahedra"}, {79, "Bezier hexahedra"},
};
// clang-format on

struct VtuPiece {
  std::uint64_t points = 0, cells = 0;
  TextPlace place;
  std::vector<VtuArray> positions, cell_arrays, fields;
};

class VtuReader {
 public:
  VtuReader(std::string_view bytes, const std::string& name, std::uint64_t most)
      : xml_(name, bytes), decoder_(name, bytes.size(), most), size_(bytes.size()) {}

  MeshContents read();

 private:
  void read_file_tag();
  void read_grid();
  void read_piece();
  std::vector<VtuArray> read_arrays();
  VtuArray read_array();
  void read_appended();
  std::uint64_t size_attribute(const char* name, const char* things);
  std::int64_t integer_attribute(const char* name, std::int64_t otherwise);

  void add_piece(const VtuPiece& piece);
  void add_cells(const VtuPiece& piece, int first_vertex);
  void add_cell(const VtuArray& types, std::int64_t type, std::span<const int> corners);
  void add_fields(const VtuPiece& piece, bool is_first);
  const VtuArray& cell_array(const VtuPiece& piece, std::string_view name);

  XmlReader xml_;
  VtuDecoder decoder_;
  std::uint64_t size_;
  std::vector<VtuPiece> pieces_;
  MeshContents mesh_;
};

MeshContents VtuReader::read() {
  read_file_tag();
  bool has_grid = false;
  while (xml_.child()) {
    if (xml_.name() == "UnstructuredGrid") {
      has_grid = true;
      read_grid();
    } else if (xml_.name() == "AppendedData") {
      read_appended();
    } else {
      xml_.skip();
    }
  }
  if (!has_grid) xml_.fail("there is no <UnstructuredGrid> in the file");
  if (xml_.child()) xml_.fail("expected the end of the file after </VTKFile>");
  for (const VtuPiece& piece : pieces_) add_piece(piece);
  if (mesh_.tets.empty() && mesh_.triangles.empty() && mesh_.edges.empty())
    xml_.fail("there are neither tetrahedra nor triangles nor lines");
  return std::move(mesh_);
}

void VtuReader::read_file_tag() {
  if (size_ == 0) xml_.fail("the file is empty");
  if (!xml_.child() || xml_.name() != "VTKFile") xml_.fail("expected <VTKFile>; is this a .vtu file?");
  const std::string type = xml_.attribute("type").value_or("");
  if (type != "UnstructuredGrid") {
    xml_.fail(format("a VTK file of type {}; only UnstructuredGrid (.vtu) is read{}", in_quotes(type),
                     type == "PUnstructuredGrid" ? ": give one of the .vtu files that it lists" : ""));
  }
  const std::string order = xml_.attribute("byte_order").value_or("LittleEndian");
  if (order != "LittleEndian" && order != "BigEndian")
    xml_.fail(format("byte_order {}; it must be LittleEndian or BigEndian", in_quotes(order)));
  decoder_.order = order == "BigEndian" ? std::endian::big : std::endian::little;
  const std::string header = xml_.attribute("header_type").value_or("UInt32");
  if (header != "UInt32" && header != "UInt64")
    xml_.fail(format("header_type {}; it must be UInt32 or UInt64", in_quotes(header)));
  decoder_.wide_headers = header == "UInt64";
  decoder_.compressor = xml_.attribute("compressor").value_or("");
}

void VtuReader::read_grid() {
  while (xml_.child()) xml_.name() == "Piece" ? read_piece() : xml_.skip();
}

void VtuReader::read_piece() {
  VtuPiece piece;
  piece.place = xml_.place();
  piece.points = size_attribute("NumberOfPoints", "points");
  piece.cells = size_attribute("NumberOfCells", "cells");
  while (xml_.child()) {
    if (xml_.name() == "Points")
      piece.positions = read_arrays();
    else if (xml_.name() == "Cells")
      piece.cell_arrays = read_arrays();
    else if (xml_.name() == "PointData")
      piece.fields = read_arrays();
    else
      xml_.skip();
  }
  if (piece.points > 0 || piece.cells > 0) pieces_.push_back(std::move(piece));
}

std::uint64_t VtuReader::size_attribute(const char* name, const char* things) {
  const std::int64_t count = integer_attribute(name, -1);
  if (count < 0) xml_.fail(format("<Piece> must have {}, and not a negative one", name));
  const std::uint64_t result = static_cast<std::uint64_t>(count);
  if (result > std::numeric_limits<int>::max() || !decoder_.can_hold(result))
    xml_.fail(format("{} {} cannot be in a file of {} bytes", result, things, size_));
  return result;
}

std::int64_t VtuReader::integer_attribute(const char* name, std::int64_t otherwise) {
  const std::optional<std::string> text = xml_.attribute(name);
  if (!text) return otherwise;
  // Programs that print with fixed widths leave blanks around it.
  const size_t first = text->find_first_not_of(' '), last = text->find_last_not_of(' ');
  const std::string_view digits =
      first == std::string::npos ? "" : std::string_view(*text).substr(first, last + 1 - first);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    xml_.fail(format("{} is {}; it must be an integer", name, in_quotes(*text)));
  return value;
}

std::vector<VtuArray> VtuReader::read_arrays() {
  std::vector<VtuArray> arrays;
  while (xml_.child()) {
    if (xml_.name() == "DataArray")
      arrays.push_back(read_array());
    else
      xml_.skip();
  }
  return arrays;
}

VtuArray VtuReader::read_array() {
  VtuArray array;
  array.tag_place = xml_.place();
  array.name = xml_.attribute("Name").value_or("");
  array.type = xml_.attribute("type").value_or("");
  array.components = integer_attribute("NumberOfComponents", 1);
  const std::string format_name = xml_.attribute("format").value_or("ascii");
  if (format_name == "binary") {
    array.format = VtuArray::Format::kBinary;
  } else if (format_name == "appended") {
    array.format = VtuArray::Format::kAppended;
    const std::int64_t offset = integer_attribute("offset", -1);
    if (offset < 0) xml_.fail("an appended array must have an offset, and not a negative one");
    array.offset = static_cast<std::uint64_t>(offset);
  } else if (format_name != "ascii") {
    xml_.fail(format("format {}; it must be ascii, binary or appended", in_quotes(format_name)));
  }
  std::tie(array.text, array.text_place) = xml_.content();
  return array;
}

void VtuReader::read_appended() {
  const std::string encoding = xml_.attribute("encoding").value_or("base64");
  if (encoding != "raw" && encoding != "base64")
    xml_.fail(format("encoding {}; it must be raw or base64", in_quotes(encoding)));
  decoder_.appended_is_base64 = encoding == "base64";
  const std::string_view content = xml_.raw_content();
  const size_t start = content.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || content[start] != '_')
    xml_.fail("<AppendedData> must begin with an underscore");
  decoder_.appended = content.substr(start + 1);
}

void VtuReader::add_piece(const VtuPiece& piece) {
  const size_t first = mesh_.vertices.size();
  if (first + piece.points > static_cast<size_t>(std::numeric_limits<int>::max()))
    xml_.fail_at(piece.place, "more points than can be numbered; split the file");
  if (piece.points > 0) {
    if (piece.positions.empty()) xml_.fail_at(piece.place, "this <Piece> has no <Points>");
    const VtuArray& array = piece.positions[0];
    if (array.components != 3) decoder_.fail(array, format("{} components; points have 3", array.components));
    const std::vector<double> x = decoder_.numbers(array, 3 * piece.points);
    for (size_t p = 0; p < piece.points; ++p)
      mesh_.vertices.push_back({x[3 * p], x[3 * p + 1], x[3 * p + 2]});
    add_fields(piece, first == 0);
  }
  if (piece.cells > 0) add_cells(piece, static_cast<int>(first));
}

const VtuArray& VtuReader::cell_array(const VtuPiece& piece, std::string_view name) {
  const auto found = std::ranges::find(piece.cell_arrays, name, &VtuArray::name);
  if (found == piece.cell_arrays.end())
    xml_.fail_at(piece.place, format("the <Cells> of this <Piece> have no array '{}'", name));
  return *found;
}

void VtuReader::add_cells(const VtuPiece& piece, int first_vertex) {
  const VtuArray &connectivity = cell_array(piece, "connectivity"), &offsets = cell_array(piece, "offsets"),
                 &types = cell_array(piece, "types");
  const std::vector<std::int64_t> ends = decoder_.integers(offsets, piece.cells);
  for (size_t c = 0; c < ends.size(); ++c)
    if (ends[c] < (c == 0 ? 0 : ends[c - 1]))
      decoder_.fail(offsets, format("number {} is {}; offsets must not decrease", c, ends[c]));
  const std::vector<std::int64_t> kinds = decoder_.integers(types, piece.cells);
  const std::vector<std::int64_t> points =
      decoder_.integers(connectivity, static_cast<std::uint64_t>(ends.back()));
  std::vector<int> corners;
  for (size_t c = 0; c < ends.size(); ++c) {
    corners.clear();
    for (std::int64_t i = c == 0 ? 0 : ends[c - 1]; i < ends[c]; ++i) {
      if (points[i] < 0 || points[i] >= static_cast<std::int64_t>(piece.points)) {
        decoder_.fail(connectivity, format("point {} of cell {} does not exist; there are {}, counted from 0",
                                           points[i], c, piece.points));
      }
      corners.push_back(static_cast<int>(points[i]) + first_vertex);
    }
    add_cell(types, kinds[c], corners);
  }
}

void VtuReader::add_cell(const VtuArray& types, std::int64_t type, std::span<const int> corners) {
  if (std::ranges::find(kSkippedByVtu, type) != std::end(kSkippedByVtu)) return;
  if (type == kVtkLine) {
    if (corners.size() != 2) decoder_.fail(types, format("a line of {} points", corners.size()));
    mesh_.edges.push_back({corners[0], corners[1]});
    return;
  }
  const bool tetrahedron = type == kVtkTetrahedron, triangle = type == kVtkTriangle;
  if (!tetrahedron && !triangle) {
    const auto known = std::ranges::find(kVtkCellTypes, type, &VtkCellType::code);
    const std::string name = known == std::end(kVtkCellTypes) ? "cells" : known->name;
    decoder_.fail(types, format("{} (type {}) are not supported, only tetrahedra (type 10) and triangles "
                                "(type 5); mesh again with these",
                                name, type));
  }
  if (corners.size() != (tetrahedron ? 4U : 3U))
    decoder_.fail(types,
                  format("a {} of {} points", tetrahedron ? "tetrahedron" : "triangle", corners.size()));
  if (tetrahedron)
    mesh_.tets.push_back({corners[0], corners[1], corners[2], corners[3]});
  else
    mesh_.triangles.push_back({corners[0], corners[1], corners[2]});
}

/// Only fields that every piece has can have a value at every vertex.
void VtuReader::add_fields(const VtuPiece& piece, bool is_first) {
  const auto is_kept = [](const VtuArray& array) {
    return (array.components == 1 || array.components == 3) && array.type != "String" && array.type != "Bit";
  };
  constexpr size_t kMostFields = 1000;
  if (piece.fields.size() > kMostFields)
    xml_.fail_at(piece.place,
                 format("{} point data; more than {} are not read", piece.fields.size(), kMostFields));
  if (is_first) {
    for (const VtuArray& array : piece.fields)
      if (is_kept(array)) mesh_.fields.push_back({array.name, static_cast<int>(array.components), {}});
  }
  std::erase_if(mesh_.fields, [&](PointData& field) {
    const auto found = std::ranges::find_if(piece.fields, [&](const VtuArray& array) {
      return is_kept(array) && array.name == field.name && array.components == field.components;
    });
    if (found == piece.fields.end()) return true;
    const std::vector<double> values =
        decoder_.numbers(*found, piece.points * static_cast<std::uint64_t>(field.components));
    field.values.insert(field.values.end(), values.begin(), values.end());
    return false;
  });
}

}  // namespace

MeshContents parse_vtu(std::string_view bytes, const std::string& name) {
  return parse_vtu(bytes, name, std::numeric_limits<std::uint64_t>::max());
}

MeshContents parse_vtu(std::string_view bytes, const std::string& name, std::uint64_t most) {
  return VtuReader(bytes, name, most).read();
}

}  // namespace pliant
