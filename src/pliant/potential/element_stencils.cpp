#include "pliant/potential/element_stencils.hpp"

#include <algorithm>
#include <array>

namespace pliant {

namespace {

/// The records of one pack, laid out as those of a mesh are.
struct PackOfRecords {
  static constexpr Index kLanes = kWidestPack;
  alignas(64) double rest[kMostRest * kLanes];
  int dofs[kMostCorners * kLanes];
  Index start[kMostRest], step[kMostRest];
  ElementRecords records;

  PackOfRecords(const ElementFunctions& functions, const StencilBatch& batch) {
    for (int k = 0; k < functions.rest; ++k) {
      start[k] = k * kLanes;
      step[k] = 1;
    }
    records = {rest, start, step, dofs, kLanes, batch.x};
  }
  void fill(const ElementFunctions& functions, const StencilBatch& batch, Index first, int lanes) {
    for (int lane = 0; lane < lanes; ++lane) {
      const Index record = std::min(first + lane, batch.count - 1);
      for (int k = 0; k < functions.rest; ++k)
        rest[k * kLanes + lane] = batch.rest[record * functions.rest + k];
      if (batch.scale) rest[functions.volume * kLanes + lane] *= batch.scale[record];
      for (int a = 0; a < functions.corners; ++a)
        dofs[a * kLanes + lane] = static_cast<int>(3 * (record * functions.corners + a));
    }
  }
};

/// From [number][lane] to records.
void spread(const double* entries, int numbers, int lanes, Index used, double* to) {
  for (Index lane = 0; lane < used; ++lane)
    for (int k = 0; k < numbers; ++k) to[lane * numbers + k] = entries[k * lanes + lane];
}

}  // namespace

void run_element_stencils(const ElementFunctions& functions, const StencilBatch& batch) {
  PackOfRecords pack(functions, batch);
  const void* kernel = functions.kernel.get();
  alignas(64) double energy[kWidestPack], entries[9 * kMostBlocks * kWidestPack];
  const auto for_packs = [&](int lanes, auto body) {
    for (Index first = 0; first < batch.count; first += lanes) {
      pack.fill(functions, batch, first, lanes);
      body(first, std::min<Index>(lanes, batch.count - first));
    }
  };
  if (batch.energy || batch.gradient)
    for_packs(functions.value_lanes, [&](Index first, Index used) {
      if (batch.gradient)
        functions.gradient(kernel, pack.records, 0, energy, entries);
      else
        functions.energy(kernel, pack.records, 0, energy);
      if (batch.energy) std::copy_n(energy, used, batch.energy + first);
      const int numbers = 3 * functions.corners;
      if (batch.gradient)
        spread(entries, numbers, functions.value_lanes, used, batch.gradient + first * numbers);
    });
  if (batch.blocks)
    for_packs(functions.lanes, [&](Index first, Index used) {
      functions.hessian(kernel, pack.records, 0, batch.definiteness, entries);
      const int numbers = 9 * functions.blocks();
      spread(entries, numbers, functions.lanes, used, batch.blocks + first * numbers);
    });
}

}  // namespace pliant
