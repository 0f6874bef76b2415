#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// What the viewer's page is sent: named arrays behind a JSON text that says where each of them is. Little
/// endian:
///
///     u32 magic, "PLNT"
///     u32 n, the bytes of JSON
///     JSON, blanks at its end so that 8 + n is a multiple of 8
///     the arrays, each at a multiple of 8 from 8 + n
///
/// The JSON is an object with `arrays: [{name, type, offset, count}]` beside what its sender adds. A type is
/// f32, f64, u32, u16 or u8, an offset counts bytes from 8 + n, a count counts numbers.
class ContainerWriter {
 public:
  /// The numbers must live until the container is made.
  void add(std::string name, std::span<const float> numbers) { add(std::move(name), "f32", numbers); }
  void add(std::string name, std::span<const double> numbers) { add(std::move(name), "f64", numbers); }
  void add(std::string name, std::span<const std::uint32_t> numbers) { add(std::move(name), "u32", numbers); }
  void add(std::string name, std::span<const std::uint16_t> numbers) { add(std::move(name), "u16", numbers); }
  void add(std::string name, std::span<const std::uint8_t> numbers) { add(std::move(name), "u8", numbers); }
  void add(std::string name, std::string_view bytes) {
    add(std::move(name), "u8", std::span<const char>(bytes));
  }

  /// `members` is the text of a JSON object; what it holds comes before the arrays.
  std::string finish(const std::string& members = "{}") const;

 private:
  struct Array {
    std::string name;
    const char* type;
    size_t count;
    std::string_view bytes;
  };

  template <class T>
  void add(std::string name, const char* type, std::span<const T> numbers) {
    arrays_.push_back({std::move(name),
                       type,
                       numbers.size(),
                       {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()}});
  }

  std::vector<Array> arrays_;
};

/// Reads one; throws InputError, with `name` as the file, where anything lies outside of the bytes, which
/// must outlive it.
class ContainerReader {
 public:
  ContainerReader(std::string_view bytes, std::string name);

  /// The whole JSON text.
  const std::string& members() const { return members_; }

  bool has(std::string_view array) const;
  /// Throws InputError where there is no such array or it has another type.
  std::vector<float> f32(std::string_view array) const;
  std::vector<double> f64(std::string_view array) const;
  std::vector<std::uint32_t> u32(std::string_view array) const;
  std::vector<std::uint16_t> u16(std::string_view array) const;
  std::string_view u8(std::string_view array) const;

 private:
  struct Array {
    std::string name, type;
    std::string_view bytes;
  };

  [[noreturn]] void fail(const std::string& message) const;
  std::string_view bytes_of(std::string_view array, std::string_view type) const;
  template <class T>
  std::vector<T> numbers(std::string_view array, std::string_view type) const;

  std::string name_;
  std::string members_;
  std::vector<Array> arrays_;
};

}  // namespace pliant
