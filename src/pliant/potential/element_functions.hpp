#pragma once

#include <memory>
#include <string_view>

#include "pliant/base/types.hpp"
#include "pliant/kernel/definiteness.hpp"
#include "pliant/kernel/stretch_range.hpp"

namespace pliant {

/// Where the numbers of elements lie, quantity by quantity, each by place.
struct ElementRecords {
  /// Rest quantity k of the element at a place is rest[start[k] + step[k] * place]: one that all elements
  /// share lies there once, as wide as the widest pack.
  const double* rest = nullptr;
  const Index *start = nullptr, *step = nullptr;
  /// Corner a is at x[dofs[a * stride + place]] and the two that follow.
  const int* dofs = nullptr;
  Index stride = 0;
  const double* x = nullptr;
};

/// A kernel of one element once it is compiled: functions of as many elements as the machine takes at once,
/// from a place on, each a lane. Nothing else depends on what the kernel computes.
struct ElementFunctions {
  std::string_view name;
  int corners = 0;
  int rest = 0;    ///< quantities of an element at rest
  int volume = 0;  ///< the one that its energy is proportional to: 0 makes it vanish
  std::shared_ptr<const void> kernel = nullptr;

  /// Lanes of `energy` and `gradient`, and of `hessian`.
  int value_lanes = 1, lanes = 1;
  void (*energy)(const void* kernel, const ElementRecords&, Index place, double* energies) = nullptr;
  /// Writes entry i of the gradient by corner a to gradient[3 * a + i][lane].
  void (*gradient)(const void* kernel, const ElementRecords&, Index place, double* energies,
                   double* gradient) = nullptr;
  /// Writes entry e = 3 * i + j of block k to blocks[9 * k + e][lane]; block (a, b) has a <= b, row by row.
  void (*hessian)(const void* kernel, const ElementRecords&, Index place, Definiteness,
                  double* blocks) = nullptr;

  /// Writes a number a block that stands in for it, for each of `count` elements whose rest quantities lie
  /// together; null where there is none. Where the kernel is `projective`, the energy is the squared distance
  /// to a set in the norm of these.
  void (*proxy)(const void* kernel, const StretchRange&, Index count, const double* rest,
                double* entries) = nullptr;
  bool projective = false;

  int blocks() const { return corners * (corners + 1) / 2; }
};

/// What no kernel has more of, and what every pack of elements divides.
inline constexpr int kMostCorners = 8, kMostBlocks = kMostCorners * (kMostCorners + 1) / 2, kMostRest = 16;
inline constexpr int kWidestPack = 16;

}  // namespace pliant
