#include "pliant/base/version.hpp"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <fstream>

#include "pliant/base/pack.hpp"

namespace pliant {

namespace {

/// The linker's hash of everything in the program or library that holds this very function.
struct LinkedImage {
  std::uintptr_t address = 0;  ///< somewhere inside it
  std::string hash;            ///< hexadecimal; empty where the linker was told to leave it out
};

std::string hexadecimal(const unsigned char* bytes, size_t count) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

/// Looks through one segment of notes: header, name and description, each padded to four bytes.
std::string find_build_note(const unsigned char* notes, size_t size) {
  const auto padded = [](size_t length) { return (length + 3) & ~size_t{3}; };
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes + at, sizeof header);
    const size_t name = at + sizeof header;
    const size_t description = name + padded(header.n_namesz);
    if (description + header.n_descsz > size) break;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0)
      return hexadecimal(notes + description, header.n_descsz);
    at = description + padded(header.n_descsz);
  }
  return "";
}

int visit_image(dl_phdr_info* info, size_t, void* data) {
  auto& image = *static_cast<LinkedImage*>(data);
  bool holds_us = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    holds_us |=
        segment.p_type == PT_LOAD && image.address >= begin && image.address < begin + segment.p_memsz;
  }
  if (!holds_us) return 0;
  for (int i = 0; i < info->dlpi_phnum && image.hash.empty(); ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    image.hash = find_build_note(reinterpret_cast<const unsigned char*>(begin), segment.p_memsz);
  }
  return 1;
}

std::string image_hash() {
  LinkedImage image;
  image.address = reinterpret_cast<std::uintptr_t>(&visit_image);
  dl_iterate_phdr(visit_image, &image);
  return image.hash;
}

}  // namespace

std::string version() { return PLIANT_VERSION; }

std::string build_flags() { return PLIANT_FLAGS; }

std::string build_id() {
  static const std::string id = version() + "; " + build_flags() + "; " + __VERSION__ + "; " +
                                std::to_string(simd_width()) + " lanes; " + image_hash();
  return id;
}

int simd_width() { return NativePack::size(); }

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

}  // namespace pliant
