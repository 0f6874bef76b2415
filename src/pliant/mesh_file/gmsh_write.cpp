#include <algorithm>

#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/append_bytes.hpp"
#include "pliant/mesh_file/gmsh.hpp"

namespace pliant {

namespace {

/// Records of numbers: a line each in ASCII, with the shortest digits that read back as the same bits; bytes
/// in binary.
class GmshOutput {
 public:
  explicit GmshOutput(GmshEncoding encoding) : binary_(encoding == GmshEncoding::kBinary) {}

  bool binary() const { return binary_; }
  void text(std::string_view lines) { text_ += lines; }

  void integer(std::int64_t value) {
    binary_ ? append_bytes(text_, static_cast<std::int32_t>(value)) : word(value);
  }
  void size(std::uint64_t value) { binary_ ? append_bytes(text_, value) : word(value); }
  void number(double value) { binary_ ? append_bytes(text_, value) : word(value); }
  void vector(const Vec3& x) {
    for (const double value : x) number(value);
  }
  void end_record() {
    if (!binary_) text_ += '\n';
    first_ = true;
  }
  /// Behind the records of a section.
  void end_section(std::string_view line) {
    if (binary_) text_ += '\n';
    text_ += line;
  }
  std::string take() { return std::move(text_); }

 private:
  template <class T>
  void word(T value) {
    text_ += first_ ? format("{}", value) : format(" {}", value);
    first_ = false;
  }

  bool binary_, first_ = true;
  std::string text_;
};

void write_format(GmshOutput& out, std::string_view version) {
  out.text(format("$MeshFormat\n{} {} 8\n", version, out.binary() ? 1 : 0));
  if (!out.binary()) return out.text("$EndMeshFormat\n");
  out.integer(1);  // tells the byte order
  out.end_section("$EndMeshFormat\n");
}

/// Elements of one type; tags of elements count from 1 over all types.
template <size_t corners>
void write_elements_2_2(GmshOutput& out, const std::vector<std::array<int, corners>>& elements, int type,
                        size_t& tag) {
  if (out.binary() && !elements.empty()) {
    for (const std::int64_t value : {static_cast<std::int64_t>(type), std::ssize(elements), 2L})
      out.integer(value);
  }
  for (const auto& element : elements) {
    out.integer(static_cast<std::int64_t>(++tag));
    if (!out.binary()) {
      out.integer(type);
      out.integer(2);
    }
    out.integer(0);  // two tags: no physical group, the first surface or volume
    out.integer(1);
    for (const int corner : element) out.integer(corner + 1L);
    out.end_record();
  }
}

void write_2_2(GmshOutput& out, const MeshContents& mesh) {
  write_format(out, "2.2");
  out.text(format("$Nodes\n{}\n", mesh.vertices.size()));
  for (size_t v = 0; v < mesh.vertices.size(); ++v) {
    out.integer(static_cast<std::int64_t>(v + 1));
    out.vector(mesh.vertices[v]);
    out.end_record();
  }
  out.end_section("$EndNodes\n");
  out.text(format("$Elements\n{}\n", mesh.triangles.size() + mesh.tets.size()));
  size_t tag = 0;
  write_elements_2_2(out, mesh.triangles, 2, tag);
  write_elements_2_2(out, mesh.tets, 4, tag);
  out.end_section("$EndElements\n");
}

/// One surface and one volume, each tag 1, without physical groups and bounding entities, where there are
/// elements of it.
void write_entities(GmshOutput& out, const MeshContents& mesh) {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  if (!mesh.vertices.empty()) low = high = mesh.vertices[0];
  for (const Vec3& x : mesh.vertices) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  const bool surface = !mesh.triangles.empty(), volume = !mesh.tets.empty() || !surface;
  out.text("$Entities\n");
  for (const int count : {0, 0, surface ? 1 : 0, volume ? 1 : 0}) out.size(count);
  out.end_record();
  for (const bool is_there : {surface, volume}) {
    if (!is_there) continue;
    out.integer(1);
    out.vector(low);
    out.vector(high);
    out.size(0);
    out.size(0);
    out.end_record();
  }
  out.end_section("$EndEntities\n");
}

/// Blocks, things, lowest and highest tag.
void write_sizes_4_1(GmshOutput& out, size_t blocks, size_t count) {
  for (const size_t value : {blocks, count, std::min<size_t>(count, 1), count}) out.size(value);
  out.end_record();
}

template <size_t corners>
void write_elements_4_1(GmshOutput& out, const std::vector<std::array<int, corners>>& elements, int type,
                        size_t& tag) {
  out.integer(static_cast<std::int64_t>(corners) - 1);  // the dimension of the surface or volume
  out.integer(1);
  out.integer(type);
  out.size(elements.size());
  out.end_record();
  for (const auto& element : elements) {
    out.size(++tag);
    for (const int corner : element) out.size(corner + 1UL);
    out.end_record();
  }
}

void write_4_1(GmshOutput& out, const MeshContents& mesh) {
  write_format(out, "4.1");
  write_entities(out, mesh);
  const size_t nodes = mesh.vertices.size();
  const bool surface = !mesh.triangles.empty(), volume = !mesh.tets.empty() || !surface;
  out.text("$Nodes\n");
  write_sizes_4_1(out, 1, nodes);
  for (const int value : {volume ? 3 : 2, 1, 0}) out.integer(value);
  out.size(nodes);
  out.end_record();
  for (size_t v = 0; v < nodes; ++v) {
    out.size(v + 1);
    out.end_record();
  }
  for (const Vec3& x : mesh.vertices) {
    out.vector(x);
    out.end_record();
  }
  out.end_section("$EndNodes\n");
  out.text("$Elements\n");
  size_t tag = 0;
  write_sizes_4_1(out, (surface ? 1 : 0) + (volume ? 1 : 0), mesh.triangles.size() + mesh.tets.size());
  if (surface) write_elements_4_1(out, mesh.triangles, 2, tag);
  if (volume) write_elements_4_1(out, mesh.tets, 4, tag);
  out.end_section("$EndElements\n");
}

void write_field(GmshOutput& out, const PointData& field) {
  std::string name = field.name;
  std::ranges::replace(name, '\n', ' ');
  const size_t rows = field.values.size() / field.components;
  // One text, one real number (the time) and three integers: the time step, components, rows.
  out.text(format("$NodeData\n1\n\"{}\"\n1\n0\n3\n0\n{}\n{}\n", name, field.components, rows));
  for (size_t row = 0; row < rows; ++row) {
    out.integer(static_cast<std::int64_t>(row + 1));
    for (int c = 0; c < field.components; ++c) out.number(field.values[row * field.components + c]);
    out.end_record();
  }
  out.end_section("$EndNodeData\n");
}

}  // namespace

std::string gmsh_text(const MeshContents& mesh, GmshVersion version, GmshEncoding encoding) {
  check_fields(mesh);
  GmshOutput out(encoding);
  version == GmshVersion::k2_2 ? write_2_2(out, mesh) : write_4_1(out, mesh);
  for (const PointData& field : mesh.fields) write_field(out, field);
  return out.take();
}

void write_gmsh(const std::filesystem::path& path, const MeshContents& mesh, GmshVersion version,
                GmshEncoding encoding) {
  write_file_atomically(path, gmsh_text(mesh, version, encoding));
}

}  // namespace pliant
