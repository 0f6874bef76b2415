#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/geometry/vtu.hpp"

namespace pliant {

namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

void append(std::string& text, const TetMesh& mesh, const PointData& data) {
  const bool known = data.components == 1 || data.components == 3;
  if (!known || data.values.size() != mesh.vertices.size() * data.components) {
    throw InputError(
        format("point data '{}' has {} values of {} components for {} vertices; 1 or 3 a vertex are possible",
               data.name, data.values.size(), data.components, mesh.vertices.size()));
  }
  text += format("<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"ascii\">\n",
                 escaped(data.name), data.components);
  for (size_t i = 0; i < data.values.size(); ++i) {
    text += format("{}{}", data.values[i], (i + 1) % data.components == 0 ? '\n' : ' ');
  }
  text += "</DataArray>\n";
}

}  // namespace

std::string vtu_text(const TetMesh& mesh, std::span<const PointData> data) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "<UnstructuredGrid>\n";
  text += format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n", mesh.vertices.size(),
                 mesh.element_count());
  text += "<DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\" format=\"ascii\">\n";
  for (const Vec3& x : mesh.vertices) text += format("{} {} {}\n", x.x(), x.y(), x.z());
  text +=
      "</DataArray>\n</Points>\n<Cells>\n<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">\n";
  for (const auto& tet : mesh.tets) text += format("{} {} {} {}\n", tet[0], tet[1], tet[2], tet[3]);
  for (const auto& triangle : mesh.triangles)
    text += format("{} {} {}\n", triangle[0], triangle[1], triangle[2]);
  text += "</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n";
  const size_t corners = mesh.planar() ? 3 : 4;
  for (size_t t = 0; t < mesh.element_count(); ++t) text += format("{}\n", corners * (t + 1));
  text += "</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">\n";
  for (size_t t = 0; t < mesh.element_count(); ++t) text += mesh.planar() ? "5\n" : "10\n";  // VTK's numbers
  text += "</DataArray>\n</Cells>\n<PointData>\n";
  for (const PointData& array : data) append(text, mesh, array);
  return text + "</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

void write_vtu(const std::filesystem::path& path, const TetMesh& mesh, std::span<const PointData> data) {
  write_file_atomically(path, vtu_text(mesh, data));
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
    text +=
        format("<DataSet timestep=\"{}\" group=\"\" part=\"{}\" file=\"{}\"/>\n", time, part, escaped(file));
  }
  write_file_atomically(path, text + "</Collection>\n</VTKFile>\n");
}

}  // namespace pliant
