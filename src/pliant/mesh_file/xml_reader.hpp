#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// A place in a file; both count from 1.
struct TextPlace {
  std::int64_t line = 1, column = 1;
};

/// Walks over the elements of an XML text in memory, as many as data files need: tags, attributes, text,
/// comments; the text may be laid out in any way. It is in one element at a time, at first in the document
/// itself:
///
///     while (xml.child())                        // into the next element inside the present one
///       if (xml.name() == "Piece") read(xml);    // which goes on with child(), skip() or content(), to its
///       end else xml.skip();
///
/// What is not well-formed is an InputError with file, line and column. The text must outlive the reader.
class XmlReader {
 public:
  XmlReader(std::string file, std::string_view text);

  /// Goes into the next element inside the present one; false at the end of the present one, which it leaves.
  bool child();
  /// Leaves the present element.
  void skip();
  /// The first text that is not blank right inside the present element, as it stands, and where it begins;
  /// leaves the element.
  std::pair<std::string_view, TextPlace> content();
  /// All bytes up to the last closing tag of the present element's name in the file, whatever they are;
  /// leaves the element. For data that is no XML.
  std::string_view raw_content();

  std::string_view name() const { return name_; }
  TextPlace place() const { return place_; }  ///< of the tag that was read last
  /// The value of an attribute of the element that child() has just gone into.
  std::optional<std::string> attribute(std::string_view name) const;

  [[noreturn]] void fail(std::string message) const { fail_at(place_, std::move(message)); }
  [[noreturn]] void fail_at(TextPlace place, std::string message) const;

 private:
  enum class Event { kOpen, kClose, kText, kEnd };
  Event next();
  void read_open_tag();
  void read_close_tag();
  void skip_blanks();
  std::string_view read_name();
  void skip_past(std::string_view end, std::string_view what);
  void advance(size_t position);
  TextPlace here() const;

  std::string file_;
  std::string_view text_;
  size_t position_ = 0, line_start_ = 0;
  std::int64_t line_ = 1;
  std::vector<std::string_view> open_;  // the elements that we are in
  bool closed_by_itself_ = false;       // <a/>: its end is still to be told
  std::string_view name_, found_text_;
  TextPlace place_;
  std::vector<std::pair<std::string_view, std::string_view>> attributes_;
};

/// The text with what XML reserves (&, <, >, ") written as entities.
std::string xml_escaped(std::string_view text);

}  // namespace pliant
