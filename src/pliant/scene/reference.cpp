// The reference page: a table of keys for each table of a scene file.
#include "pliant/scene/reference.hpp"

#include <algorithm>

#include "pliant/base/text.hpp"
#include "pliant/scene/keys.hpp"
#include "pliant/scene/value.hpp"
#include "pliant/setup/combinations.hpp"

namespace pliant {

namespace {

constexpr std::string_view kIntroduction = R"(# Scene files

A scene file says what to simulate, in [TOML](https://toml.io). This page is written by `pliant reference`; `pliant
schema` prints the same as a JSON schema for editors, and `pliant check SCENE` says all that is wrong with a scene.

    name = "Falling box"
    duration = 2.0             # s

    [[body]]
    shape = { kind = "box", size = [1, 0.5, 0.5], cells = [8, 4, 4] }
    material = { young = 1e5, poisson = 0.4 }
    translate = [0, 1, 0]

    [[body.script]]            # hold one end
    region = { box = { min = [-0.5, 0, -1], max = [-0.45, 2, 1] } }

    [[obstacle]]               # the ground
    shape = { kind = "plane", normal = [0, 1, 0] }
    friction = 0.3

Units are SI, angles degrees. Unknown keys are errors. A whole number may stand where a number is wanted. Any key can be
changed from the command line: `--set solver.tolerance=1e-5`, `--set body.0.material.young=1e6`, or by the name of the
body or obstacle, `--set body.NAME.material.young=1e6`.
)";

struct Section {
  std::string title, introduction, rows, choices;
};

class Reference : public Visitor {
 public:
  std::vector<Section> sections{{"Top level", "", "", ""}};

  bool shows_everything() const override { return true; }

  using Visitor::value;
  void value(const Key& key, bool& field) override { row(key, "true or false", field ? "true" : "false"); }
  void value(const Key& key, double& field) override { row(key, "number", format("{}", field)); }
  void value(const Key& key, std::int64_t& field) override { row(key, "whole number", format("{}", field)); }
  void value(const Key& key, std::string& field) override {
    row(key, "text", field.empty() ? "" : toml_text(field));
    if (key.choices.empty()) return;
    std::string& choices = sections[current()].choices;
    choices += format("\n`{}` is one of:\n\n", key.name);
    for (const Choice& choice : key.choices) choices += format("- `{}`: {}\n", choice.name, choice.meaning);
  }
  void value(const Key& key, Vec3& field) override {
    row(key, key.one_for_three ? "3 numbers, or 1" : "3 numbers",
        format("[{}, {}, {}]", field[0], field[1], field[2]));
  }
  void value(const Key& key, std::vector<int>&) override { row(key, "whole numbers", ""); }
  void value(const Key& key, std::vector<double>&) override { row(key, "numbers", ""); }
  void value(const Key& key, std::array<int, 3>& field) override {
    row(key, "3 whole numbers", format("[{}, {}, {}]", field[0], field[1], field[2]));
  }

 protected:
  bool present(const Key&, bool) override {
    optional_ = true;
    return true;
  }
  void begin_table(const Key& key) override {
    row(key, "table", "");
    key.section ? open(key, "[", "]") : open(key, "", " = { ... }");
  }
  void end_table() override { open_.pop_back(), path_.pop_back(); }
  size_t begin_list(const Key& key, size_t) override {
    row(key, "list of tables", "");
    if (key.recursive) {
      open_.push_back(current());
      path_.emplace_back();
      return 0;
    }
    key.section ? open(key, "[[", "]]") : open(key, "", " = [{ ... }, ...]");
    return 1;
  }
  void begin_item(size_t) override {}
  void end_item() override {}
  void end_list() override { end_table(); }

 private:
  size_t current() const { return open_.empty() ? 0 : open_.back(); }

  void open(const Key& key, std::string_view before, std::string_view after) {
    path_.push_back(std::string(key.name));
    std::string path;
    for (const std::string& name : path_) path += (path.empty() ? "" : ".") + name;
    open_.push_back(sections.size());
    sections.push_back({format("`{}{}{}`", before, path, after), std::string(key.meaning), "", ""});
  }

  void row(const Key& key, std::string_view type, const std::string& initial) {
    std::string shown = key.required ? "required" : "";
    if (!optional_ && !key.required && !initial.empty()) shown = "`" + initial + "`";
    optional_ = false;
    sections[current()].rows += format("| `{}` | {} | {} | {} | {} | {} |\n", key.name, type, shown, key.unit,
                                       key.range.text(), key.meaning);
  }

  std::vector<size_t> open_;
  std::vector<std::string> path_;
  bool optional_ = false;
};

/// Tables that hold the same keys are described once, under all their names.
std::vector<Section> merged(const std::vector<Section>& sections) {
  std::vector<Section> all;
  for (const Section& section : sections) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Section& earlier) {
      return earlier.rows == section.rows && earlier.introduction == section.introduction;
    });
    if (same == all.end())
      all.push_back(section);
    else
      same->title += " and " + section.title;
  }
  return all;
}

std::string sentence(std::string text) {
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

/// A cell of a table in Markdown.
std::string cell(std::string text) {
  for (size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string combinations() {
  std::string page =
      "\n## What does not go together\n\nAll else does; `pliant list --combinations` prints this table.\n\n"
      "| one | and the other | because |\n| --- | --- | --- |\n";
  for (const CombinationRow& row : combination_rows())
    page +=
        format("| {}{} | {} | {} |\n", cell(row.one), row.schemes.empty() ? "" : format(" ({})", row.schemes),
               cell(row.other), cell(row.message));
  return page;
}

}  // namespace

std::string scene_reference() {
  Reference reference;
  SceneKeys keys;
  describe(reference, keys);
  std::string page(kIntroduction);
  for (const Section& section : merged(reference.sections)) {
    page += format("\n## {}\n\n", section.title);
    if (!section.introduction.empty()) page += sentence(section.introduction) + "\n\n";
    page += "| key | type | default | unit | allowed | meaning |\n| --- | --- | --- | --- | --- | --- |\n";
    page += section.rows + section.choices;
  }
  return page + combinations();
}

}  // namespace pliant
