// Overrides from the command line: `--set body.NAME.material.young=1e6`.
#include <algorithm>
#include <charconv>

#include "pliant/base/text.hpp"
#include "pliant/scene/names.hpp"
#include "pliant/scene/value.hpp"

namespace pliant {

namespace {

void relocate(Value& value, const Origin& origin) {
  value.origin = value.name_origin = origin;
  for (Value& item : value.items) relocate(item, origin);
}

/// A TOML value, or a text where it is none. What starts like a text, list or table was meant as one.
Value parse_value(const std::string& text, const Origin& origin) {
  Value value;
  try {
    const Value document = parse_toml("value = " + text, "");
    if (document.items.size() != 1) throw InputError("more than one value");
    value = document.items.front();
  } catch (const InputError& error) {
    if (!text.empty() && std::string_view("\"'[{").find(text.front()) != std::string_view::npos)
      throw InputError(origin.complaint(error.complaints().front().message));
    value = Value();
    value.kind = Value::Kind::text;
    value.text = text;
  }
  relocate(value, origin);
  return value;
}

Value& list_item(Value& list, const std::string& name, const std::string& list_name, const Origin& origin) {
  size_t position = list.items.size();
  const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), position);
  if (failed == std::errc() && end == name.data() + name.size() && position < list.items.size())
    return list.items[position];
  // "body" in body, "script" in body.0.script.
  const std::string what = list_name.substr(list_name.rfind('.') + 1);
  std::string known;
  for (size_t i = 0; i < list.items.size(); ++i) {
    const Value* named = list.items[i].find("name");
    const std::string called = named != nullptr ? named->text : default_name(what, i);
    if (called == name) return list.items[i];
    known += format("{}{} ({})", i > 0 ? ", " : "", i, called);
  }
  throw InputError(origin.complaint(format("there is no '{}' in {}; there are: {}", name, list_name, known)));
}

Value& table_entry(Value& table, const std::string& name, const Origin& origin) {
  if (Value* existing = table.find(name)) return *existing;
  Value& entry = table.items.emplace_back();
  entry.name = name;
  entry.name_origin = entry.origin = origin;
  return entry;
}

}  // namespace

void apply_override(Value& scene, const std::string& key_and_value) {
  const Origin origin{"--set " + key_and_value, 0, 0};
  const size_t equals = key_and_value.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(origin.complaint("write it as key=value, for instance solver.tolerance=1e-4"));
  Value* place = &scene;
  std::string path;
  for (size_t begin = 0; begin <= equals;) {
    const size_t end = std::min(key_and_value.find('.', begin), equals);
    const std::string name = key_and_value.substr(begin, end - begin);
    if (name.empty()) throw InputError(origin.complaint("a name between two dots is empty"));
    if (place->kind == Value::Kind::list)
      place = &list_item(*place, name, path, origin);
    else if (place->kind == Value::Kind::table)
      place = &table_entry(*place, name, origin);
    else
      throw InputError(origin.complaint(format("{} is {}, it has no key '{}'", path, place->shown(), name)));
    path += (path.empty() ? "" : ".") + name;
    begin = end + 1;
  }
  Value value = parse_value(key_and_value.substr(equals + 1), origin);
  value.name = place->name;
  *place = std::move(value);
}

}  // namespace pliant
