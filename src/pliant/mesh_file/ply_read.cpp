// A PLY file is a header in text, then tables ("elements") of rows: in text a line a row, or packed numbers.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "pliant/base/text.hpp"
#include "pliant/mesh_file/byte_scanner.hpp"
#include "pliant/mesh_file/ply.hpp"
#include "pliant/mesh_file/ply_header.hpp"
#include "pliant/mesh_file/polygon.hpp"

namespace pliant {

namespace {

/// The rows of a PLY file in text.
class PlyText {
 public:
  explicit PlyText(TextScanner& scanner) : scanner_(scanner) { scanner_.end_line("end_header"); }

  void begin_row(std::string_view element) { scanner_.begin_line(element); }
  void end_row(std::string_view element) { scanner_.end_line(format("a row of {}", element)); }
  double number(PlyType, std::string_view wanted) { return scanner_.number(wanted); }
  Index remaining() const { return scanner_.remaining() + 1; }  // of the last row the line break is cut off
  bool at_end() { return scanner_.at_end(); }
  [[noreturn]] void fail(const std::string& message) { scanner_.fail(message); }

 private:
  TextScanner& scanner_;
};

/// The rows of a binary PLY file.
class PlyBytes {
 public:
  explicit PlyBytes(const ByteScanner& scanner) : scanner_(scanner) {}

  void begin_row(std::string_view) {}
  void end_row(std::string_view) {}
  double number(PlyType type, std::string_view wanted) {
    switch (type) {
      case PlyType::kInt8:
        return scanner_.read<std::int8_t>(wanted);
      case PlyType::kUint8:
        return scanner_.read<std::uint8_t>(wanted);
      case PlyType::kInt16:
        return scanner_.read<std::int16_t>(wanted);
      case PlyType::kUint16:
        return scanner_.read<std::uint16_t>(wanted);
      case PlyType::kInt32:
        return scanner_.read<std::int32_t>(wanted);
      case PlyType::kUint32:
        return scanner_.read<std::uint32_t>(wanted);
      case PlyType::kFloat:
        return static_cast<double>(scanner_.read<float>(wanted));
      case PlyType::kDouble:
        break;
    }
    return scanner_.read<double>(wanted);
  }
  Index remaining() const { return scanner_.remaining(); }
  bool at_end() const { return scanner_.at_end(); }
  [[noreturn]] void fail(const std::string& message) { scanner_.fail(message); }

 private:
  ByteScanner scanner_;
};

/// Where a number of a vertex goes.
struct PlyTarget {
  enum class Place { kNowhere, kPosition, kField } place = Place::kNowhere;
  int part = 0;      // the axis, or the component of the field
  size_t field = 0;  // in the list of fields
  double unit = 1;   // what the number is divided by
};

double largest_of(PlyType type) {
  switch (type) {
    case PlyType::kUint8:
      return 255;
    case PlyType::kUint16:
      return 65535;
    default:
      return 1;
  }
}

/// Assigns the properties of the vertices to positions and fields.
class PlyVertexLayout {
 public:
  PlyVertexLayout(const PlyElement& element, std::vector<PointData>& fields) : element_(element) {
    targets.resize(element.properties.size());
    for (int axis = 0; axis < 3; ++axis) {
      const std::optional<size_t> place = find(std::string(1, "xyz"[axis]));
      if (!place) return;
      targets[*place] = {PlyTarget::Place::kPosition, axis, 0, 1};
    }
    complete = true;
    for (size_t p = 0; p < element.properties.size(); ++p) {
      const std::string& name = element.properties[p].name;
      if (element.properties[p].is_list || targets[p].place != PlyTarget::Place::kNowhere) continue;
      if (name == "nx" || name == "ny" || name == "nz") continue;
      const bool is_colour = name == "red" || name == "green" || name == "blue";
      if (is_colour && add_vector(fields, "colour", {"red", "green", "blue"}, true)) continue;
      if (name.size() > 2 && name.ends_with("_x")) {
        const std::string stem = name.substr(0, name.size() - 1);
        const std::string field = stem.substr(0, stem.size() - 1);
        if (add_vector(fields, field, {name, stem + 'y', stem + 'z'}, false)) continue;
      }
      targets[p] = {PlyTarget::Place::kField, 0, fields.size(), 1};
      fields.push_back({name, 1, {}});
    }
  }

