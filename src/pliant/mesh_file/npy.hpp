#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// A table of single-precision numbers, row after row.
struct NpyArray {
  std::vector<float> values;
  Index rows = 0, columns = 0;
};

/// A NumPy .npy file (format 1.0, '<f4', C order) as bytes. The number of values must be rows times columns.
std::string npy_bytes(std::span<const float> values, Index rows, Index columns);

/// Reads such a file; throws InputError where it is another kind of array, or its shape does not fit its
/// size.
NpyArray read_npy(const std::filesystem::path& path);
/// The same for bytes in memory; `name` stands for the file in complaints.
NpyArray parse_npy(std::string_view bytes, const std::string& name);

}  // namespace pliant
