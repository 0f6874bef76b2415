// Singular value decompositions of 3x3 matrices by one core, one at a time and in packs.
#include "pliant/kernel/svd.hpp"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "pliant/base/types.hpp"

namespace pliant {
namespace {

constexpr Index kMatrices = 1024;

/// Entries of random matrices, entry by entry, so that consecutive matrices load as one pack.
std::vector<double> random_entries() {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  std::vector<double> entries(9 * kMatrices);
  for (double& entry : entries) entry = normal(generator);
  return entries;
}

template <class T>
void decompose(benchmark::State& state) {
  const std::vector<double> entries = random_entries();
  std::vector<double> stretches(3 * kMatrices);
  for (auto _ : state) {
    for (Index m = 0; m < kMatrices; m += kLanes<T>) {
      Small33<T> F;
      for (int e = 0; e < 9; ++e) F(e % 3, e / 3) = load<T>(&entries[e * kMatrices + m]);
      const Svd<T> parts = svd(F);
      for (int i = 0; i < 3; ++i) store(parts.sigma[i], &stretches[i * kMatrices + m]);
    }
    benchmark::DoNotOptimize(stretches.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kMatrices);
}

BENCHMARK(decompose<double>)->Name("svd/double");
BENCHMARK(decompose<Pack>)->Name("svd/pack");

}  // namespace
}  // namespace pliant