  std::vector<PlyTarget> targets;  // one a property
  bool complete = false;           // x, y and z are there

 private:
  std::optional<size_t> find(const std::string& name) const {
    for (size_t p = 0; p < element_.properties.size(); ++p)
      if (element_.properties[p].name == name && !element_.properties[p].is_list) return p;
    return std::nullopt;
  }

  /// Three properties as one field, where all three are there and no other has its name.
  bool add_vector(std::vector<PointData>& fields, const std::string& field,
                  const std::array<std::string, 3>& names, bool scaled) {
    std::array<size_t, 3> places{};
    if (find(field)) return false;
    for (size_t k = 0; k < 3; ++k) {
      const std::optional<size_t> place = find(names[k]);
      if (!place || targets[*place].place != PlyTarget::Place::kNowhere) return false;
      places[k] = *place;
    }
    for (size_t k = 0; k < 3; ++k) {
      const double unit = scaled ? largest_of(element_.properties[places[k]].type) : 1;
      targets[places[k]] = {PlyTarget::Place::kField, static_cast<int>(k), fields.size(), unit};
    }
    fields.push_back({field, 3, {}});
    return true;
  }

  const PlyElement& element_;
};

template <class Rows>
class PlyBody {
 public:
  PlyBody(Rows rows, const PlyHeader& header, std::string name)
      : rows_(std::move(rows)), header_(header), name_(std::move(name)) {}

  MeshContents read() {
    check_elements();
    for (const PlyElement& element : header_.elements) {
      if (element.properties.empty() && element.name != "vertex") continue;  // rows of nothing
      if (element.count > rows_.remaining() / std::max<Index>(1, element.least_bytes(header_.encoding))) {
        rows_.fail(
            format("{} rows of {} cannot be in the {} bytes that follow; is the count wrong or the "
                   "file cut off?",
                   element.count, in_quotes(element.name), rows_.remaining()));
      }
      if (element.name == "vertex") {
        read_vertices(element);
      } else {
        read_rows(element);
      }
    }
    if (!rows_.at_end()) rows_.fail("more follows after the last row that the header announces");
    mesh_.triangles = triangulate(polygons_, mesh_.vertices, name_);
    return std::move(mesh_);
  }

 private:
  void check_elements() {
    const auto named = [this](std::string_view name) {
      return std::count_if(header_.elements.begin(), header_.elements.end(),
                           [&](const PlyElement& element) { return element.name == name; });
    };
    if (named("vertex") != 1 || named("face") > 1)
      rows_.fail("the header must announce one element 'vertex' and at most one element 'face'");
    if (named("face") == 0 && named("tristrips") > 0)
      rows_.fail("triangle strips are not read; write the mesh with an element 'face' instead");
    for (const PlyElement& element : header_.elements) {
      if (element.name == "vertex") vertex_count_ = element.count;
      std::vector<std::string_view> names;
      for (const PlyProperty& property : element.properties) names.push_back(property.name);
      std::sort(names.begin(), names.end());
      const auto twice = std::adjacent_find(names.begin(), names.end());
      if (twice != names.end())
        rows_.fail(format("element {} has two properties {}", in_quotes(element.name), in_quotes(*twice)));
    }
    if (vertex_count_ > std::numeric_limits<int>::max())
      rows_.fail(format("{} vertices are more than can be numbered", vertex_count_));
  }

  void read_vertices(const PlyElement& element) {
    const PlyVertexLayout layout(element, mesh_.fields);
    if (!layout.complete) rows_.fail("the element 'vertex' must have the properties x, y and z");
    for (Index row = 0; row < element.count; ++row) {
      rows_.begin_row("a vertex");
      Vec3& x = mesh_.vertices.emplace_back();
      for (PointData& field : mesh_.fields) field.values.resize(field.values.size() + field.components);
      for (size_t p = 0; p < layout.targets.size(); ++p) {
        const PlyProperty& property = element.properties[p];
        if (property.is_list) {
          skip_list(property);
          continue;
        }
        const double value = rows_.number(property.type, property.name);
        const PlyTarget& target = layout.targets[p];
        if (target.place == PlyTarget::Place::kNowhere) continue;
        if (!std::isfinite(value))
          rows_.fail(format("{} of vertex {} is {}; it must be finite", property.name, row, value));
        if (target.place == PlyTarget::Place::kPosition) {
          x[target.part] = value;
        } else {
          PointData& field = mesh_.fields[target.field];
          field.values[field.values.size() - static_cast<size_t>(field.components - target.part)] =
              value / target.unit;
        }
      }
      rows_.end_row("vertex");
    }
  }

