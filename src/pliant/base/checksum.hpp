#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {

/// FNV-1a over bits: tells whether meshes and numbers are the same without keeping them.
class Checksum {
 public:
  void add(const void* data, size_t size) {
    for (size_t i = 0; i < size; ++i)
      value_ = (value_ ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3;
  }
  void add(const std::vector<Vec3>& points) {
    for (const Vec3& point : points) add(point.data(), sizeof(double) * 3);
  }
  void add(const std::vector<int>& numbers) { add(numbers.data(), numbers.size() * sizeof(int)); }
  void add(const std::vector<double>& numbers) { add(numbers.data(), numbers.size() * sizeof(double)); }
  template <size_t N>
  void add(const std::vector<std::array<int, N>>& elements) {
    for (const auto& corners : elements) add(corners.data(), sizeof corners);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace pliant
