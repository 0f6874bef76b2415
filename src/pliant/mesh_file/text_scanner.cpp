#include "pliant/mesh_file/text_scanner.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "pliant/base/text.hpp"

namespace pliant {

namespace {

constexpr size_t kMostComplaints = 20;
constexpr std::int64_t kMostInt = std::numeric_limits<int>::max();

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }

std::string_view trimmed_end(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// from_chars takes no leading plus.
std::string_view without_plus(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  return word;
}

}  // namespace

std::string in_quotes(std::string_view word) {
  constexpr size_t kLongest = 40;
  std::string text = "'";
  for (const char c : word.substr(0, kLongest)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (word.size() > kLongest ? "...'" : "'");
}

TextScanner::TextScanner(std::string file, std::string_view text, char comment)
    : file_(std::move(file)), text_(trimmed_end(text)), comment_(comment) {}

void TextScanner::begin_at(std::int64_t line, std::int64_t column) {
  line_ = line;
  line_start_ = size_t{1} - static_cast<size_t>(column);  // before the text; differences still come out right
  mark();
}

Index TextScanner::remaining() const { return static_cast<Index>(text_.size() - position_); }

int TextScanner::line_number() const { return static_cast<int>(std::min(mark_line_, kMostInt)); }

void TextScanner::skip_blanks(bool across_lines) {
  while (position_ < text_.size() && (is_blank(text_[position_]) || at_comment())) {
    if (at_comment()) {
      position_ = std::min(text_.find('\n', position_), text_.size());
      continue;
    }
    if (text_[position_] == '\n') {
      if (!across_lines) return;
      ++line_;
      line_start_ = position_ + 1;
    }
    ++position_;
  }
}

bool TextScanner::at_end() {
  skip_blanks(true);
  mark();
  return position_ == text_.size();
}

void TextScanner::begin_line(std::string_view wanted) {
  if (at_end()) fail(format("the file ends where {} should be; is it cut off?", wanted));
}

std::string_view TextScanner::word(std::string_view wanted) {
  skip_blanks(false);
  mark();
  const size_t start = position_;
  while (position_ < text_.size() && !is_blank(text_[position_]) && !at_comment()) ++position_;
  if (position_ == start) {
    fail(format("the {} ends where {} should be", start == text_.size() ? "file" : "line", wanted));
  }
  return text_.substr(start, position_ - start);
}

std::int64_t TextScanner::integer(std::string_view wanted) {
  const std::string_view found = word(wanted), digits = without_plus(found);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    fail(format("expected {} (an integer), found {}", wanted, in_quotes(found)));
  }
  return value;
}

double TextScanner::number(std::string_view wanted) {
  const std::string_view found = word(wanted), digits = without_plus(found);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    fail(format("{}: {} is beyond the range of double precision", wanted, in_quotes(found)));
  }
  if (error != std::errc() || end != digits.data() + digits.size()) {
    fail(format("expected {} (a number), found {}", wanted, in_quotes(found)));
  }
  return value;
}

bool TextScanner::at_line_end() {
  skip_blanks(false);
  return position_ == text_.size() || text_[position_] == '\n';
}

void TextScanner::end_line(std::string_view after) {
  const bool ended = at_line_end();
  mark();
  if (ended) return;
  fail(format("the line should end after {}, but {} follows", after, in_quotes(word("the rest"))));
}

std::string_view TextScanner::line(std::string_view wanted) {
  begin_line(wanted);
  const size_t start = position_;
  position_ = std::min(text_.find('\n', start), text_.size());
  return trimmed_end(text_.substr(start, position_ - start));
}

Index TextScanner::count(std::string_view things, Index bytes_each) {
  return count(word(format("the number of {}", things)), things, bytes_each);
}

Index TextScanner::count(std::string_view digits, std::string_view things, Index bytes_each) {
  Index value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool is_integer = end == digits.data() + digits.size() && !digits.empty();
  if (!is_integer || (error != std::errc() && error != std::errc::result_out_of_range)) {
    fail(format("expected the number of {}, found {}", things, in_quotes(digits)));
  }
  const bool too_large = error != std::errc() ? digits[0] != '-' : value > remaining() / bytes_each;
  if (too_large || value > kMostInt) {
    fail(format("{} {} cannot be in the {} bytes that follow; is the count wrong or the file cut off?",
                in_quotes(digits), things, remaining()));
  }
  if (error != std::errc() || value < 0) {
    fail(format("the number of {} is {}; it cannot be negative", things, in_quotes(digits)));
  }
  return value;
}

void TextScanner::complain(std::string message) {
  const std::int64_t column = static_cast<std::int64_t>(mark_ - mark_line_start_) + 1;
  add({file_, line_number(), static_cast<int>(std::min(column, kMostInt)), std::move(message)});
}

void TextScanner::complain(std::string message, int line) { add({file_, line, 0, std::move(message)}); }

void TextScanner::add(Complaint complaint) {
  complaints_.push_back(std::move(complaint));
  if (complaints_.size() == kMostComplaints) finish();
}

void TextScanner::fail(std::string message) {
  complain(std::move(message));
  throw InputError(complaints_);
}

void TextScanner::finish() const {
  if (!complaints_.empty()) throw InputError(complaints_);
}

}  // namespace pliant
