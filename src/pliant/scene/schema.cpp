// The JSON schema: the keys of a scene file for editors that complete and check while one types.
#include <cmath>

#include "pliant/base/text.hpp"
#include "pliant/scene/keys.hpp"
#include "pliant/scene/reference.hpp"
#include "pliant/scene/value.hpp"

namespace pliant {

namespace {

/// JSON and TOML quote texts alike, as long as they are ASCII.
std::string json_text(std::string_view text) { return toml_text(text); }

std::string bounds(const Range& range) {
  std::string text;
  if (std::isfinite(range.min))
    text += format(", \"{}\": {}", range.min_allowed ? "minimum" : "exclusiveMinimum", range.min);
  if (std::isfinite(range.max))
    text += format(", \"{}\": {}", range.max_allowed ? "maximum" : "exclusiveMaximum", range.max);
  return text;
}

std::string joined_by(const std::vector<std::string>& parts, const std::string& separator) {
  std::string all;
  for (const std::string& part : parts) all += format("{}{}", all.empty() ? "" : separator, part);
  return all;
}

class Schema : public Visitor {
 public:
  /// The members of a JSON object that describes the table last opened.
  std::string object() const {
    const Table& table = tables_.back();
    const std::string indent = "\n" + std::string(2 * tables_.size(), ' ');
    return format(
        "\"type\": \"object\", \"additionalProperties\": false, \"required\": [{}], \"properties\": {{{}{}}}",
        joined_by(table.required, ", "), indent, joined_by(table.properties, "," + indent));
  }

  bool shows_everything() const override { return true; }

  using Visitor::value;
  void value(const Key& key, bool&) override { put(key, "\"type\": \"boolean\""); }
  void value(const Key& key, double&) override { put(key, "\"type\": \"number\"" + bounds(key.range)); }
  void value(const Key& key, std::int64_t&) override {
    put(key, "\"type\": \"integer\"" + bounds(key.range));
  }
  void value(const Key& key, std::string&) override {
    std::vector<std::string> names;
    for (const Choice& choice : key.choices) names.push_back(json_text(choice.name));
    put(key, names.empty() ? "\"type\": \"string\"" : format("\"enum\": [{}]", joined_by(names, ", ")));
  }
  void value(const Key& key, Vec3&) override {
    const std::string three = triple("number", key.range);
    const std::string one = "\"type\": \"number\"" + bounds(key.range);
    put(key, key.one_for_three ? format("\"oneOf\": [{{{}}}, {{{}}}]", three, one) : three);
  }
  void value(const Key& key, std::vector<double>&) override {
    put(key, format("\"type\": \"array\", \"items\": {{\"type\": \"number\"{}}}", bounds(key.range)));
  }
  void value(const Key& key, std::vector<int>&) override {
    put(key, format("\"type\": \"array\", \"items\": {{\"type\": \"integer\"{}}}", bounds(key.range)));
  }
  void value(const Key& key, std::array<int, 3>&) override { put(key, triple("integer", key.range)); }

 protected:
  bool present(const Key&, bool) override { return true; }
  void begin_table(const Key& key) override { tables_.push_back({key, {}, {}}); }
  void end_table() override { close(object()); }
  size_t begin_list(const Key& key, size_t) override {
    begin_table(key);
    return key.recursive ? 0 : 1;
  }
  void begin_item(size_t) override {}
  void end_item() override {}
  void end_list() override {
    const std::string item = tables_.back().key.recursive ? "\"type\": \"object\"" : object();
    close(format("\"type\": \"array\", \"items\": {{{}}}", item));
  }

 private:
  struct Table {
    Key key;
    std::vector<std::string> properties, required;
  };

  static std::string triple(std::string_view type, const Range& range) {
    return format("\"type\": \"array\", \"minItems\": 3, \"maxItems\": 3, \"items\": {{\"type\": \"{}\"{}}}",
                  type, bounds(range));
  }

  void close(const std::string& description) {
    const Key key = tables_.back().key;
    tables_.pop_back();
    put(key, description);
  }

  void put(const Key& key, const std::string& description) {
    const std::string unit = key.unit.empty() ? "" : format(" ({})", key.unit);
    tables_.back().properties.push_back(format("{}: {{\"description\": {}, {}}}", json_text(key.name),
                                               json_text(std::string(key.meaning) + unit), description));
    if (key.required) tables_.back().required.push_back(json_text(key.name));
  }

  std::vector<Table> tables_{{}};
};

}  // namespace

std::string scene_schema() {
  Schema schema;
  SceneKeys keys;
  describe(schema, keys);
  return format(
      "{{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"title\": \"Pliant scene\", {}}}\n",
      schema.object());
}

}  // namespace pliant
