#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace pliant {

/// Writes the whole file or nothing: to a temporary name beside `path`, then renamed over it. With `durable`,
/// the file and its folder are synced to the disk before returning. Every failure removes the temporary file
/// and throws IoError.
void write_file_atomically(const std::filesystem::path& path, std::string_view contents,
                           bool durable = false);

/// The whole file. Throws InputError if it cannot be opened or read.
std::string read_file(const std::filesystem::path& path);

}  // namespace pliant
