// Energy, gradient and Hessian of a cube of tetrahedra, with all threads; items are elements.
#include "pliant/potential/solid.hpp"

#include <benchmark/benchmark.h>

#include "cube.hpp"

namespace pliant {
namespace {

void energy(benchmark::State& state) {
  const Cube cube;
  std::vector<double> energies(cube.mesh.tets.size());
  for (auto _ : state) cube.solid->evaluate(cube.x, energies, nullptr);
  state.SetItemsProcessed(state.iterations() * std::ssize(cube.mesh.tets));
}

void gradient(benchmark::State& state) {
  const Cube cube;
  std::vector<double> energies(cube.mesh.tets.size());
  Vector forces = Vector::Zero(cube.x.size());
  for (auto _ : state) cube.solid->evaluate(cube.x, energies, &forces);
  state.SetItemsProcessed(state.iterations() * std::ssize(cube.mesh.tets));
}

void hessian(benchmark::State& state) {
  const Cube cube;
  BlockMatrix matrix(cube.pattern);
  for (auto _ : state) cube.solid->add_hessian(cube.x, Definiteness::none, matrix);
  state.SetItemsProcessed(state.iterations() * std::ssize(cube.mesh.tets));
}

void definite_hessian(benchmark::State& state) {
  const Cube cube;
  BlockMatrix matrix(cube.pattern);
  for (auto _ : state) cube.solid->add_hessian(cube.x, Definiteness::clamp, matrix);
  state.SetItemsProcessed(state.iterations() * std::ssize(cube.mesh.tets));
}

BENCHMARK(energy)->Name("fixed-corotated/energy")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(gradient)->Name("fixed-corotated/gradient")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(hessian)->Name("fixed-corotated/hessian")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(definite_hessian)
    ->Name("fixed-corotated/hessian-clamped")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace pliant
