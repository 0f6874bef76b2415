#include "pliant/potential/element_table.hpp"

#include <algorithm>
#include <numeric>

namespace pliant {

ElementTable::ElementTable(const ElementFunctions& kind, const ElementList& elements, std::vector<int> order)
    : count_(std::ssize(order)),
      padded_((count_ + kWidestPack - 1) / kWidestPack * kWidestPack),
      schedule_(elements.corners, kind.corners, std::move(order)),
      place_of_(count_),
      dofs_(padded_ * kind.corners),
      rest_start_(kind.rest),
      rest_step_(kind.rest) {
  const auto given = [&](Index element, int k) { return elements.rest[element * kind.rest + k]; };
  Index size = 0;
  for (int k = 0; k < kind.rest; ++k) {
    bool same = true;
    for (Index e = 1; e < count_ && same; ++e) same = given(e, k) == given(0, k);
    rest_start_[k] = size;
    rest_step_[k] = k == kind.volume || !same;
    size += rest_step_[k] ? padded_ : kWidestPack;
  }
  rest_.resize(size);
  for (Index place = 0; place < padded_; ++place) {
    const int element = schedule_.order()[std::min(place, count_ - 1)];
    if (place < count_) place_of_[element] = static_cast<int>(place);
    for (int a = 0; a < kind.corners; ++a)
      dofs_[a * padded_ + place] = 3 * elements.corners[Index{element} * kind.corners + a];
    for (int k = 0; k < kind.rest; ++k) {
      if (rest_step_[k]) rest_[rest_start_[k] + place] = given(element, k);
      if (!rest_step_[k] && place < kWidestPack) rest_[rest_start_[k] + place] = given(0, k);
    }
    if (place >= count_) rest_[rest_start_[kind.volume] + place] = 0;
  }
}

TouchingElements::TouchingElements(const ElementTable& table, int corners) {
  int vertices = 0;
  const auto for_each = [&](auto visit) {
    for (Index place = 0; place < table.count(); ++place)
      for (int a = 0; a < corners; ++a) visit(static_cast<int>(place), table.corner(place, a));
  };
  for_each([&](int, int vertex) { vertices = std::max(vertices, vertex + 1); });
  start_.assign(vertices + 1, 0);
  for_each([&](int, int vertex) { ++start_[vertex + 1]; });
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  places_.resize(corners * table.count());
  std::vector<int> next(start_.begin(), start_.end() - 1);
  for_each([&](int place, int vertex) { places_[next[vertex]++] = place; });
}

}  // namespace pliant
