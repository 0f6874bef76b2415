#include "machine.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <vector>

#include "pliant/base/pack.hpp"
#include "pliant/base/parallel.hpp"

namespace pliant {
namespace {

template <class F>
double best_seconds(int repetitions, F body) {
  double best = 1e300;
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    body();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

double measure_copy() {
  constexpr Index kBytes = Index{256} << 20;
  const std::vector<char> from(kBytes, 1);
  std::vector<char> to(kBytes);
  const double seconds = best_seconds(8, [&] {
    parallel_chunks(kBytes, Index{1} << 20, [&](Index begin, Index end) {
      std::memcpy(to.data() + begin, from.data() + begin, static_cast<size_t>(end - begin));
    });
  });
  return 2.0 * kBytes / seconds;
}

double measure_flops(int threads) {
  constexpr int kRounds = 1 << 20, kChains = 12;  // enough chains to fill two units four cycles deep
  std::vector<double> results(threads);
  const double seconds = best_seconds(5, [&] {
    parallel_chunks(threads, 1, [&](Index thread, Index) {
      NativePack chain[kChains];
      for (int k = 0; k < kChains; ++k) chain[k] = NativePack(1.0 + k);
      const NativePack factor(1.0 - 1e-9), term(1e-9);
      for (int i = 0; i < kRounds; ++i)
        for (NativePack& value : chain) value = value * factor + term;
      NativePack sum(0.0);
      for (const NativePack& value : chain) sum = sum + value;
      for (int lane = 0; lane < NativePack::size(); ++lane) results[thread] += sum.v[lane];
    });
  });
  return 2.0 * kRounds * kChains * NativePack::size() * threads / seconds;
}

}  // namespace

const Machine& machine(int threads) {
  static std::map<int, Machine> measured;
  const auto found = measured.find(threads);
  if (found != measured.end()) return found->second;
  set_threads(threads);
  return measured[threads] = {measure_copy(), measure_flops(threads)};
}

}  // namespace pliant
