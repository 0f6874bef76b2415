#include "pliant/mesh/cell_cutter.hpp"

#include <utility>

namespace pliant {

Cut five_tets(bool mirrored) {
  Cut cut{{0, 3, 6, 5}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 0, 6, 5}, {7, 5, 6, 3}};
  if (!mirrored) return cut;
  for (auto& tet : cut) {
    for (int& corner : tet) corner ^= 1;
    std::swap(tet[2], tet[3]);
  }
  return cut;
}

Cut six_tets() {
  Cut cut;
  for (int first = 0; first < 3; ++first) {
    const int even = (first + 1) % 3, odd = (first + 2) % 3;
    cut.push_back({0, 1 << first, (1 << first) | (1 << even), 7});
    cut.push_back({0, 1 << first, 7, (1 << first) | (1 << odd)});
  }
  return cut;
}

}  // namespace pliant
