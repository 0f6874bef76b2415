// The constant matrix of lbfgs on the two larger bars of bench/bar: factoring it, and solving with the factor
// for x, y and z at once. A solve must read the factor twice, once down and once up; what it takes beyond
// that is not the memory's fault.
#include "pliant/linear/constant_factor.hpp"

#include <benchmark/benchmark.h>

#include "machine.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/linear/supernodes.hpp"
#include "pliant/mesh/box.hpp"
#include "pliant/potential/capabilities.hpp"
#include "pliant/potential/solid.hpp"

namespace pliant {
namespace {

using benchmark::Counter;

/// A bar of `cells` + 1 vertices along each axis with the matrix of a step of 1/30 s.
struct Bar {
  TetMesh mesh;
  BlockPattern pattern;
  ScalarMatrix matrix;
  ConstantFactor factor{ConstantFactor::Precision::single};
  double bytes = 0;  ///< of the factor, without what is stored beside it

  explicit Bar(const std::array<int, 3>& cells)
      : mesh(make_box({.size = {9, 2.79, 2.79}, .cells = cells, .tets_per_cell = 6})) {
    const std::unique_ptr<Potential> solid = make_solid("neo-hookean", mesh, 0, lame(176, 0.1));
    std::vector<std::pair<int, int>> edges;
    solid->add_pattern(edges);
    const int vertices = static_cast<int>(mesh.vertices.size());
    pattern = BlockPattern(vertices, edges, mesh.vertices);
    solid->attach(pattern);
    matrix = ScalarMatrix(pattern);
    dynamic_cast<const ConstantProxy&>(*solid).add_proxy({}, matrix);
    for (int i = 0; i < vertices; ++i) matrix.add_diagonal(i, 10.0 / vertices * 30 * 30);
    factor.factor(matrix);
    const Supernodes nodes(pattern);
    for (int s = 0; s < nodes.count(); ++s) bytes += static_cast<double>(nodes.size(s)) * sizeof(float);
  }

  static Bar& of(int vertices_along) {
    static Bar middle({59, 15, 15}), large({86, 23, 23});
    return vertices_along == 60 ? middle : large;
  }
};

template <int kAlong>
void solve(benchmark::State& state) {
  const double copy = machine(static_cast<int>(state.range(0))).copy_bytes_per_second;
  const Bar& bar = Bar::of(kAlong);
  set_threads(static_cast<int>(state.range(0)));
  const Vector b = Vector::LinSpaced(3 * std::ssize(bar.mesh.vertices), -1, 1);
  Vector x;
  for (auto _ : state) bar.factor.solve(b, x);
  const double all = 2 * bar.bytes * static_cast<double>(state.iterations());
  state.counters["vertices"] = static_cast<double>(bar.mesh.vertices.size());
  state.counters["factor_bytes"] = bar.bytes;
  state.counters["floor_ms"] = 1e3 * 2 * bar.bytes / copy;
  state.counters["bytes_per_second"] = Counter(all, Counter::kIsRate);
  state.counters["share_of_bandwidth"] = Counter(all / copy, Counter::kIsRate);
  set_threads(0);
}

/// The values alone: the analysis of the pattern is kept.
template <int kAlong>
void factor(benchmark::State& state) {
  Bar& bar = Bar::of(kAlong);
  set_threads(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(bar.factor.factor(bar.matrix));
  set_threads(0);
}

void with_threads(benchmark::internal::Benchmark* benchmark) {
  set_threads(0);
  benchmark->ArgName("threads")->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();
  if (threads() > 1) benchmark->Arg(threads());
}

BENCHMARK(solve<60>)->Name("constant-factor/solve-60")->Apply(with_threads);
BENCHMARK(solve<87>)->Name("constant-factor/solve-87")->Apply(with_threads);
BENCHMARK(factor<60>)->Name("constant-factor/factor-60")->Apply(with_threads);
BENCHMARK(factor<87>)->Name("constant-factor/factor-87")->Apply(with_threads);

}  // namespace
}  // namespace pliant
