#include "pliant/system/consistent_mass.hpp"

#include <map>

#include "pliant/base/parallel.hpp"

namespace pliant {

ConsistentMass::ConsistentMass(int vertex_count, std::span<const MassPair> pairs) {
  std::vector<std::map<int, double>> of(static_cast<size_t>(vertex_count));
  for (const auto& [a, b, mass] : pairs) {
    of[a][b] += mass;
    of[b][a] += mass;
  }
  for (const auto& neighbours : of) {
    start_.push_back(std::ssize(other_));
    for (const auto& [other, mass] : neighbours) {
      other_.push_back(other);
      mass_.push_back(mass);
    }
  }
  start_.push_back(std::ssize(other_));
}

void ConsistentMass::multiply(const Vector& d, Vector& result) const {
  result.resize(d.size());
  parallel_chunks(std::ssize(start_) - 1, 4096, [&](Index begin, Index end) {
    for (Index a = begin; a < end; ++a) {
      Vec3 sum = Vec3::Zero();
      for (Index k = start_[a]; k < start_[a + 1]; ++k)
        sum += mass_[k] * (d.segment<3>(3 * Index{other_[k]}) - d.segment<3>(3 * a));
      result.segment<3>(3 * a) = sum;
    }
  });
}

std::vector<MassPair> ConsistentMass::pairs() const {
  std::vector<MassPair> all;
  for (int a = 0; a + 1 < std::ssize(start_); ++a)
    for (Index k = start_[a]; k < start_[a + 1]; ++k)
      if (a < other_[k]) all.push_back({a, other_[k], mass_[k]});
  return all;
}

ConsistentMass ConsistentMass::sub_model(const SubModel& sub_model) const {
  std::vector<MassPair> inside;
  for (const auto& [a, b, mass] : pairs())
    if (const int i = sub_model.local(a), j = sub_model.local(b); i >= 0 && j >= 0)
      inside.push_back({i, j, mass});
  return {static_cast<int>(sub_model.vertices.size()), inside};
}

BlockMatrix ConsistentMass::matrix(const BlockPattern& pattern) const {
  BlockMatrix S(pattern);
  S.set_zero();
  for (const auto& [a, b, mass] : pairs()) {
    const Mat3 shared = mass * Mat3::Identity();
    S.add_block(a, b, shared);
    S.add_diagonal_block(a, -shared);
    S.add_diagonal_block(b, -shared);
  }
  return S;
}

}  // namespace pliant
