#include "pliant/mesh_file/ply_header.hpp"

#include "pliant/base/text.hpp"

namespace pliant {

namespace {

constexpr size_t kMostProperties = 1000;

struct PlyTypeName {
  std::string_view name;
  PlyType type;
};

constexpr PlyTypeName kPlyTypes[] = {
    {"char", PlyType::kInt8},      {"int8", PlyType::kInt8},     {"uchar", PlyType::kUint8},
    {"uint8", PlyType::kUint8},    {"short", PlyType::kInt16},   {"int16", PlyType::kInt16},
    {"ushort", PlyType::kUint16},  {"uint16", PlyType::kUint16}, {"int", PlyType::kInt32},
    {"int32", PlyType::kInt32},    {"uint", PlyType::kUint32},   {"uint32", PlyType::kUint32},
    {"float", PlyType::kFloat},    {"float32", PlyType::kFloat}, {"double", PlyType::kDouble},
    {"float64", PlyType::kDouble},
};

PlyType type_named(TextScanner& scanner, std::string_view name) {
  for (const PlyTypeName& known : kPlyTypes)
    if (known.name == name) return known.type;
  scanner.fail(
      format("{} is no type of a property; char, uchar, short, ushort, int, uint, float and double "
             "are, or int8 to float64",
             in_quotes(name)));
}

PlyEncoding read_encoding(TextScanner& scanner) {
  const std::string_view found = scanner.word("ascii or binary_little_endian");
  PlyEncoding encoding = PlyEncoding::kText;
  if (found == "binary_little_endian") {
    encoding = PlyEncoding::kLittleEndian;
  } else if (found == "binary_big_endian") {
    encoding = PlyEncoding::kBigEndian;
  } else if (found != "ascii") {
    scanner.fail(
        format("expected ascii, binary_little_endian or binary_big_endian, found {}", in_quotes(found)));
  }
  const std::string_view version = scanner.word("1.0");
  if (version != "1.0") scanner.fail(format("PLY version {} is not known; 1.0 is", in_quotes(version)));
  return encoding;
}

PlyElement read_element(TextScanner& scanner) {
  PlyElement element;
  element.name = scanner.word("the name of an element");
  element.count = scanner.integer("the number of rows");
  if (element.count < 0)
    scanner.fail(format("element {} has {} rows", in_quotes(element.name), element.count));
  return element;
}

PlyProperty read_property(TextScanner& scanner) {
  PlyProperty property;
  std::string_view type = scanner.word("the type of a property");
  if (type == "list") {
    property.is_list = true;
    property.count_type = type_named(scanner, scanner.word("the type of a list's length"));
    if (property.count_type == PlyType::kFloat || property.count_type == PlyType::kDouble)
      scanner.fail("the length of a list must be a whole number");
    type = scanner.word("the type of a list's numbers");
  }
  property.type = type_named(scanner, type);
  property.name = scanner.word("the name of a property");
  return property;
}

}  // namespace

int ply_size(PlyType type) {
  switch (type) {
    case PlyType::kInt8:
    case PlyType::kUint8:
      return 1;
    case PlyType::kInt16:
    case PlyType::kUint16:
      return 2;
    case PlyType::kDouble:
      return 8;
    default:
      return 4;
  }
}

Index PlyElement::least_bytes(PlyEncoding encoding) const {
  Index bytes = 0;
  for (const PlyProperty& property : properties) {
    bytes +=
        encoding == PlyEncoding::kText ? 2 : ply_size(property.is_list ? property.count_type : property.type);
  }
  return bytes;
}

PlyHeader read_ply_header(TextScanner& scanner) {
  scanner.begin_line("the word 'ply'");
  if (const std::string_view found = scanner.word("the word 'ply'"); found != "ply")
    scanner.fail(format("this is not a PLY file: it begins with {} instead of 'ply'", in_quotes(found)));
  scanner.end_line("'ply'");
  PlyHeader header;
  bool has_format = false;
  while (true) {
    scanner.begin_line("end_header");
    const std::string_view keyword = scanner.word("a line of the header");
    if (keyword == "end_header") break;
    if (keyword == "comment" || keyword == "obj_info") {
      if (!scanner.at_line_end()) scanner.line("a comment");
      continue;
    }
    if (keyword == "format") {
      header.encoding = read_encoding(scanner);
      has_format = true;
    } else if (keyword == "element") {
      header.elements.push_back(read_element(scanner));
    } else if (keyword == "property") {
      const PlyProperty property = read_property(scanner);
      if (header.elements.empty()) scanner.fail("a property must come after an element");
      header.elements.back().properties.push_back(property);
      if (header.elements.back().properties.size() > kMostProperties)
        scanner.fail(format("an element may have {} properties at most", kMostProperties));
    } else {
      scanner.fail(
          format("expected format, element, property, comment or end_header, found {}", in_quotes(keyword)));
    }
    scanner.end_line(format("a line of the header ({})", keyword));
  }
  if (!has_format) scanner.fail("the header does not say the format (a line 'format ascii 1.0' or the like)");
  return header;
}

}  // namespace pliant
