#include "pliant/potential/element_scatter.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace pliant {

namespace {

/// Eight doubles at once, and an 8x8 matrix of them turned around its diagonal: from an entry of eight blocks
/// to eight entries of a block.
typedef double Eight __attribute__((vector_size(64)));
typedef long long EightPlaces __attribute__((vector_size(64)));
constexpr EightPlaces kTransposed = {0, 3, 6, 1, 4, 7, 2, 5};  ///< of a 3x3 block; entry 8 stays

[[gnu::always_inline]] inline void load_eight(const double* from, Eight& eight) {
  std::memcpy(&eight, from, sizeof eight);
}
[[gnu::always_inline]] inline void add_eight(const Eight& eight, double* to) {
  Eight sum;
  load_eight(to, sum);
  sum = sum + eight;
  std::memcpy(to, &sum, sizeof sum);
}

[[gnu::always_inline]] inline void transpose_eight(Eight* r) {
  constexpr EightPlaces kEven = {0, 8, 2, 10, 4, 12, 6, 14}, kOdd = {1, 9, 3, 11, 5, 13, 7, 15};
  constexpr EightPlaces kLowPairs = {0, 1, 8, 9, 4, 5, 12, 13}, kHighPairs = {2, 3, 10, 11, 6, 7, 14, 15};
  constexpr EightPlaces kLowHalf = {0, 1, 2, 3, 8, 9, 10, 11}, kHighHalf = {4, 5, 6, 7, 12, 13, 14, 15};
  Eight s[8];
  for (int k = 0; k < 8; k += 2) {
    s[k] = __builtin_shuffle(r[k], r[k + 1], kEven);
    s[k + 1] = __builtin_shuffle(r[k], r[k + 1], kOdd);
  }
  for (int k = 0; k < 8; k += 4)
    for (int odd = 0; odd < 2; ++odd) {
      r[k + odd] = __builtin_shuffle(s[k + odd], s[k + odd + 2], kLowPairs);
      r[k + odd + 2] = __builtin_shuffle(s[k + odd], s[k + odd + 2], kHighPairs);
    }
  for (int k = 0; k < 4; ++k) {
    s[k] = __builtin_shuffle(r[k], r[k + 4], kLowHalf);
    s[k + 4] = __builtin_shuffle(r[k], r[k + 4], kHighHalf);
  }
  for (int k = 0; k < 8; ++k) r[k] = s[k];
}

template <int kCorners, int kLanes>
void add_gradient(const int* dofs, Index stride, const double* entries, Index used, double* gradient) {
  for (Index lane = 0; lane < used; ++lane)
    for (int a = 0; a < kCorners; ++a) {
      double* to = gradient + dofs[a * stride + lane];
      for (int i = 0; i < 3; ++i) to[i] += entries[(3 * a + i) * kLanes + lane];
    }
}

template <int kCorners, int kLanes>
void add_blocks(const unsigned* slots, const double* entries, Index used, BlockMatrix& hessian) {
  constexpr int kBlocks = kCorners * (kCorners + 1) / 2;
  if constexpr (kLanes % 8 == 0) {
    for (Index first = 0; first < used; first += 8) {
      Eight rows[kBlocks][8];
      for (int k = 0; k < kBlocks; ++k) {
        for (int e = 0; e < 8; ++e) load_eight(entries + (9 * k + e) * kLanes + first, rows[k][e]);
        transpose_eight(rows[k]);
      }
      for (Index lane = 0; lane < std::min<Index>(8, used - first); ++lane)
        for (int k = 0; k < kBlocks; ++k) {
          const unsigned slot = slots[(first + lane) * kBlocks + k];
          double* to = hessian.block(slot / 2);
          const Eight& row = rows[k][lane];
          add_eight(slot % 2 ? __builtin_shuffle(row, kTransposed) : row, to);
          to[8] += entries[(9 * k + 8) * kLanes + first + lane];
        }
    }
  } else {
    for (Index lane = 0; lane < used; ++lane)
      for (int k = 0; k < kBlocks; ++k) {
        const unsigned slot = slots[lane * kBlocks + k];
        double* to = hessian.block(slot / 2);
        const double* from = entries + 9 * k * kLanes + lane;
        for (int e = 0; e < 9; ++e) to[e] += from[(slot % 2 ? 3 * (e % 3) + e / 3 : e) * kLanes];
      }
  }
}

/// By the number of corners, from one on.
template <class Function, template <int> class Row, int... kLess>
Function of_corners(int corners, std::integer_sequence<int, kLess...>) {
  constexpr Function kAll[] = {Row<kLess + 1>::kFunction...};
  return kAll[corners - 1];
}

template <int kLanes>
struct Scatter {
  template <int kCorners>
  struct Gradient {
    static constexpr GradientScatter kFunction = &add_gradient<kCorners, kLanes>;
  };
  template <int kCorners>
  struct Blocks {
    static constexpr BlockScatter kFunction = &add_blocks<kCorners, kLanes>;
  };
};

constexpr std::make_integer_sequence<int, kMostCorners> kAllCorners;

}  // namespace

GradientScatter gradient_scatter(int corners, int lanes) {
  const auto found = [&]<int kLanes>() {
    return of_corners<GradientScatter, Scatter<kLanes>::template Gradient>(corners, kAllCorners);
  };
  return lanes == 1   ? found.operator()<1>()
         : lanes == 2 ? found.operator()<2>()
         : lanes == 4 ? found.operator()<4>()
         : lanes == 8 ? found.operator()<8>()
                      : found.operator()<kWidestPack>();
}

BlockScatter block_scatter(int corners, int lanes) {
  const auto found = [&]<int kLanes>() {
    return of_corners<BlockScatter, Scatter<kLanes>::template Blocks>(corners, kAllCorners);
  };
  return lanes == 1   ? found.operator()<1>()
         : lanes == 2 ? found.operator()<2>()
         : lanes == 4 ? found.operator()<4>()
         : lanes == 8 ? found.operator()<8>()
                      : found.operator()<kWidestPack>();
}

}  // namespace pliant
