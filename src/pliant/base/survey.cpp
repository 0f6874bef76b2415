#include "pliant/base/survey.hpp"

#include "pliant/base/text.hpp"

namespace pliant {

void Survey::put(std::string_view name, std::string value) {
  std::string key;
  for (const std::string& part : path_) key += part + ".";
  settings.push_back({key.append(name), std::move(value)});
}

void Survey::check(const Key& key, double number) {
  if (key.range.contains(number)) return;
  complaints.push_back(format("{} = {} is out of range, it must be {}{}{}", key.name, number,
                              key.range.text(), key.remedy.empty() ? "" : "; ", key.remedy));
}

template <class List>
void Survey::list(const Key& key, const List& numbers) {
  std::string all;
  for (const auto number : numbers) {
    check(key, static_cast<double>(number));
    all += format("{}{}", all.empty() ? "" : ", ", number);
  }
  put(key.name, "[" + all + "]");
}

void Survey::value(const Key& key, bool& field) { put(key.name, field ? "true" : "false"); }
void Survey::value(const Key& key, double& field) {
  check(key, field);
  put(key.name, format("{}", field));
}
void Survey::value(const Key& key, std::int64_t& field) {
  check(key, static_cast<double>(field));
  put(key.name, format("{}", field));
}
void Survey::value(const Key& key, std::string& field) {
  bool known = key.choices.empty();
  for (const Choice& choice : key.choices) known = known || choice.name == field;
  rule(known, key.name, format("{} = \"{}\" is unknown", key.name, field));
  put(key.name, format("\"{}\"", field));
}
void Survey::value(const Key& key, Vec3& field) { list(key, field); }
void Survey::value(const Key& key, std::vector<int>& field) { list(key, field); }
void Survey::value(const Key& key, std::vector<double>& field) { list(key, field); }
void Survey::value(const Key& key, std::array<int, 3>& field) { list(key, field); }

void Survey::rule(bool holds, std::string_view, const std::string& message) {
  if (!holds) complaints.push_back(message);
}

size_t Survey::begin_list(const Key& key, size_t has) {
  begin_table(key);
  return has;
}

void Survey::begin_item(size_t position) { path_.push_back(format("{}", position)); }

}  // namespace pliant
