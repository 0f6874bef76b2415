#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "pliant/mesh/mesh_contents.hpp"

namespace pliant {

/// How the numbers of a .vtu file are written: as text; as bytes at the end of the file; as bytes that are
/// compressed with zlib.
enum class VtuEncoding { kAscii, kBinary, kCompressed };

/// VTK's XML format for unstructured grids; opens in ParaView. Reading it back gives the same bits.
void write_vtu(const std::filesystem::path& path, const MeshContents& mesh,
               VtuEncoding encoding = VtuEncoding::kAscii);
std::string vtu_text(const MeshContents& mesh, VtuEncoding encoding = VtuEncoding::kAscii);

/// Reads the tetrahedra, triangles and point data of one or three components of any .vtu file: text, base64
/// or raw bytes, inline or appended, of either byte order, compressed with zlib or not. Its pieces are put
/// one after the other, with the point data that all of them have. Vertices, lines and cell data are skipped,
/// other cells refused. Throws InputError with file and line. Memory is bounded, see VtuDecoder.
MeshContents parse_vtu(std::string_view bytes, const std::string& name);
/// The same of a file whose arrays may unpack to `most` bytes.
MeshContents parse_vtu(std::string_view bytes, const std::string& name, std::uint64_t most);

/// A ParaView collection: which file to show at which time. File names are relative to the collection. Files
/// of the same time, one after the other, are its parts.
void write_pvd(const std::filesystem::path& path, std::span<const std::pair<double, std::string>> files);

}  // namespace pliant
