#pragma once

#include <string>
#include <vector>

#include "pliant/base/visitor.hpp"

namespace pliant {

/// A key and what it is set to: the same text only for the same bits. Keys of tables have dots.
struct Setting {
  std::string key, value;

  bool operator==(const Setting&) const = default;
};

/// What options are set to, and what is wrong with them, where no file was read: the keys that are given are
/// listed, numbers out of their ranges and broken rules are complained of.
class Survey final : public Visitor {
 public:
  std::vector<Setting> settings;
  std::vector<std::string> complaints;

  using Visitor::value;
  void value(const Key& key, bool& field) override;
  void value(const Key& key, double& field) override;
  void value(const Key& key, std::int64_t& field) override;
  void value(const Key& key, std::string& field) override;
  void value(const Key& key, Vec3& field) override;
  void value(const Key& key, std::vector<int>& field) override;
  void value(const Key& key, std::vector<double>& field) override;
  void value(const Key& key, std::array<int, 3>& field) override;
  void rule(bool holds, std::string_view key, const std::string& message) override;

 protected:
  bool present(const Key&, bool has) override { return has; }
  void begin_table(const Key& key) override { path_.emplace_back(key.name); }
  void end_table() override { path_.pop_back(); }
  size_t begin_list(const Key& key, size_t has) override;
  void begin_item(size_t position) override;
  void end_item() override { path_.pop_back(); }
  void end_list() override { path_.pop_back(); }

 private:
  template <class List>
  void list(const Key& key, const List& numbers);
  void put(std::string_view name, std::string value);
  void check(const Key& key, double number);

  std::vector<std::string> path_;
};

}  // namespace pliant
