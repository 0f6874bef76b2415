#include "pliant/mesh_file/xml_reader.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh_file/text_scanner.hpp"

namespace pliant {

namespace {

constexpr std::string_view kXmlBlanks = " \t\r\n";
constexpr std::pair<std::string_view, char> kEntities[] = {
    {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};

/// The character of `&#65;` or `&#x41;` at the front of a text, and how long that is; 0 where it is none.
std::pair<char, size_t> numeric_entity(std::string_view text) {
  const size_t end = text.find(';');
  if (!text.starts_with("&#") || end == std::string_view::npos) return {0, 0};
  const bool hexadecimal = text[2] == 'x';
  unsigned value = 0;
  const char *first = text.data() + (hexadecimal ? 3 : 2), *last = text.data() + end;
  const auto [stop, error] = std::from_chars(first, last, value, hexadecimal ? 16 : 10);
  const bool known = error == std::errc() && stop == last && value > 0 && value < 128;
  return known ? std::pair{static_cast<char>(value), end + 1} : std::pair{char{0}, size_t{0}};
}

/// Entities that are not known stay as they are.
std::string xml_unescaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto known =
        std::ranges::find_if(kEntities, [&](const auto& entity) { return text.starts_with(entity.first); });
    const auto [character, length] = numeric_entity(text.substr(0, 10));
    if (known != std::end(kEntities)) {
      result += known->second;
      text.remove_prefix(known->first.size());
    } else {
      result += length > 0 ? character : text[0];
      text.remove_prefix(std::max<size_t>(length, 1));
    }
  }
  return result;
}

bool is_blank_text(std::string_view text) {
  return text.find_first_not_of(kXmlBlanks) == std::string_view::npos;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto reserved = std::ranges::find(kEntities, c, [](const auto& entity) { return entity.second; });
    if (reserved == std::end(kEntities) || c == '\'')
      result += c;
    else
      result += reserved->first;
  }
  return result;
}

XmlReader::XmlReader(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text_.starts_with(kByteOrderMark)) position_ = line_start_ = kByteOrderMark.size();
}

bool XmlReader::child() {
  while (true) {
    switch (next()) {
      case Event::kOpen:
        return true;
      case Event::kText:
        if (open_.empty() && !is_blank_text(found_text_))
          fail(format("expected a tag, found {}",
                      in_quotes(found_text_.substr(found_text_.find_first_not_of(kXmlBlanks)))));
        break;
      default:
        return false;
    }
  }
}

void XmlReader::skip() {
  const size_t depth = open_.size();
  while (open_.size() >= depth) next();
}

std::pair<std::string_view, TextPlace> XmlReader::content() {
  const size_t depth = open_.size();
  std::pair<std::string_view, TextPlace> result{{}, here()};
  while (open_.size() >= depth) {
    const TextPlace start = here();
    const bool is_text = next() == Event::kText && open_.size() == depth;
    if (is_text && result.first.empty() && !is_blank_text(found_text_)) result = {found_text_, start};
  }
  return result;
}

std::string_view XmlReader::raw_content() {
  if (closed_by_itself_) {
    skip();
    return {};
  }
  const size_t start = position_, end = text_.rfind(format("</{}", open_.back()));
  if (end == std::string_view::npos || end < start)
    fail(format("<{}> is not closed; is the file cut off?", open_.back()));
  advance(end);
  skip();
  return text_.substr(start, end - start);
}

std::optional<std::string> XmlReader::attribute(std::string_view name) const {
  const auto found = std::ranges::find(attributes_, name, [](const auto& entry) { return entry.first; });
  return found == attributes_.end() ? std::nullopt : std::optional(xml_unescaped(found->second));
}

void XmlReader::fail_at(TextPlace place, std::string message) const {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  throw InputError(Complaint{file_, static_cast<int>(std::min(place.line, kMost)),
                             static_cast<int>(std::min(place.column, kMost)), std::move(message)});
}

