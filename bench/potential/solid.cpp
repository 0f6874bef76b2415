// Energy, energy with gradient, and Hessian with assembly, of a cube of 1.57 million tetrahedra; one thread
// and all. Items are elements. `per_core` is items a second and core; `flops` and `share_of_flops` count the
// additions, multiplications, quotients and roots of one element and compare their rate with what the machine
// can add and multiply; `share_of_bandwidth` compares the bytes that have to be read and written with the
// rate of a copy.
#include "pliant/potential/solid.hpp"

#include <benchmark/benchmark.h>

#include "counted.hpp"
#include "cube.hpp"
#include "machine.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/kernel/fixed_corotated.hpp"
#include "pliant/kernel/stable_neo_hookean.hpp"
#include "pliant/kernel/tet_solid.hpp"

namespace pliant {
namespace {

enum class Work { energy, gradient, hessian, definite_hessian };

/// Operations of an element a little out of shape, as those of the cube are.
template <class Material>
long operations(Work work) {
  Counted rest[TetSolid<Material>::kRest];
  for (int k = 0; k < TetSolid<Material>::kRest; ++k) rest[k] = Counted(k % 4 == 0 ? 64.0 : 0.0);
  rest[9] = rest[10] = rest[11] = Counted(1.0);
  Small3<Counted> x[4], forces[4];
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 3; ++i)
      x[a][i] = Counted((a == i + 1 ? 1.0 : 0.0) / 64 + 1e-3 * ((3 * a + 5 * i) % 7 - 3));
  Small33<Counted> blocks[10];
  Counted::operations = 0;
  if (work == Work::energy) TetSolid<Material>().energy(rest, x);
  if (work == Work::gradient) TetSolid<Material>().gradient(rest, x, forces);
  if (work == Work::hessian) TetSolid<Material>().hessian(rest, x, Definiteness::none, blocks);
  if (work == Work::definite_hessian) TetSolid<Material>().hessian(rest, x, Definiteness::clamp, blocks);
  return Counted::operations;
}

/// What must cross the memory bus at least once: rest data, corners, positions, and what is written.
double bytes(const Cube& cube, Work work) {
  const double elements = static_cast<double>(cube.mesh.tets.size()),
               dofs = static_cast<double>(cube.x.size());
  const double read = elements * (12 * sizeof(double) + 4 * sizeof(int)) + dofs * sizeof(double);
  if (work == Work::energy) return read + elements * sizeof(double);
  if (work == Work::gradient) return read + elements * sizeof(double) + 2 * dofs * sizeof(double);
  return read + elements * 10 * sizeof(unsigned) +
         2.0 * 9 * sizeof(double) * static_cast<double>(cube.pattern.blocks());
}

template <class Material>
void run(benchmark::State& state, const char* material, Work work) {
  const int threads = static_cast<int>(state.range(0));
  const Machine& limit = machine(threads);
  set_threads(threads);
  const Cube& cube = Cube::of(material);
  std::vector<double> energies(cube.mesh.tets.size());
  Vector forces = Vector::Zero(cube.x.size());
  BlockMatrix matrix;
  if (work == Work::hessian || work == Work::definite_hessian) matrix = BlockMatrix(cube.pattern);
  for (auto _ : state) {
    if (work == Work::energy) cube.solid->evaluate(cube.x, energies, nullptr);
    if (work == Work::gradient) cube.solid->evaluate(cube.x, energies, &forces);
    if (work == Work::hessian) cube.solid->add_hessian(cube.x, Definiteness::none, matrix);
    if (work == Work::definite_hessian) cube.solid->add_hessian(cube.x, Definiteness::clamp, matrix);
  }
  using benchmark::Counter;
  const double elements =
      static_cast<double>(cube.mesh.tets.size()) * static_cast<double>(state.iterations());
  const long flops = operations<Material>(work);
  state.SetItemsProcessed(state.iterations() * std::ssize(cube.mesh.tets));
  state.counters["per_core"] = Counter(elements / threads, Counter::kIsRate);
  state.counters["flops"] = static_cast<double>(flops);
  state.counters["share_of_flops"] =
      Counter(elements * static_cast<double>(flops) / limit.flops_per_second, Counter::kIsRate);
  state.counters["share_of_bandwidth"] =
      Counter(bytes(cube, work) * static_cast<double>(state.iterations()) / limit.copy_bytes_per_second,
              Counter::kIsRate);
  set_threads(0);
}

template <class Material>
void add(const char* material) {
  const std::pair<const char*, Work> kinds[] = {{"energy", Work::energy},
                                                {"gradient", Work::gradient},
                                                {"hessian", Work::hessian},
                                                {"hessian-definite", Work::definite_hessian}};
  set_threads(0);
  for (const auto& [name, work] : kinds) {
    auto* benchmark = benchmark::RegisterBenchmark((std::string(material) + "/" + name).c_str(),
                                                   run<Material>, material, work);
    benchmark->ArgName("threads")->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();
    if (threads() > 1) benchmark->Arg(threads());
  }
}

const bool kAdded = [] {
  add<FixedCorotated>("fixed-corotated");
  add<StableNeoHookean>("stable-neo-hookean");
  return true;
}();

}  // namespace
}  // namespace pliant
