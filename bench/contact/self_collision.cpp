// A pile of 27 boxes that all overlap their neighbours a little: finding and evaluating the contacts beside
// evaluating the elastic energies of the same boxes, each with its gradient. Positions change every time, as
// they do along a search.
#include "pliant/contact/self_collision.hpp"

#include <benchmark/benchmark.h>

#include "pliant/base/parallel.hpp"
#include "pliant/mesh/box.hpp"
#include "pliant/potential/solid.hpp"

namespace pliant {
namespace {

struct Pile {
  std::vector<TetMesh> boxes;
  std::vector<std::unique_ptr<Potential>> solids;
  std::unique_ptr<SelfCollision> collision;
  Vector x[2];
  Index elements = 0;

  Pile() {
    constexpr int kBoxes = 3, kCells = 12;
    constexpr double kApart = 0.99;  // of their size
    for (int i = 0; i < kBoxes * kBoxes * kBoxes; ++i) {
      boxes.push_back(make_box({.size = {1, 1, 1}, .cells = {kCells, kCells, kCells}, .tets_per_cell = 6}));
      const Vec3 place = kApart * Vec3(i % kBoxes, i / kBoxes % kBoxes, i / kBoxes / kBoxes);
      for (Vec3& vertex : boxes.back().vertices) vertex += place;
      elements += std::ssize(boxes.back().tets);
    }
    std::vector<SelfCollision::Collider> colliders;
    int vertices = 0;
    for (const TetMesh& box : boxes) {
      colliders.push_back({box, vertices});
      solids.push_back(make_solid("fixed-corotated", box, vertices, lame(1e5, 0.4)));
      vertices += static_cast<int>(box.vertices.size());
    }
    collision = std::make_unique<SelfCollision>(
        colliders, SelfCollision::Options{.stiffness = Vector::Constant(vertices, 1e6)});
    for (Vector& positions : x) positions.resize(3 * Index{vertices});
    for (size_t b = 0; b < boxes.size(); ++b)
      for (size_t i = 0; i < boxes[b].vertices.size(); ++i)
        for (int k = 0; k < 2; ++k)
          x[k].segment<3>(3 * (colliders[b].first_vertex + static_cast<Index>(i))) =
              (1 + 1e-4 * k) * boxes[b].vertices[i];
  }

  static const Pile& shared() {
    static const Pile pile;
    return pile;
  }
};

void run(benchmark::State& state, bool contact) {
  const int threads = static_cast<int>(state.range(0));
  set_threads(threads);
  const Pile& pile = Pile::shared();
  std::vector<double> energies(static_cast<size_t>(std::max(pile.elements, pile.collision->contributions())));
  Vector gradient = Vector::Zero(pile.x[0].size());
  int turn = 0;
  for (auto _ : state) {
    const Vector& x = pile.x[turn ^= 1];
    if (contact) {
      pile.collision->evaluate(x, {energies.data(), static_cast<size_t>(pile.collision->contributions())},
                               &gradient);
      continue;
    }
    size_t first = 0;
    for (const auto& solid : pile.solids) {
      const auto count = static_cast<size_t>(solid->contributions());
      solid->evaluate(x, {energies.data() + first, count}, &gradient);
      first += count;
    }
  }
  state.counters["vertices_inside"] = static_cast<double>(pile.collision->overlaps(pile.x[0]).size());
  state.counters["elements"] = static_cast<double>(pile.elements);
  set_threads(0);
}

const bool kAdded = [] {
  set_threads(0);
  for (const auto& [name, contact] : {std::pair("contact/evaluate", true), {"contact/elastic", false}}) {
    auto* benchmark = benchmark::RegisterBenchmark(name, run, contact);
    benchmark->ArgName("threads")->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();
    if (threads() > 1) benchmark->Arg(threads());
  }
  return true;
}();

}  // namespace
}  // namespace pliant