XmlReader::Event XmlReader::next() {
  if (closed_by_itself_) {
    closed_by_itself_ = false;
    open_.pop_back();
    return Event::kClose;
  }
  while (position_ < text_.size()) {
    place_ = here();
    const std::string_view rest = text_.substr(position_);
    if (rest[0] != '<') {
      found_text_ = rest.substr(0, rest.find('<'));
      advance(position_ + found_text_.size());
      return Event::kText;
    }
    if (rest.starts_with("<!--")) {
      skip_past("-->", "a comment");
    } else if (rest.starts_with("<?")) {
      skip_past("?>", "an instruction");
    } else if (rest.starts_with("<!")) {
      skip_past(">", "a declaration");
    } else if (rest.starts_with("</")) {
      read_close_tag();
      return Event::kClose;
    } else {
      read_open_tag();
      return Event::kOpen;
    }
  }
  if (!open_.empty()) fail(format("the file ends inside <{}>; is it cut off?", open_.back()));
  return Event::kEnd;
}

void XmlReader::read_open_tag() {
  attributes_.clear();
  advance(position_ + 1);
  name_ = read_name();
  while (true) {
    skip_blanks();
    if (position_ >= text_.size()) fail(format("the tag <{}> is not closed; is the file cut off?", name_));
    if (text_[position_] == '>') break;
    if (text_.substr(position_, 2) == "/>") {
      closed_by_itself_ = true;
      advance(position_ + 1);
      break;
    }
    const std::string_view key = read_name();
    skip_blanks();
    if (position_ >= text_.size() || text_[position_] != '=')
      fail(format("attribute {} of <{}> has no value", key, name_));
    advance(position_ + 1);
    skip_blanks();
    const char quote = position_ < text_.size() ? text_[position_] : '\0';
    const size_t end =
        quote == '"' || quote == '\'' ? text_.find(quote, position_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos)
      fail(format("the value of attribute {} of <{}> is not in quotes; is the file cut off?", key, name_));
    attributes_.emplace_back(key, text_.substr(position_ + 1, end - position_ - 1));
    advance(end + 1);
  }
  advance(position_ + 1);
  open_.push_back(name_);
}

void XmlReader::read_close_tag() {
  advance(position_ + 2);
  const std::string_view found = read_name();
  skip_blanks();
  if (position_ >= text_.size() || text_[position_] != '>')
    fail(format("the tag </{}> is not closed; is the file cut off?", found));
  if (open_.empty() || open_.back() != found)
    fail(format("found </{}> where {} should be", found,
                open_.empty() ? "the end of the file" : format("</{}>", open_.back())));
  advance(position_ + 1);
  open_.pop_back();
}

void XmlReader::skip_blanks() {
  advance(std::min(text_.find_first_not_of(kXmlBlanks, position_), text_.size()));
}

std::string_view XmlReader::read_name() {
  const size_t end = std::min(text_.find_first_of(" \t\r\n=/><\"'", position_), text_.size());
  if (end == position_)
    fail(format("expected a name of a tag or attribute, found {}", in_quotes(text_.substr(position_, 20))));
  const std::string_view found = text_.substr(position_, end - position_);
  advance(end);
  return found;
}

void XmlReader::skip_past(std::string_view end, std::string_view what) {
  const size_t found = text_.find(end, position_);
  if (found == std::string_view::npos) fail(format("{} does not end; is the file cut off?", what));
  advance(found + end.size());
}

void XmlReader::advance(size_t position) {
  const std::string_view passed = text_.substr(position_, position - position_);
  line_ += std::ranges::count(passed, '\n');
  const size_t last = passed.rfind('\n');
  if (last != std::string_view::npos) line_start_ = position_ + last + 1;
  position_ = position;
}

TextPlace XmlReader::here() const { return {line_, static_cast<std::int64_t>(position_ - line_start_) + 1}; }

}  // namespace pliant
