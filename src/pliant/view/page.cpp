// The page is put into the program as it is, by the assembler: PLIANT_PAGE names its file.

#include "pliant/view/page.hpp"

#include <cstddef>

// clang-format off
asm(".section .rodata\n"
    ".global pliant_page_begin\n"
    ".global pliant_page_end\n"
    "pliant_page_begin:\n"
    ".incbin \"" PLIANT_PAGE "\"\n"
    "pliant_page_end:\n"
    ".byte 0\n"
    ".previous\n");
// clang-format on

extern "C" {
extern const char pliant_page_begin[];
extern const char pliant_page_end[];
}

namespace pliant {

std::string_view viewer_page() {
  return {pliant_page_begin, static_cast<std::size_t>(pliant_page_end - pliant_page_begin)};
}

}  // namespace pliant
