// The one file that sees the TOML library; everything else works on Value.
#include <toml++/toml.h>

#include "pliant/scene/value.hpp"

namespace pliant {

namespace {

Origin origin_of(const toml::source_region& region, const std::string& file) {
  return {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

Value convert(const toml::node& node, const std::string& file) {
  Value value;
  value.origin = origin_of(node.source(), file);
  if (const auto* table = node.as_table()) {
    value.kind = Value::Kind::table;
    for (const auto& [key, entry] : *table) {
      value.items.push_back(convert(entry, file));
      value.items.back().name = key.str();
      value.items.back().name_origin = origin_of(key.source(), file);
    }
  } else if (const auto* array = node.as_array()) {
    value.kind = Value::Kind::list;
    for (const toml::node& item : *array) value.items.push_back(convert(item, file));
  } else if (const auto* text = node.as_string()) {
    value.kind = Value::Kind::text;
    value.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = Value::Kind::integer;
    value.integer = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    value.kind = Value::Kind::number;
    value.number = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = Value::Kind::boolean;
    value.boolean = boolean->get();
  } else {
    value.kind = Value::Kind::moment;
  }
  return value;
}

}  // namespace

Value parse_toml(const std::string& text, const std::string& file) {
  try {
    return convert(toml::parse(text), file);
  } catch (const toml::parse_error& error) {
    throw InputError(
        origin_of(error.source(), file).complaint("this is not TOML: " + std::string(error.description())));
  }
}

}  // namespace pliant
