#include "mesh.hpp"

#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "document.hpp"
#include "pliant/base/text.hpp"
#include "pliant/scene/reader.hpp"

namespace pliant::python {

namespace {

template <size_t N>
std::vector<std::array<int, N>> to_elements(nb::handle from, const char* what, size_t vertices) {
  std::vector<std::array<int, N>> elements;
  if (from.is_none()) return elements;
  const auto array = integers(from);
  if (array.ndim() != 2 || array.shape(1) != N)
    throw nb::value_error(format("{} must have the shape (m, {})", what, N).c_str());
  elements.resize(array.shape(0));
  for (size_t i = 0; i < elements.size(); ++i)
    for (size_t k = 0; k < N; ++k) {
      const std::int64_t vertex = array.data()[N * i + k];
      if (vertex < 0 || vertex >= static_cast<std::int64_t>(vertices))
        throw nb::value_error(format("{}[{}, {}] is {}, but there are {} vertices, counted from 0", what, i,
                                     k, vertex, vertices)
                                  .c_str());
      elements[i][k] = static_cast<int>(vertex);
    }
  return elements;
}

PointData to_field(const std::string& name, nb::handle from, size_t vertices) {
  const auto array = doubles(from);
  const bool fits = array.ndim() > 0 && array.shape(0) == vertices &&
                    (array.ndim() == 1 || (array.ndim() == 2 && array.shape(1) == 3));
  if (!fits)
    throw nb::value_error(
        format("field {} must have the shape ({},) or ({}, 3)", name, vertices, vertices).c_str());
  return {name, array.ndim() == 1 ? 1 : 3, {array.data(), array.data() + array.size()}};
}

PaintedMesh mesh_of_shape(nb::dict shape) {
  const Value value = to_value(shape, "");
  ShapeKeys keys;
  Reader reader(value);
  reader.read(keys);
  if (!reader.complaints().empty()) throw InputError(reader.complaints());
  const nb::gil_scoped_release others_run;
  return make_shape(keys);
}

/// The boundary, by the vertices of the mesh.
std::vector<std::array<int, 3>> surface_of(const TetMesh& mesh) {
  Surface surface = extract_surface(mesh);
  for (auto& triangle : surface.mesh.triangles)
    for (int& vertex : triangle) vertex = surface.vertex_of[static_cast<size_t>(vertex)];
  return std::move(surface.mesh.triangles);
}

nb::dict fields_of(const PaintedMesh& painted) {
  nb::dict fields;
  for (const PointData& field : painted.fields)
    fields[field.name.c_str()] =
        field.components == 1
            ? numbers_array(field.values)
            : points_array(Vector(Eigen::Map<const Vector>(field.values.data(), std::ssize(field.values))));
  return fields;
}

}  // namespace

PaintedMesh to_mesh(const GivenArrays& arrays) {
  PaintedMesh painted;
  TetMesh& mesh = painted.mesh;
  mesh.vertices = to_vertices(arrays.vertices, "vertices");
  const size_t count = mesh.vertices.size();
  mesh.tets = to_elements<4>(arrays.tets, "tets", count);
  mesh.triangles = to_elements<3>(arrays.triangles, "triangles", count);
  mesh.edges = to_elements<2>(arrays.edges, "edges", count);
  if (mesh.tets.empty() + mesh.triangles.empty() + mesh.edges.empty() != 2)
    throw nb::value_error("a body has either tets, triangles or edges; give one of them");
  if (!mesh.triangles.empty() && !arrays.planar)
    mesh = make_sheet({std::move(mesh.vertices), std::move(mesh.triangles)}, 1);
  if (!arrays.fields.is_none())
    for (const auto& [name, values] : nb::cast<nb::dict>(arrays.fields))
      painted.fields.push_back(to_field(nb::cast<std::string>(name), values, count));
  if (!arrays.start.is_none()) {
    const Vector start = to_points(arrays.start, "positions", static_cast<Index>(count));
    for (size_t i = 0; i < count; ++i) painted.start.push_back(start.segment<3>(3 * static_cast<Index>(i)));
  }
  return painted;
}

void bind_mesh(nb::module_& module) {
  nb::class_<PaintedMesh>(module, "Mesh", "A mesh of a body: vertices in metres, elements by their numbers.")
      .def_prop_ro(
          "vertices", [](const PaintedMesh& m) { return points_array(m.mesh.vertices); },
          nb::sig("def vertices(self) -> numpy.typing.NDArray[numpy.float64]"), "(n, 3) float64, m.")
      .def_prop_ro(
          "tets", [](const PaintedMesh& m) { return index_array(m.mesh.tets); },
          nb::sig("def tets(self) -> numpy.typing.NDArray[numpy.int32]"), "(m, 4) int32.")
      .def_prop_ro(
          "triangles", [](const PaintedMesh& m) { return index_array(m.mesh.triangles); },
          nb::sig("def triangles(self) -> numpy.typing.NDArray[numpy.int32]"),
          "(m, 3) int32, of a sheet or a planar body.")
      .def_prop_ro(
          "edges", [](const PaintedMesh& m) { return index_array(m.mesh.edges); },
          nb::sig("def edges(self) -> numpy.typing.NDArray[numpy.int32]"),
          "(m, 2) int32, of a sheet or a strand.")
      .def_prop_ro(
          "hexes", [](const PaintedMesh& m) { return index_array(m.mesh.hexes); },
          nb::sig("def hexes(self) -> numpy.typing.NDArray[numpy.int32]"), "(m, 8) int32.")
      .def_prop_ro(
          "surface", [](const PaintedMesh& m) { return index_array(surface_of(m.mesh)); },
          nb::sig("def surface(self) -> numpy.typing.NDArray[numpy.int32]"),
          "(m, 3) int32: the triangles of its boundary, outward.")
      .def_prop_ro("fields", &fields_of, "What is painted on its vertices, by name.")
      .def("__repr__", [](const PaintedMesh& m) {
        return format("<pliant.Mesh: {} vertices, {} elements>", m.mesh.vertices.size(),
                      m.mesh.element_count());
      });

  module.def(
      "mesh_of_arrays",
      [](nb::object vertices, nb::object tets, nb::object triangles, nb::object edges, nb::object fields,
         nb::object positions, bool planar) {
        return to_mesh({vertices, tets, triangles, edges, fields, positions, planar});
      },
      nb::arg("vertices"), nb::arg("tets") = nb::none(), nb::arg("triangles") = nb::none(),
      nb::arg("edges") = nb::none(), nb::arg("fields") = nb::none(), nb::arg("positions") = nb::none(),
      nb::arg("planar") = false);
  module.def("mesh_of_shape", &mesh_of_shape, nb::arg("shape"));
}

}  // namespace pliant::python
