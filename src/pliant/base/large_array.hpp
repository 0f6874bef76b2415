#pragma once

#include <cstddef>
#include <vector>

namespace pliant {

/// Memory for arrays of many megabytes, in large pages where the system has them: walking through an array is
/// then not held up by looking up where its pages are.
void* allocate_large(std::size_t bytes);
void free_large(void* memory, std::size_t bytes);

template <class T>
struct LargePages {
  using value_type = T;
  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_large(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) { free_large(memory, count * sizeof(T)); }
  bool operator==(const LargePages&) const { return true; }
};

/// A vector that may become large.
template <class T>
using LargeArray = std::vector<T, LargePages<T>>;

}  // namespace pliant
