#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/append_bytes.hpp"
#include "pliant/mesh_file/compression.hpp"
#include "pliant/mesh_file/vtu.hpp"
#include "pliant/mesh_file/xml_reader.hpp"

namespace pliant {

namespace {

constexpr size_t kVtuBlock = 1 << 15;  // bytes that are compressed together, as VTK does

/// Arrays, whose numbers stand in their element or, as bytes, at the end of the file.
class VtuOutput {
 public:
  explicit VtuOutput(VtuEncoding encoding) : encoding_(encoding) {}

  void text(std::string_view lines) { text_ += lines; }

  /// `ends_line(i)` says whether a line of an ASCII file ends after number i.
  template <class T, class EndsLine>
  void array(std::string_view attributes, const std::vector<T>& values, EndsLine ends_line) {
    if (encoding_ == VtuEncoding::kAscii) {
      text_ += format("<DataArray {} format=\"ascii\">\n", attributes);
      for (size_t i = 0; i < values.size(); ++i)
        text_ += format("{}{}", values[i], ends_line(i) ? '\n' : ' ');
      text_ += "</DataArray>\n";
      return;
    }
    text_ += format("<DataArray {} format=\"appended\" offset=\"{}\"/>\n", attributes, appended_.size());
    append(std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
  }

  std::string file() && {
    if (encoding_ != VtuEncoding::kAscii) {
      text_ += "<AppendedData encoding=\"raw\">\n_";
      text_ += appended_;
      text_ += "\n</AppendedData>\n";
    }
    return std::move(text_) + "</VTKFile>\n";
  }

 private:
  void append(std::string_view bytes) {
    if (encoding_ == VtuEncoding::kBinary) {
      append_bytes<std::uint64_t>(appended_, bytes.size());
      appended_ += bytes;
      return;
    }
    std::vector<std::string> blocks;
    for (size_t at = 0; at < bytes.size(); at += kVtuBlock)
      blocks.push_back(compressed(bytes.substr(at, kVtuBlock)));
    for (const size_t value : {blocks.size(), kVtuBlock, bytes.size() % kVtuBlock})
      append_bytes<std::uint64_t>(appended_, value);
    for (const std::string& block : blocks) append_bytes<std::uint64_t>(appended_, block.size());
    for (const std::string& block : blocks) appended_ += block;
  }

  VtuEncoding encoding_;
  std::string text_, appended_;
};

std::string_view file_tag(VtuEncoding encoding) {
  switch (encoding) {
    case VtuEncoding::kBinary:
      return "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
             "header_type=\"UInt64\">\n";
    case VtuEncoding::kCompressed:
      return "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
             "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n";
    default:
      return "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n";
  }
}

void write_points(VtuOutput& out, const std::vector<Vec3>& vertices) {
  std::vector<double> x;
  x.reserve(3 * vertices.size());
  for (const Vec3& vertex : vertices) x.insert(x.end(), vertex.begin(), vertex.end());
  out.text("<Points>\n");
  out.array("type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"", x,
            [](size_t i) { return i % 3 == 2; });
  out.text("</Points>\n");
}

void write_cells(VtuOutput& out, const MeshContents& mesh) {
  std::vector<std::int32_t> connectivity;
  std::vector<std::int64_t> offsets;
  std::vector<std::uint8_t> types;
  std::vector<char> ends;  // of cells, number by number of the connectivity
  const auto add = [&](const auto& cells, std::uint8_t type) {
    for (const auto& corners : cells) {
      connectivity.insert(connectivity.end(), corners.begin(), corners.end());
      ends.resize(connectivity.size(), 0);
      ends.back() = 1;
      offsets.push_back(std::ssize(connectivity));
      types.push_back(type);
    }
  };
  add(mesh.tets, 10);  // VTK's numbers
  add(mesh.triangles, 5);
  add(mesh.edges, 3);
  const auto every = [](size_t) { return true; };
  out.text("<Cells>\n");
  out.array("type=\"Int32\" Name=\"connectivity\"", connectivity, [&](size_t i) { return ends[i] != 0; });
  out.array("type=\"Int64\" Name=\"offsets\"", offsets, every);
  out.array("type=\"UInt8\" Name=\"types\"", types, every);
  out.text("</Cells>\n");
}

}  // namespace

std::string vtu_text(const MeshContents& mesh, VtuEncoding encoding) {
  check_fields(mesh);
  VtuOutput out(encoding);
  out.text("<?xml version=\"1.0\"?>\n");
  out.text(file_tag(encoding));
  out.text(format("<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
                  mesh.vertices.size(), mesh.tets.size() + mesh.triangles.size() + mesh.edges.size()));
  write_points(out, mesh.vertices);
  write_cells(out, mesh);
  out.text("<PointData>\n");
  for (const PointData& field : mesh.fields) {
    const size_t components = static_cast<size_t>(field.components);
    out.array(
        format("type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\"", xml_escaped(field.name), components),
        field.values, [&](size_t i) { return (i + 1) % components == 0; });
  }
  out.text("</PointData>\n</Piece>\n</UnstructuredGrid>\n");
  return std::move(out).file();
}

void write_vtu(const std::filesystem::path& path, const MeshContents& mesh, VtuEncoding encoding) {
  write_file_atomically(path, vtu_text(mesh, encoding));
}

void write_pvd(const std::filesystem::path& path, std::span<const std::pair<double, std::string>> files) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "<Collection>\n";
  int part = 0;
  for (size_t i = 0; i < files.size(); ++i) {
    const auto& [time, file] = files[i];
    part = i > 0 && files[i - 1].first == time ? part + 1 : 0;
    text += format("<DataSet timestep=\"{}\" group=\"\" part=\"{}\" file=\"{}\"/>\n", time, part,
                   xml_escaped(file));
  }
  write_file_atomically(path, text + "</Collection>\n</VTKFile>\n");
}

}  // namespace pliant
