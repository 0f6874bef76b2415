#include "pliant/scene/value.hpp"

#include <algorithm>

#include "pliant/base/text.hpp"

namespace pliant {

const Value* Value::find(std::string_view entry) const {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Value& item) { return item.name == entry; });
  return kind == Kind::table && found != items.end() ? &*found : nullptr;
}

Value* Value::find(std::string_view entry) {
  return const_cast<Value*>(static_cast<const Value*>(this)->find(entry));
}

std::string Value::shown() const {
  constexpr size_t kLongest = 60;
  switch (kind) {
    case Kind::boolean:
      return boolean ? "true" : "false";
    case Kind::integer:
      return format("{}", integer);
    case Kind::number:
      return format("{}", number);
    case Kind::text:
      return toml_text(text.size() <= kLongest ? text : text.substr(0, kLongest) + "...");
    case Kind::moment:
      return "a date or time";
    case Kind::table:
      return "a table";
    case Kind::list:
      break;
  }
  std::string all = "[";
  for (const Value& item : items) {
    if (all.size() > kLongest) return format("a list of {}", items.size());
    all += (all.size() > 1 ? ", " : "") + item.shown();
  }
  return all + "]";
}

std::string toml_number(double number) {
  const std::string text = format("{}", number);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string toml_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      quoted += format("\\u{:04X}", static_cast<unsigned char>(c));
    else
      quoted += c;
  }
  return quoted + "\"";
}

}  // namespace pliant
