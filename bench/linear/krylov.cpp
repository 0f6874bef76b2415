// The block matrix of a cube of tetrahedra times a vector, beside a copy of as many bytes in the same run:
// memory is the limit of both. And conjugate gradients with it.
#include <benchmark/benchmark.h>

#include <cstring>

#include "cube.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linear/conjugate_gradient.hpp"

namespace pliant {
namespace {

/// What one product reads and writes: blocks, their columns, x and y.
Index bytes_of_product(const BlockMatrix& A) {
  return A.pattern().blocks() * Index{9 * sizeof(double) + sizeof(int)} +
         A.rows() * Index{6 * sizeof(double) + sizeof(Index)};
}

void multiply(benchmark::State& state) {
  const Cube cube;
  const BlockMatrix A = cube.matrix();
  Vector y(cube.x.size());
  for (auto _ : state) A.multiply(cube.x, y);
  state.SetBytesProcessed(state.iterations() * bytes_of_product(A));
}

void copy(benchmark::State& state) {
  const Cube cube;
  // Half is read, half is written.
  const Index half = bytes_of_product(BlockMatrix(cube.pattern)) / 2;
  const std::vector<char> from(half, 1);
  std::vector<char> to(half);
  for (auto _ : state) {
    parallel_chunks(half, Index{1} << 20, [&](Index begin, Index end) {
      std::memcpy(to.data() + begin, from.data() + begin, static_cast<size_t>(end - begin));
    });
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * 2 * half);
}

/// Time is that of a whole solve to 1e-6; seconds_per_iteration is what one iteration costs.
void conjugate_gradient(benchmark::State& state) {
  const Cube cube;
  const BlockMatrix A = cube.matrix();
  BlockJacobi preconditioner;
  preconditioner.assign(A, cube.inertia());
  ConjugateGradient cg;
  Vector y;
  int iterations = 0;
  for (auto _ : state) iterations += cg.solve(A, preconditioner, cube.x, 1e-6, y).iterations;
  using benchmark::Counter;
  state.counters["iterations"] = Counter(iterations, Counter::kAvgIterations);
  state.counters["seconds_per_iteration"] = Counter(iterations, Counter::kIsRate | Counter::kInvert);
}

BENCHMARK(copy)->Name("memory/copy")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(multiply)->Name("block-matrix/multiply")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(conjugate_gradient)->Name("conjugate-gradient/solve")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace pliant
