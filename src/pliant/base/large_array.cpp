#include "pliant/base/large_array.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace pliant {

namespace {
constexpr std::size_t kPage = std::size_t{1} << 21;
}

void* allocate_large(std::size_t bytes) {
  if (bytes < kPage) return ::operator new(bytes);
  if (bytes > static_cast<std::size_t>(-1) - kPage) throw std::bad_alloc();
  const std::size_t rounded = (bytes + kPage - 1) / kPage * kPage;
  void* memory = std::aligned_alloc(kPage, rounded);
  if (!memory) throw std::bad_alloc();
  madvise(memory, rounded, MADV_HUGEPAGE);  // where it is not granted, small pages serve as well
  return memory;
}

void free_large(void* memory, std::size_t bytes) {
  if (bytes < kPage)
    ::operator delete(memory);
  else
    std::free(memory);
}

}  // namespace pliant
