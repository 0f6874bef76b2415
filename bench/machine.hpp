#pragma once

namespace pliant {

/// What this machine can do, measured once a run, with one thread or all: what benchmarks are a share of.
struct Machine {
  double copy_bytes_per_second;  ///< reading plus writing, by a copy of 256 MB
  double flops_per_second;       ///< additions and multiplications of packs in registers, not fused
};
const Machine& machine(int threads);

}  // namespace pliant
