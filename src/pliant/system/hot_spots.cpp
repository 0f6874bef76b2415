#include "pliant/system/hot_spots.hpp"

#include <algorithm>
#include <numeric>

#include "pliant/minimize/descend.hpp"
#include "pliant/minimize/directions.hpp"
#include "pliant/minimize/line_searches.hpp"
#include "pliant/system/stage_objective.hpp"

namespace pliant {

namespace {
constexpr int kOutside = -1, kInside = -2;  ///< of a region, not yet in a piece of it
}

void HotSpots::list_neighbours() {
  const BlockPattern& pattern = model_.pattern;
  const auto for_each_pair = [&](auto visit) {
    for (int row = 0; row < pattern.rows(); ++row)
      for (const int column : pattern.columns_of(row))
        if (column != pattern.vertex(row)) visit(pattern.vertex(row), column);
  };
  start_.assign(pattern.rows() + 1, 0);
  for_each_pair([&](int a, int b) {
    ++start_[a + 1];
    ++start_[b + 1];
  });
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  neighbours_.resize(start_.back());
  std::vector<int> next(start_.begin(), start_.end() - 1);
  for_each_pair([&](int a, int b) {
    neighbours_[next[a]++] = b;
    neighbours_[next[b]++] = a;
  });
}

std::vector<Piece> HotSpots::find(const Vector& gradient) {
  const int count = model_.vertex_count();
  std::vector<double> heat(count);  // squares of velocities, times masses
  for (int i = 0; i < count; ++i) heat[i] = gradient.segment<3>(3 * Index{i}).squaredNorm() / model_.mass[i];
  constexpr double kHot = 100;     // times the mean
  constexpr int kRings = 2;        // around
  constexpr double kShare = 0.03;  // of the vertices at most
  const double hot = kHot * std::accumulate(heat.begin(), heat.end(), 0.0) / count;
  std::vector<int> region;
  std::vector<int> piece_of(count, kOutside);
  const auto take = [&](int vertex) {
    if (piece_of[vertex] == kOutside) region.push_back(vertex);
    piece_of[vertex] = kInside;
  };
  for (int i = 0; i < count; ++i)
    if (heat[i] > hot) take(i);
  if (region.empty() || std::ssize(region) > kShare * count) return {};
  if (start_.empty()) list_neighbours();
  for (int ring = 0; ring < kRings; ++ring)
    for (size_t k = 0, last = region.size(); k < last; ++k)
      for (const int other : neighbours(region[k])) take(other);
  if (std::ssize(region) > kShare * count) return {};
  return split(region, piece_of);
}

std::vector<Piece> HotSpots::split(const std::vector<int>& region, std::vector<int>& piece_of) const {
  std::vector<Piece> pieces;
  for (const int seed : region) {
    if (piece_of[seed] != kInside) continue;
    const int number = static_cast<int>(pieces.size());
    std::vector<int> members{seed};
    piece_of[seed] = number;
    for (size_t k = 0; k < members.size(); ++k)
      for (const int other : neighbours(members[k]))
        if (piece_of[other] == kInside) {
          piece_of[other] = number;
          members.push_back(other);
        }
    Piece piece;
    piece.vertices = members;
    for (const int member : members)
      piece.vertices.insert(piece.vertices.end(), neighbours(member).begin(), neighbours(member).end());
    std::sort(piece.vertices.begin(), piece.vertices.end());
    piece.vertices.erase(std::unique(piece.vertices.begin(), piece.vertices.end()), piece.vertices.end());
    for (const int vertex : piece.vertices) piece.free.push_back(piece_of[vertex] == number);
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

int HotSpots::relax(const Stage& stage, const Piece& piece, const std::vector<char>& fixed, double tolerance,
                    Vector& x) const {
  const std::unique_ptr<Model> model = model_.piece(piece, fixed);
  StageObjective objective(*model, ResidualNorm::velocity);
  objective.begin(stage.of(piece));
  constexpr double kSigma = 0.1;
  NewtonCg direction(kSigma);
  StrongWolfe search;
  Vector moved = piece.taken(x);
  // A few are enough: what is left over is found again.
  const Outcome outcome =
      descend(objective, direction, search, {.tolerance = tolerance, .max_iterations = 30}, moved);
  piece.put(moved, x);
  return outcome.linear_solves;
}

}  // namespace pliant
