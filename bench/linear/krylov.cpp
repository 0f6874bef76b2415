// The block matrix of a cube of 1.57 million tetrahedra times a vector, and conjugate gradients with it,
// beside what memory allows. Formats that were tried and not taken stand beside the one that was: both
// triangles stored, and single precision.
#include <benchmark/benchmark.h>

#include "cube.hpp"
#include "machine.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linear/block_jacobi.hpp"
#include "pliant/linear/block_product_kernel.hpp"
#include "pliant/linear/conjugate_gradient.hpp"

namespace pliant {
namespace {

using benchmark::Counter;

const BlockMatrix& cube_matrix() {
  static const BlockMatrix matrix = Cube::of("fixed-corotated").matrix();
  return matrix;
}

/// Bytes as a rate, and that as a share of a copy's.
void report(benchmark::State& state, double bytes) {
  const double all = bytes * static_cast<double>(state.iterations());
  state.counters["bytes_per_second"] = Counter(all, Counter::kIsRate);
  state.counters["share_of_bandwidth"] =
      Counter(all / machine(static_cast<int>(state.range(0))).copy_bytes_per_second, Counter::kIsRate);
  set_threads(0);
}

/// What one product reads and writes at least: blocks with their columns, x, y, halos.
double bytes_of_product(const BlockMatrix& A) {
  const BlockPattern& pattern = A.pattern();
  return static_cast<double>(pattern.blocks()) * (9 * sizeof(double) + sizeof(int)) +
         static_cast<double>(A.rows()) * (6 * sizeof(double) + sizeof(Index) + sizeof(int)) +
         static_cast<double>(pattern.halo_size()) * (6 * sizeof(double) + sizeof(int) + sizeof(Index));
}

void copy(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(machine(static_cast<int>(state.range(0))));
  state.counters["bytes_per_second"] = machine(static_cast<int>(state.range(0))).copy_bytes_per_second;
  state.counters["flops_per_second"] = machine(static_cast<int>(state.range(0))).flops_per_second;
  set_threads(0);
}

void multiply(benchmark::State& state) {
  machine(static_cast<int>(state.range(0)));
  const BlockMatrix& A = cube_matrix();
  set_threads(static_cast<int>(state.range(0)));
  Vector y;
  for (auto _ : state) A.multiply(Cube::of("fixed-corotated").x, y);
  report(state, bytes_of_product(A));
}

/// Both triangles, row by row, in precision `Value`.
template <class Value>
struct FullMatrix {
  std::vector<Index> start;
  std::vector<int> columns;
  std::vector<Value> values;

  explicit FullMatrix(const BlockMatrix& A) : start(A.rows() + 1, 0) {
    const BlockPattern& pattern = A.pattern();
    const auto visit = [&](auto body) {
      for (int row = 0; row < A.rows(); ++row) {
        const auto stored = pattern.columns_of(row);
        for (Index k = 0; k < std::ssize(stored); ++k) {
          const double* block = A.block(pattern.row_start(row) + k);
          body(pattern.vertex(row), stored[k], block, false);
          if (k > 0) body(stored[k], pattern.vertex(row), block, true);
        }
      }
    };
    visit([&](int row, int, const double*, bool) { ++start[row + 1]; });
    for (int row = 0; row < A.rows(); ++row) start[row + 1] += start[row];
    columns.resize(start.back());
    values.resize(9 * start.back());
    std::vector<Index> next(start.begin(), start.end() - 1);
    visit([&](int row, int column, const double* block, bool transposed) {
      const Index at = next[row]++;
      columns[at] = column;
      for (int e = 0; e < 9; ++e)
        values[9 * at + e] = static_cast<Value>(block[transposed ? 3 * (e % 3) + e / 3 : e]);
    });
  }

