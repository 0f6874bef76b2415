#include "pliant/potential/element_potential.hpp"

#include <algorithm>
#include <numeric>

#include "pliant/base/parallel.hpp"
#include "pliant/potential/element_stencils.hpp"

namespace pliant {

namespace {
constexpr std::size_t kAlignment = 64;
}  // namespace

void ElementPotential::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  const ElementRecords records = table_.records(x.data());
  const int lanes = functions_.value_lanes;
  const void* kernel = functions_.kernel.get();
  const int* elements = table_.schedule().order().data();
  const auto report = [&](Index place, Index used, const double* energy) {
    for (Index lane = 0; lane < used; ++lane) energies[elements[place + lane]] = energy[lane];
  };
  if (gradient) {
    table_.schedule().for_each_chunk([&](Index begin, Index end) {
      alignas(kAlignment) double energy[kWidestPack], entries[3 * kMostCorners * kWidestPack];
      for (Index place = begin; place < end; place += lanes) {
        const Index used = std::min<Index>(lanes, end - place);
        functions_.gradient(kernel, records, place, energy, entries);
        add_gradient_(records.dofs + place, records.stride, entries, used, gradient->data());
        report(place, used, energy);
      }
    });
  } else {
    parallel_chunks(table_.count(), table_.schedule().chunk(), [&](Index begin, Index end) {
      alignas(kAlignment) double energy[kWidestPack];
      for (Index place = begin; place < end; place += lanes) {
        functions_.energy(kernel, records, place, energy);
        report(place, std::min<Index>(lanes, end - place), energy);
      }
    });
  }
}

void ElementPotential::add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const {
  const ElementRecords records = table_.records(x.data());
  const int lanes = functions_.lanes;
  table_.schedule().for_each_chunk([&](Index begin, Index end) {
    alignas(kAlignment) double entries[9 * kMostBlocks * kWidestPack];
    for (Index place = begin; place < end; place += lanes) {
      functions_.hessian(functions_.kernel.get(), records, place, definiteness, entries);
      add_blocks_(&slots_[place * functions_.blocks()], entries, std::min<Index>(lanes, end - place),
                  hessian);
    }
  });
}

void ElementPotential::copy_stencil(Index stencil, int* vertices, double* rest) const {
  const Index place = table_.place(stencil);
  for (int a = 0; a < functions_.corners; ++a) vertices[a] = table_.corner(place, a);
  for (int k = 0; k < functions_.rest; ++k) rest[k] = table_.rest(place, k);
}

void ElementPotential::run_stencils(const void* functions, const StencilBatch& batch) {
  run_element_stencils(*static_cast<const ElementFunctions*>(functions), batch);
}

void ElementPotential::add_proxy(const StretchRange& range, ScalarMatrix& proxy) const {
  if (!functions_.proxy) return;
  constexpr Index kAtOnce = 1024;
  const int blocks = functions_.blocks();
  std::vector<double> rest(kAtOnce * functions_.rest), entries(kAtOnce * blocks);
  for (Index begin = 0; begin < table_.count(); begin += kAtOnce) {
    const Index count = std::min(kAtOnce, table_.count() - begin);
    for (Index e = 0; e < count; ++e)
      for (int k = 0; k < functions_.rest; ++k) rest[e * functions_.rest + k] = table_.rest(begin + e, k);
    functions_.proxy(functions_.kernel.get(), range, count, rest.data(), entries.data());
    for (Index k = 0; k < count * blocks; ++k) proxy[slots_[begin * blocks + k] / 2] += entries[k];
  }
}

void ElementPotential::add_pattern(std::vector<std::pair<int, int>>& edges) const {
  for (Index place = 0; place < table_.count(); ++place)
    for (int a = 0; a < functions_.corners; ++a)
      for (int b = a + 1; b < functions_.corners; ++b)
        edges.emplace_back(table_.corner(place, a), table_.corner(place, b));
}

void ElementPotential::attach(const BlockPattern& pattern) {
  slots_.resize(table_.count() * functions_.blocks());
  parallel_chunks(table_.count(), 4096, [&](Index begin, Index end) {
    Index k = begin * functions_.blocks();
    for (Index place = begin; place < end; ++place)
      for (int a = 0; a < functions_.corners; ++a)
        for (int b = a; b < functions_.corners; ++b, ++k) {
          const BlockPattern::Place found = pattern.find(table_.corner(place, a), table_.corner(place, b));
          slots_[k] = 2 * static_cast<unsigned>(found.block) + (found.transposed ? 1 : 0);
        }
  });
}

std::vector<int> ElementPotential::places_moving_with(const SubModel& sub_model) const {
  std::call_once(touching_made_, [&] { touching_.emplace(table_, functions_.corners); });
  std::vector<int> places;
  for (size_t i = 0; i < sub_model.vertices.size(); ++i) {
    if (!sub_model.free[i]) continue;
    const std::span<const int> at = touching_->at(sub_model.vertices[i]);
    places.insert(places.end(), at.begin(), at.end());
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

std::unique_ptr<Potential> ElementPotential::sub_model(const SubModel& sub_model) const {
  const std::vector<int> places = places_moving_with(sub_model);
  if (places.empty()) return nullptr;
  // The elements keep the order of their numbers, and that of their places, which is a good one already.
  std::vector<int> order(places.size()), by_number(places.size());
  std::iota(by_number.begin(), by_number.end(), 0);
  const auto number = [&](int k) { return table_.element(places[k]); };
  std::sort(by_number.begin(), by_number.end(), [&](int a, int b) { return number(a) < number(b); });
  ElementList elements;
  for (size_t k = 0; k < places.size(); ++k) {
    const int place = places[by_number[k]];
    for (int a = 0; a < functions_.corners; ++a)
      elements.corners.push_back(sub_model.local(table_.corner(place, a)));
    for (int e = 0; e < functions_.rest; ++e) elements.rest.push_back(table_.rest(place, e));
    order[by_number[k]] = static_cast<int>(k);
  }
  auto made = std::make_unique<ElementPotential>(functions_, elements, std::move(order));
  made->set_roundoff(roundoff_ * (static_cast<double>(places.size()) / static_cast<double>(table_.count())));
  return made;
}

}  // namespace pliant
