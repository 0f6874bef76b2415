#include "document.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "messages.hpp"
#include "pliant/base/text.hpp"

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

void bind_document(nb::module_& module) {
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