  void multiply(const Vector& x, Vector& y) const {
    parallel_chunks(std::ssize(start) - 1, 512, [&](Index begin, Index end) {
      for (Index row = begin; row < end; ++row) {
        double sum[3] = {};
        for (Index k = start[row]; k < start[row + 1]; ++k) {
          const Value* b = values.data() + 9 * k;
          const double* p = x.data() + 3 * Index{columns[k]};
          for (int i = 0; i < 3; ++i)
            sum[i] += static_cast<double>(b[3 * i]) * p[0] + static_cast<double>(b[3 * i + 1]) * p[1] +
                      static_cast<double>(b[3 * i + 2]) * p[2];
        }
        for (int i = 0; i < 3; ++i) y[3 * row + i] = sum[i];
      }
    });
  }
};

template <class Value>
void multiply_full(benchmark::State& state) {
  machine(static_cast<int>(state.range(0)));
  static const FullMatrix<Value> A(cube_matrix());
  set_threads(static_cast<int>(state.range(0)));
  const Vector& x = Cube::of("fixed-corotated").x;
  Vector y(x.size());
  for (auto _ : state) A.multiply(x, y);
  report(state, static_cast<double>(A.columns.size()) * (9 * sizeof(Value) + sizeof(int)) +
                    static_cast<double>(A.start.size()) * (6 * sizeof(double) + sizeof(Index)));
}

/// One triangle, as BlockMatrix, but in single precision; sums are in double precision.
void multiply_half_single(benchmark::State& state) {
  machine(static_cast<int>(state.range(0)));
  const BlockMatrix& A = cube_matrix();
  const BlockPattern& pattern = A.pattern();
  static const std::vector<float> values(A.block(0), A.block(pattern.blocks()) + 1);
  set_threads(static_cast<int>(state.range(0)));
  Vector y;
  std::vector<double> halo(3 * pattern.halo_size());
  for (auto _ : state) block_product(pattern, values.data(), Cube::of("fixed-corotated").x, y, halo);
  report(state,
         bytes_of_product(A) - static_cast<double>(pattern.blocks()) * 9 * (sizeof(double) - sizeof(float)));
}

/// Time is that of a whole solve to 1e-3; bytes are those of its iterations: a product, x and r moved, D^-1
/// r, and the next direction.
void conjugate_gradient(benchmark::State& state) {
  machine(static_cast<int>(state.range(0)));
  const Cube& cube = Cube::of("fixed-corotated");
  const BlockMatrix& A = cube_matrix();
  set_threads(static_cast<int>(state.range(0)));
  BlockJacobi preconditioner;
  preconditioner.assign(A, Field(cube.inertia()));
  ConjugateGradient cg;
  const Field x(cube.x);
  Field y;
  int iterations = 0;
  for (auto _ : state) iterations += cg.solve(A, preconditioner, x, 1e-3, y).iterations;
  state.counters["iterations"] = Counter(iterations, Counter::kAvgIterations);
  state.counters["seconds_per_iteration"] = Counter(iterations, Counter::kIsRate | Counter::kInvert);
  const double vectors = static_cast<double>(A.rows()) * 8 * (3 * (6 + 2 + 3) + 6);
  report(state, (bytes_of_product(A) + vectors) * iterations / static_cast<double>(state.iterations()));
}

void with_threads(benchmark::internal::Benchmark* benchmark) {
  set_threads(0);
  benchmark->ArgName("threads")->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();
  if (threads() > 1) benchmark->Arg(threads());
}

BENCHMARK(copy)->Name("machine/copy-and-flops")->Apply(with_threads);
BENCHMARK(multiply)->Name("product/half-double")->Apply(with_threads);
BENCHMARK(multiply_half_single)->Name("product/half-single")->Apply(with_threads);
BENCHMARK(multiply_full<double>)->Name("product/full-double")->Apply(with_threads);
BENCHMARK(multiply_full<float>)->Name("product/full-single")->Apply(with_threads);
BENCHMARK(conjugate_gradient)->Name("conjugate-gradient/block-jacobi")->Apply(with_threads);

}  // namespace
}  // namespace pliant
