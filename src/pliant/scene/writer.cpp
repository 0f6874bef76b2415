#include "pliant/scene/writer.hpp"

#include "pliant/base/text.hpp"
#include "pliant/scene/value.hpp"

namespace pliant {

namespace {

template <class List, class Show>
std::string bracketed(const List& list, Show show) {
  std::string all = "[";
  for (const auto& item : list) all += (all.size() > 1 ? ", " : "") + show(item);
  return all + "]";
}

/// Sections become [headers], other tables are written on one line in braces.
class Writer : public Visitor {
 public:
  std::string text;

  using Visitor::value;
  void value(const Key& key, bool& field) override { put(key, field ? "true" : "false"); }
  void value(const Key& key, double& field) override { put(key, toml_number(field)); }
  void value(const Key& key, std::int64_t& field) override { put(key, format("{}", field)); }
  void value(const Key& key, std::string& field) override { put(key, toml_text(field)); }
  void value(const Key& key, Vec3& field) override { put(key, bracketed(field, toml_number)); }
  void value(const Key& key, std::vector<int>& field) override { put(key, bracketed(field, integer)); }
  void value(const Key& key, std::vector<double>& field) override { put(key, bracketed(field, toml_number)); }
  void value(const Key& key, std::array<int, 3>& field) override { put(key, bracketed(field, integer)); }

 protected:
  bool present(const Key&, bool has) override { return has; }

  void begin_table(const Key& key) override {
    if (key.section) {
      path_.push_back(std::string(key.name));
      text += format("\n[{}]\n", header());
    } else {
      open(format("{} = {{ ", key.name));
    }
    tables_.push_back(key.section);
  }

  void end_table() override {
    if (tables_.back())
      path_.pop_back();
    else
      close(" }");
    tables_.pop_back();
  }

  size_t begin_list(const Key& key, size_t has) override {
    tables_.push_back(key.section);
    if (key.section)
      path_.push_back(std::string(key.name));
    else
      open(format("{} = [", key.name));
    return has;
  }

  void begin_item(size_t) override {
    if (tables_.back())
      text += format("\n[[{}]]\n", header());
    else
      open("{ ");
  }

  void end_item() override {
    if (!tables_.back()) close(" }");
  }

  void end_list() override {
    if (tables_.back())
      path_.pop_back();
    else
      close("]");
    tables_.pop_back();
  }

 private:
  static std::string integer(int number) { return format("{}", number); }

  std::string header() const {
    std::string all;
    for (const std::string& name : path_) all += (all.empty() ? "" : ".") + name;
    return all;
  }

  void put(const Key& key, const std::string& shown) {
    separate();
    text += format("{} = {}", key.name, shown);
    if (depth_ == 0) text += (key.unit.empty() ? "" : format("  # {}", key.unit)) + "\n";
  }

  void open(const std::string& bracket) {
    separate();
    text += bracket;
    ++depth_;
    first_ = true;
  }

  void close(const std::string& bracket) {
    text += bracket;
    first_ = false;
    if (--depth_ == 0) text += "\n";
  }

  /// A comma between the items of what is written on one line.
  void separate() {
    if (depth_ > 0 && !first_) text += ", ";
    first_ = false;
  }

  std::vector<std::string> path_;
  std::vector<bool> tables_;  ///< of each open table or list, whether it is a section
  int depth_ = 0;             ///< of brackets
  bool first_ = true;
};

}  // namespace

std::string to_toml(SceneKeys keys) {
  Writer writer;
  describe(writer, keys);
  return writer.text;
}

}  // namespace pliant
