#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pliant/base/types.hpp"

namespace pliant {

/// The least number of bytes that a thing takes in a file, so that counts can be checked against its size.
struct LeastBytes {
  Index text, binary;
};

/// A Gmsh file in one of its two encodings: lines of text, and between some of them records of numbers. In an
/// ASCII file a record is a line; in a binary one its numbers follow each other as bytes. What is wanted or
/// counted is said in words, for complaints, which carry the line or the byte.
class GmshInput {
 public:
  virtual ~GmshInput() = default;

  virtual bool at_end() = 0;
  /// The next line of text that is not blank, without blanks around it.
  virtual std::string_view line(std::string_view wanted) = 0;
  std::int64_t integer_line(std::string_view wanted);
  /// A count on a line of its own.
  virtual Index count_line(std::string_view things, LeastBytes each) = 0;
  /// Goes behind the line `end`; `wanted` says so in words.
  virtual void skip_past(std::string_view end, std::string_view wanted) = 0;

  virtual void begin_record(std::string_view wanted) = 0;
  virtual void end_record(std::string_view after) = 0;
  virtual std::int64_t integer(std::string_view wanted) = 0;  ///< of 4 bytes
  virtual std::int64_t size(std::string_view wanted) = 0;     ///< of 8 bytes
  virtual double number(std::string_view wanted) = 0;         ///< may be infinite or NaN
  /// A `size` of things that follow: one that the file cannot hold is refused.
  virtual Index count(std::string_view things, LeastBytes each) = 0;
  /// The same for a count that was read already.
  virtual Index checked_count(std::int64_t value, std::string_view things, LeastBytes each) = 0;

  virtual std::int64_t place() const = 0;  ///< the line or byte of the integer read last
  virtual std::string place_text(std::int64_t place) const = 0;
  virtual void complain(std::string message) = 0;  ///< may return, where reading can go on
  virtual void complain_at(std::int64_t place, std::string message) = 0;
  [[noreturn]] virtual void fail(std::string message) = 0;
  virtual void finish() = 0;  ///< throws if there were complaints
};

std::unique_ptr<GmshInput> gmsh_text_input(std::string_view bytes, const std::string& name);
/// `start` is where the line of the version ends; the number 1 that tells the byte order follows it.
std::unique_ptr<GmshInput> gmsh_binary_input(std::string_view bytes, size_t start, const std::string& name);

}  // namespace pliant
