#include "pliant/mesh_file/gmsh_input.hpp"

#include <bit>
#include <charconv>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/byte_scanner.hpp"
#include "pliant/mesh_file/text_scanner.hpp"

namespace pliant {

namespace {

class GmshTextInput : public GmshInput {
 public:
  GmshTextInput(std::string_view bytes, const std::string& name) : scanner_(name, bytes) {}

  bool at_end() override { return scanner_.at_end(); }
  std::string_view line(std::string_view wanted) override { return scanner_.line(wanted); }
  Index count_line(std::string_view things, LeastBytes each) override {
    return scanner_.count(scanner_.line(format("the number of {}", things)), things, each.text);
  }
  void skip_past(std::string_view end, std::string_view wanted) override {
    while (scanner_.line(wanted) != end) continue;
  }
  void begin_record(std::string_view wanted) override { scanner_.begin_line(wanted); }
  void end_record(std::string_view after) override { scanner_.end_line(after); }
  std::int64_t integer(std::string_view wanted) override { return scanner_.integer(wanted); }
  std::int64_t size(std::string_view wanted) override { return scanner_.integer(wanted); }
  double number(std::string_view wanted) override { return scanner_.number(wanted); }
  Index count(std::string_view things, LeastBytes each) override { return scanner_.count(things, each.text); }
  Index checked_count(std::int64_t value, std::string_view things, LeastBytes each) override {
    return scanner_.count(format("{}", value), things, each.text);
  }
  std::int64_t place() const override { return scanner_.line_number(); }
  std::string place_text(std::int64_t place) const override { return format("on line {}", place); }
  void complain(std::string message) override { scanner_.complain(std::move(message)); }
  void complain_at(std::int64_t place, std::string message) override {
    scanner_.complain(std::move(message), static_cast<int>(place));
  }
  [[noreturn]] void fail(std::string message) override { scanner_.fail(std::move(message)); }
  void finish() override { scanner_.finish(); }

 private:
  TextScanner scanner_;
};

class GmshBinaryInput : public GmshInput {
 public:
  GmshBinaryInput(std::string_view bytes, size_t start, std::endian order, const std::string& name)
      : bytes_(bytes), name_(name), scanner_(name, bytes, order) {
    scanner_.seek(start, "the mesh");
  }

  bool at_end() override {
    skip_blanks();
    return scanner_.at_end();
  }
  std::string_view line(std::string_view wanted) override;
  Index count_line(std::string_view things, LeastBytes each) override {
    return checked_count(integer_line(format("the number of {}", things)), things, each);
  }
  void skip_past(std::string_view end, std::string_view wanted) override;
  void begin_record(std::string_view) override {}
  void end_record(std::string_view) override {}
  std::int64_t integer(std::string_view wanted) override { return read_integer<std::int32_t>(wanted); }
  std::int64_t size(std::string_view wanted) override { return read_integer<std::int64_t>(wanted); }
  double number(std::string_view wanted) override { return scanner_.read<double>(wanted); }
  Index count(std::string_view things, LeastBytes each) override {
    return checked_count(size(format("the number of {}", things)), things, each);
  }
  Index checked_count(std::int64_t value, std::string_view things, LeastBytes each) override {
    if (value < 0) fail(format("the number of {} is '{}'; it cannot be negative", things, value));
    return scanner_.count(static_cast<std::uint64_t>(value), things, each.binary);
  }
  std::int64_t place() const override { return place_; }
  std::string place_text(std::int64_t place) const override { return format("at byte {}", place); }
  void complain(std::string message) override { fail(std::move(message)); }
  void complain_at(std::int64_t place, std::string message) override {
    throw InputError(Complaint{name_, 0, 0, format("byte {}: {}", place, message)});
  }
  [[noreturn]] void fail(std::string message) override { scanner_.fail(message); }
  void finish() override {}

 private:
  template <class T>
  std::int64_t read_integer(std::string_view wanted) {
    place_ = scanner_.position();
    return scanner_.read<T>(wanted);
  }
  void skip_blanks() {
    const size_t at = static_cast<size_t>(scanner_.position());
    scanner_.seek(std::min(bytes_.find_first_not_of(" \t\r\n", at), bytes_.size()), "a line");
  }

  std::string_view bytes_;
  std::string name_;
  ByteScanner scanner_;
  Index place_ = 0;
};

std::string_view GmshBinaryInput::line(std::string_view wanted) {
  if (at_end()) fail(format("the file ends where {} should be; is it cut off?", wanted));
  const size_t at = static_cast<size_t>(scanner_.position());
  const size_t end = bytes_.find('\n', at);
  // With the line break and no further: what follows it may be numbers.
  const std::string_view found = scanner_.take(std::min(end, bytes_.size() - 1) + 1 - at, wanted);
  return found.substr(0, found.find_last_not_of(" \t\r\n") + 1);
}

void GmshBinaryInput::skip_past(std::string_view end, std::string_view wanted) {
  size_t at = static_cast<size_t>(scanner_.position());
  while (true) {
    at = bytes_.find(end, at);
    if (at == std::string_view::npos) {
      scanner_.seek(bytes_.size(), wanted);
      fail(format("the file ends where {} should be; is it cut off?", wanted));
    }
    at += end.size();
    const bool whole = at == bytes_.size() || bytes_[at] == '\n' || bytes_[at] == '\r' || bytes_[at] == ' ';
    if (whole) break;
  }
  scanner_.seek(at, wanted);
}

}  // namespace

std::int64_t GmshInput::integer_line(std::string_view wanted) {
  const std::string_view found = line(wanted);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
  if (error != std::errc() || end != found.data() + found.size())
    fail(format("expected {} (an integer), found {}", wanted, in_quotes(found)));
  return value;
}

std::unique_ptr<GmshInput> gmsh_text_input(std::string_view bytes, const std::string& name) {
  return std::make_unique<GmshTextInput>(bytes, name);
}

std::unique_ptr<GmshInput> gmsh_binary_input(std::string_view bytes, size_t start, const std::string& name) {
  ByteScanner scanner(name, bytes, std::endian::little);
  const size_t after = std::min(bytes.find('\n', start), bytes.size() - 1) + 1;
  scanner.seek(after, "the number 1");
  const auto one = scanner.read<std::uint32_t>("the number 1");
  if (one != 1 && one != 0x01000000)
    scanner.fail(format("expected the number 1 as 4 bytes, found {} in either byte order", one));
  const std::endian order = one == 1 ? std::endian::little : std::endian::big;
  return std::make_unique<GmshBinaryInput>(bytes, after + 4, order, name);
}

}  // namespace pliant
