#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pliant/mesh_file/text_scanner.hpp"

namespace pliant {

enum class PlyEncoding { kText, kLittleEndian, kBigEndian };
enum class PlyType { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat, kDouble };

/// Bytes of a number in a binary file.
int ply_size(PlyType type);

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::kFloat;
  bool is_list = false;
  PlyType count_type = PlyType::kUint8;  ///< of a list
};

/// A table of the file. `count` is what the header states: nobody has checked that so many rows follow.
struct PlyElement {
  std::string name;
  Index count = 0;
  std::vector<PlyProperty> properties;

  /// Of a row, where all its lists are empty; in text a number takes two bytes.
  Index least_bytes(PlyEncoding encoding) const;
};

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::kText;
  std::vector<PlyElement> elements;
};

/// Reads up to and including the word end_header.
PlyHeader read_ply_header(TextScanner& scanner);

}  // namespace pliant
