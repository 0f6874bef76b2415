#pragma once

#include <vector>

#include "pliant/base/visitor.hpp"
#include "pliant/scene/value.hpp"

namespace pliant {

/// Fills described options from a parsed file and collects every complaint: unknown keys with the nearest
/// known name, missing keys, wrong types, numbers that are not finite or out of range, broken rules.
///
///     Reader reader(parse_toml(text, file));
///     reader.read(keys);
///     if (!reader.complaints().empty()) throw InputError(reader.complaints());
class Reader : public Visitor {
 public:
  /// `file` must outlive the reader.
  explicit Reader(const Value& file) : file_(file) {}

  template <class T>
  void read(T& options) {
    enter(&file_);
    describe(*this, options);
    end_table();
  }
  const std::vector<Complaint>& complaints() const { return complaints_; }

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
  void origin(std::string_view key, Origin& where) override;

 protected:
  bool present(const Key& key, bool has) override;
  void begin_table(const Key& key) override;
  void moved(std::string_view key, std::string_view now) override;
  void end_table() override;
  size_t begin_list(const Key& key, size_t has) override;
  void begin_item(size_t position) override;
  void end_item() override;
  void end_list() override;

 private:
  struct Frame {
    const Value* table = nullptr;  ///< null where it is absent or something else
    Origin origin;
    std::vector<std::string_view> known;
    std::vector<std::pair<std::string_view, std::string_view>> moved;  ///< keys and the tables they moved to
    std::vector<std::string_view> complained;                          ///< keys that need no second complaint
  };

  void enter(const Value* table);
  const Value* find(const Key& key);
  void complain(const Key& key, const Value& at, const std::string& message);
  void wrong_type(const Key& key, const Value& found, std::string_view wanted);
  bool read_number(const Key& key, const Value& from, double& number);
  bool read_integer(const Key& key, const Value& from, std::int64_t& number);
  /// The items of a list of numbers, `count` of them unless it is 0; null after a complaint.
  const std::vector<Value>* read_list(const Key& key, const Value& from, size_t count);
  bool in_range(const Key& key, const Value& from, double number);

  const Value& file_;
  std::vector<Frame> frames_;
  std::vector<const Value*> lists_;
  std::vector<Complaint> complaints_;
};

}  // namespace pliant
