#include "document.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "messages.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/scene/reader.hpp"

namespace pliant::python {

namespace {

Value table_of(nb::dict from, const std::string& place) {
  Value table;
  for (const auto& [key, item] : from) {
    if (item.is_none()) continue;
    const std::string name = nb::cast<std::string>(key);
    const std::string at = place.empty() ? name : place + "." + name;
    Value entry = to_value(item, at);
    entry.name = name;
    entry.name_origin = {at, 0, 0};
    table.items.push_back(std::move(entry));
  }
  return table;
}

Value list_of(nb::handle from, const std::string& place) {
  Value list;
  list.kind = Value::Kind::list;
  size_t position = 0;
  for (const nb::handle item : nb::iter(from))
    list.items.push_back(to_value(item, format("{}[{}]", place, position++)));
  return list;
}

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

/// The complaints of a scene that cannot be simulated, none of one that can.
std::vector<std::string> check(const SceneDocument& document) {
  std::vector<std::string> complaints;
  {
    const nb::gil_scoped_release others_run;
    try {
      build(read_scene(document));
    } catch (const InputError& error) {
      for (const Complaint& complaint : error.complaints()) complaints.push_back(complaint.text());
    }
  }
  deliver_messages();
  return complaints;
}

/// Adds an item to a list of tables; what stands there already stays. Returns its position.
size_t append(SceneDocument& document, const std::string& list, nb::dict item) {
  Value* found = document.value.find(list);
  if (found == nullptr) {
    Value empty;
    empty.kind = Value::Kind::list;
    empty.name = list;
    empty.name_origin = empty.origin = {list, 0, 0};
    document.value.items.push_back(std::move(empty));
    found = &document.value.items.back();
  }
  const size_t position = found->items.size();
  found->items.push_back(to_value(item, format("{}[{}]", list, position)));
  return position;
}

void append_body(SceneDocument& document, nb::dict keys, const std::optional<PaintedMesh>& mesh) {
  const size_t position = append(document, "body", keys);
  document.meshes.resize(position + 1);
  if (mesh) document.meshes[position] = std::make_shared<const PaintedMesh>(*mesh);
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

Value to_value(nb::handle from, const std::string& place) {
  Value value;
  if (nb::hasattr(from, "tolist")) {  // of numpy, a number or an array
    value = to_value(from.attr("tolist")(), place);
  } else if (nb::isinstance<nb::bool_>(from)) {
    value.kind = Value::Kind::boolean;
    value.boolean = nb::cast<bool>(from);
  } else if (nb::isinstance<nb::int_>(from)) {
    value.kind = Value::Kind::integer;
    value.integer = nb::cast<std::int64_t>(from);
  } else if (nb::isinstance<nb::float_>(from)) {
    value.kind = Value::Kind::number;
    value.number = nb::cast<double>(from);
  } else if (nb::isinstance<nb::str>(from)) {
    value.kind = Value::Kind::text;
    value.text = nb::cast<std::string>(from);
  } else if (nb::hasattr(from, "__fspath__")) {
    value = to_value(from.attr("__fspath__")(), place);
  } else if (nb::isinstance<nb::dict>(from)) {
    value = table_of(nb::borrow<nb::dict>(from), place);
  } else if (nb::isinstance<nb::list>(from) || nb::isinstance<nb::tuple>(from)) {
    value = list_of(from, place);
  } else {
    throw nb::type_error(format("{} is a {}; scenes are made of dict, list, str, numbers and bool",
                                place.empty() ? "this" : place,
                                nb::cast<std::string>(from.type().attr("__name__")))
                             .c_str());
  }
  value.origin = {place, 0, 0};
  return value;
}

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

void bind_scene(nb::module_& module) {
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

  nb::class_<SceneDocument>(module, "Document", "What a scene says, unread.")
      .def(
          "__init__",
          [](SceneDocument* self, nb::dict keys, const std::string& folder) {
            new (self) SceneDocument{to_value(keys, ""), folder};
          },
          nb::arg("keys"), nb::arg("folder"))
      .def_static(
          "parse",
          [](const std::string& text, const std::string& file, const std::string& folder) {
            return SceneDocument{parse_toml(text, file), folder};
          },
          nb::arg("text"), nb::arg("file"), nb::arg("folder"))
      .def("copy", [](const SceneDocument& self) { return self; })
      .def("set", [](SceneDocument& self, const std::string& item) { apply_override(self.value, item); })
      .def("append_body", &append_body, nb::arg("keys"), nb::arg("mesh") = nb::none())
      .def("append_obstacle", [](SceneDocument& self, nb::dict keys) { append(self, "obstacle", keys); })
      .def("body_count",
           [](const SceneDocument& self) {
             const Value* bodies = self.value.find("body");
             return bodies ? bodies->items.size() : 0;
           })
      .def("text", [](const SceneDocument& self) { return read_scene(self).text(); })
      .def("check", &check)
      .def("meshes", [](const SceneDocument& self) {
        nb::list all;
        Scene scene = read_scene(self);
        for (PlacedBody& body : scene.bodies)
          all.append(PaintedMesh{std::move(body.rest), std::move(body.fields), std::move(body.start)});
        return all;
      });
}

}  // namespace pliant::python
