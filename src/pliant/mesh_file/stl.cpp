#include "pliant/mesh_file/stl.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/merge.hpp"
#include "pliant/mesh_file/append_bytes.hpp"
#include "pliant/mesh_file/byte_scanner.hpp"
#include "pliant/mesh_file/text_scanner.hpp"

namespace pliant {

namespace {

constexpr size_t kStlHeader = 80;
constexpr size_t kStlTriangle = 50;  // a normal and three points of 12 bytes each, 2 bytes of attributes

bool same_word(std::string_view word, std::string_view lower_case) {
  return std::equal(word.begin(), word.end(), lower_case.begin(), lower_case.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b; });
}

/// STL text, word by word: where lines end matters only for the names of solids.
class StlText {
 public:
  StlText(std::string_view text, const std::string& name) : scanner_(name, text) {}

  MeshContents read() {
    while (!scanner_.at_end()) {
      const std::string_view found = next("solid");
      if (!same_word(found, "solid")) scanner_.fail(format("expected 'solid', found {}", in_quotes(found)));
      skip_line();
      read_solid();
    }
    scanner_.finish();
    return std::move(soup_);
  }

 private:
  std::string_view next(std::string_view wanted) {
    scanner_.begin_line(wanted);
    return scanner_.word(wanted);
  }

  void expect_word(std::string_view wanted) {
    const std::string_view found = next(wanted);
    if (!same_word(found, wanted)) scanner_.fail(format("expected '{}', found {}", wanted, in_quotes(found)));
  }

  void skip_line() {
    if (!scanner_.at_line_end()) scanner_.line("the name of the solid");
  }

  void read_solid() {
    while (true) {
      const std::string_view found = next("'facet' or 'endsolid'");
      if (same_word(found, "endsolid")) return skip_line();
      if (!same_word(found, "facet"))
        scanner_.fail(format("expected 'facet' or 'endsolid', found {}", in_quotes(found)));
      // The normal follows from the corners; some programs write "nan" for it.
      while (!same_word(next("outer loop"), "outer")) continue;
      expect_word("loop");
      const int first = static_cast<int>(soup_.vertices.size());
      if (first > std::numeric_limits<int>::max() - 3) scanner_.fail("there are too many triangles");
      for (int corner = 0; corner < 3; ++corner) read_point();
      expect_word("endloop");
      expect_word("endfacet");
      soup_.triangles.push_back({first, first + 1, first + 2});
    }
  }

  void read_point() {
    expect_word("vertex");
    Vec3& x = soup_.vertices.emplace_back();
    for (double& value : x) {
      scanner_.begin_line("a coordinate");
      value = scanner_.number("a coordinate");
      if (!std::isfinite(value)) scanner_.complain(format("a coordinate is {}; it must be finite", value));
    }
  }

  TextScanner scanner_;
  MeshContents soup_;
};

MeshContents read_binary_stl(std::string_view bytes, const std::string& name) {
  ByteScanner scanner(name, bytes, std::endian::little);
  scanner.skip(kStlHeader, "the header of a binary STL file");
  const std::uint32_t stated = scanner.read<std::uint32_t>("the number of triangles");
  const Index count = scanner.count(stated, "triangles", static_cast<Index>(kStlTriangle));
  if (scanner.remaining() != count * static_cast<Index>(kStlTriangle)) {
    scanner.fail(format("{} triangles take {} bytes, but {} follow; is this a binary STL file, and whole?",
                        stated, count * static_cast<Index>(kStlTriangle), scanner.remaining()));
  }
  if (count > std::numeric_limits<int>::max() / 3) scanner.fail("there are too many triangles");
  MeshContents soup;
  for (int t = 0; t < count; ++t) {
    scanner.skip(12, "a normal");
    for (int corner = 0; corner < 3; ++corner) {
      Vec3& x = soup.vertices.emplace_back();
      for (double& value : x) {
        value = static_cast<double>(scanner.read<float>("a coordinate"));
        if (!std::isfinite(value))
          scanner.fail(format("a coordinate of triangle {} is {}; it must be finite", t, value));
      }
    }
    scanner.skip(2, "the attributes of a triangle");
    soup.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return soup;
}

/// Some programs begin binary files with "solid": the size decides.
bool has_size_of_binary(std::string_view bytes, const std::string& name) {
  if (bytes.size() < kStlHeader + 4) return false;
  ByteScanner scanner(name, bytes, std::endian::little);
  scanner.skip(kStlHeader, "the header");
  return bytes.size() ==
         kStlHeader + 4 + kStlTriangle * std::uint64_t{scanner.read<std::uint32_t>("the count")};
}

/// Of a triangle without area 0, as the format asks for.
Vec3 stl_normal(const MeshContents& mesh, const std::array<int, 3>& t) {
  const Vec3 a = mesh.vertices[t[1]] - mesh.vertices[t[0]], b = mesh.vertices[t[2]] - mesh.vertices[t[0]];
  const Vec3 normal = a.stableNormalized().cross(b.stableNormalized()).stableNormalized();
  return normal.allFinite() ? normal : Vec3::Zero();
}

}  // namespace

MeshContents parse_stl(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) throw InputError(Complaint{name, 0, 0, "the file is empty"});
  if (has_size_of_binary(bytes, name)) return merge_equal_vertices(read_binary_stl(bytes, name));
  const std::string_view text = bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  const bool is_text = same_word(text.substr(0, 5), "solid");
  return merge_equal_vertices(is_text ? StlText(bytes, name).read() : read_binary_stl(bytes, name));
}

std::string stl_bytes(const MeshContents& mesh) {
  if (mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max())
    throw InputError("an STL file cannot hold so many triangles");
  std::string bytes = "Binary STL by Pliant";
  bytes.resize(kStlHeader, ' ');
  append_bytes(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& triangle : mesh.triangles) {
    for (const double value : stl_normal(mesh, triangle)) append_bytes(bytes, static_cast<float>(value));
    for (const int corner : triangle)
      for (const double value : mesh.vertices[corner]) append_bytes(bytes, to_single_precision(value, "STL"));
    append_bytes(bytes, std::uint16_t{0});
  }
  return bytes;
}

void write_stl(const std::filesystem::path& path, const MeshContents& mesh) {
  write_file_atomically(path, stl_bytes(mesh));
}

}  // namespace pliant
