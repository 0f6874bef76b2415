#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/base/types.hpp"

namespace pliant {

/// Reads a text of lines and words held in memory and knows where it is, so that every complaint names file,
/// line and column. Blank lines are skipped, and so are comments where the format has them. A mistake that
/// leaves the reader in step with the text is collected with `complain`; one that does not ends the reading
/// with `fail`, which throws InputError with all complaints so far. The text must outlive the scanner.
class TextScanner {
 public:
  /// `comment` begins a comment that goes on to the end of its line; 0 for a format without.
  TextScanner(std::string file, std::string_view text, char comment = 0);
  /// For a text from the middle of a file: where in the file its first character is. Call it first.
  void begin_at(std::int64_t line, std::int64_t column);

  bool at_end();            ///< nothing but blanks is left
  Index remaining() const;  ///< bytes

  /// Goes to the first word of the next line that has one; `wanted` says what should be there, should the
  /// text end.
  void begin_line(std::string_view wanted);
  /// The next word, which must be on the same line.
  std::string_view word(std::string_view wanted);
  std::int64_t integer(std::string_view wanted);
  double number(std::string_view wanted);  ///< may be infinite or NaN
  bool at_line_end();                      ///< no word is left on the line
  /// The line must end here.
  void end_line(std::string_view after);
  /// The whole next line that is not blank, without blanks around it.
  std::string_view line(std::string_view wanted);

  /// A number of things that follow, each at least `bytes_each` long: one that the text cannot hold is
  /// refused before anybody reserves memory for it.
  Index count(std::string_view things, Index bytes_each);
  Index count(std::string_view digits, std::string_view things, Index bytes_each);

  int line_number() const;
  void complain(std::string message);
  void complain(std::string message, int line);
  [[noreturn]] void fail(std::string message);
  /// Throws if there were complaints.
  void finish() const;

 private:
  void add(Complaint complaint);
  void skip_blanks(bool across_lines);
  bool at_comment() const { return comment_ != 0 && text_[position_] == comment_; }
  void mark() { mark_ = position_, mark_line_ = line_, mark_line_start_ = line_start_; }

  std::string file_;
  std::string_view text_;
  char comment_;
  size_t position_ = 0, line_start_ = 0, mark_ = 0, mark_line_start_ = 0;  // mark: where a complaint points
  std::int64_t line_ = 1, mark_line_ = 1;
  std::vector<Complaint> complaints_;
};

/// The word in quotes, shortened and with bytes that do not print replaced, for use in messages.
std::string in_quotes(std::string_view word);

}  // namespace pliant