  /// Faces, or rows that nobody wants.
  void read_rows(const PlyElement& element) {
    const auto is_corners = [&](const PlyProperty& property) {
      return element.name == "face" && property.is_list &&
             (property.name == "vertex_indices" || property.name == "vertex_index");
    };
    if (element.name == "face" && element.count > 0 &&
        std::count_if(element.properties.begin(), element.properties.end(), is_corners) != 1)
      rows_.fail("the element 'face' must have one list vertex_indices (or vertex_index)");
    for (Index row = 0; row < element.count; ++row) {
      rows_.begin_row(element.name);
      for (const PlyProperty& property : element.properties) {
        if (is_corners(property)) {
          read_corners(property);
        } else if (property.is_list) {
          skip_list(property);
        } else {
          rows_.number(property.type, property.name);
        }
      }
      rows_.end_row(element.name);
    }
  }

  Index list_length(const PlyProperty& property) {
    const double length = rows_.number(property.count_type, "the length of a list");
    const Index each = header_.encoding == PlyEncoding::kText ? 2 : ply_size(property.type);
    if (!(length >= 0) || length != std::floor(length) ||
        length > static_cast<double>(rows_.remaining() / each)) {
      rows_.fail(format("a list {} of length {} cannot be in the {} bytes that follow", property.name, length,
                        rows_.remaining()));
    }
    return static_cast<Index>(length);
  }

  void skip_list(const PlyProperty& property) {
    const Index length = list_length(property);
    for (Index i = 0; i < length; ++i) rows_.number(property.type, property.name);
  }

  void read_corners(const PlyProperty& property) {
    const Index length = list_length(property);
    if (length < 3) rows_.fail(format("a face has {} corners; it needs at least 3", length));
    for (Index i = 0; i < length; ++i) {
      const double vertex = rows_.number(property.type, "a corner of a face");
      if (!(vertex >= 0 && vertex < static_cast<double>(vertex_count_)) || vertex != std::floor(vertex))
        rows_.fail(format("vertex {} does not exist; there are {}, counted from 0", vertex, vertex_count_));
      polygons_.corners.push_back(static_cast<int>(vertex));
    }
    polygons_.end_polygon();
  }

  Rows rows_;
  const PlyHeader& header_;
  std::string name_;
  Index vertex_count_ = 0;
  MeshContents mesh_;
  PolygonList polygons_;
};

/// Where the numbers of a binary file begin: behind the line break that the header uses throughout.
size_t end_of_header(std::string_view bytes) {
  const size_t first_break = bytes.find('\n');
  const bool two_bytes =
      first_break != std::string_view::npos && first_break > 0 && bytes[first_break - 1] == '\r';
  const std::string_view line = two_bytes ? "\nend_header\r\n" : "\nend_header\n";
  const size_t at = bytes.find(line);
  return at == std::string_view::npos ? at : at + line.size();
}

}  // namespace

MeshContents parse_ply(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) throw InputError(Complaint{name, 0, 0, "the file is empty"});
  TextScanner scanner(name, bytes);
  const PlyHeader header = read_ply_header(scanner);
  if (header.encoding == PlyEncoding::kText) return PlyBody<PlyText>(PlyText(scanner), header, name).read();
  const size_t start = end_of_header(bytes);
  if (start == std::string_view::npos) scanner.fail("the line end_header must end like the first line");
  ByteScanner body(name, bytes,
                   header.encoding == PlyEncoding::kLittleEndian ? std::endian::little : std::endian::big);
  body.seek(start, "the first row");
  return PlyBody<PlyBytes>(PlyBytes(body), header, name).read();
}

}  // namespace pliant
