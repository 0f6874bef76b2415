#pragma once

#include <string_view>

#include "pliant/base/types.hpp"
#include "pliant/kernel/definiteness.hpp"

namespace pliant {

/// Records of stencils of one kind, one after another, and where to write what is wanted of them.
struct StencilBatch {
  Index count = 1;                ///< 1 is a single stencil
  const double* rest = nullptr;   ///< the rest record of each
  const double* x = nullptr;      ///< three numbers a corner
  const double* scale = nullptr;  ///< what the energy of each is multiplied by, where that changes; else 1
  double* energy = nullptr;       ///< null where it is not wanted, as the others
  double* gradient = nullptr;     ///< by each corner
  double* blocks = nullptr;  ///< of the Hessian, (a, b) with a <= b, row by row, nine numbers each by rows
  Definiteness definiteness = Definiteness::none;
};

/// A kind of stencil: some vertices and a few numbers that give one contribution of the energy. A plain
/// function over records, so that a caller with stencils of many kinds sorts them by kind and calls once
/// each.
struct StencilKind {
  std::string_view name;
  int corners = 0;
  int rest = 0;  ///< numbers of a rest record
  const void* kernel = nullptr;
  void (*run_kernel)(const void* kernel, const StencilBatch& batch) = nullptr;

  /// The same bits however many there are at once.
  void run(const StencilBatch& batch) const { run_kernel(kernel, batch); }
  int blocks() const { return corners * (corners + 1) / 2; }
};

/// What a potential can do whose contributions are those of stencils. A capability: found once, with
/// dynamic_cast, by who needs it.
class Stencils {
 public:
  virtual ~Stencils() = default;
  /// Lives as long as the potential.
  virtual const StencilKind& kind() const = 0;
  /// Stencils are numbered as contributions are.
  virtual Index stencils() const = 0;
  /// Writes the vertices and the rest record of one.
  virtual void copy_stencil(Index stencil, int* vertices, double* rest) const = 0;
};

}  // namespace pliant
