#include "pliant/meshing/relocate.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {
constexpr double kGoodShape = 0.4;  // mean ratio that needs no care
constexpr int kSweeps = 6;
}  // namespace

double mean_ratio(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const double volume = signed_volume(a, b, c, d);
  const double squares = (a - b).squaredNorm() + (a - c).squaredNorm() + (a - d).squaredNorm() +
                         (b - c).squaredNorm() + (b - d).squaredNorm() + (c - d).squaredNorm();
  return std::copysign(12 * std::cbrt(9 * volume * volume) / squares, volume);
}

Relocator::Relocator(const Shape& shape, Stuffing& stuffing)
    : shape_(shape),
      x_(stuffing.mesh.vertices),
      tets_(stuffing.mesh.tets),
      on_surface_(stuffing.on_surface),
      start_(x_.size() + 1, 0) {
  for (const auto& tet : tets_)
    for (const int v : tet) ++start_[v + 1];
  for (size_t v = 0; v < x_.size(); ++v) start_[v + 1] += start_[v];
  incident_.resize(start_.back());
  std::vector<int> next(start_.begin(), start_.end() - 1);
  for (size_t t = 0; t < tets_.size(); ++t)
    for (const int v : tets_[t]) incident_[next[v]++] = static_cast<int>(t);
}

void Relocator::run(const std::vector<char>& fixed, const std::vector<char>& spare) {
  spare_ = spare;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool any = false;
    for (int vertex = 0; vertex < std::ssize(x_); ++vertex) {
      if (fixed[vertex] || around(vertex).empty()) continue;
      double worst = worst_around(vertex);
      if (worst >= kGoodShape) continue;
      const double largest = reach(vertex);
      for (double step = 0.2 * largest; worst < kGoodShape && step > 0.01 * largest; step /= 2)
        while (worst < kGoodShape && improve(vertex, step, worst)) any = true;
    }
    if (!any) return;
  }
}

double Relocator::worst_around(int vertex) const {
  double worst = 1;
  for (const int t : around(vertex)) {
    if (spare_[t]) continue;
    const auto& [a, b, c, d] = tets_[t];
    worst = std::min(worst, mean_ratio(x_[a], x_[b], x_[c], x_[d]));
  }
  return worst;
}

/// The mean length of the edges around.
double Relocator::reach(int vertex) const {
  double sum = 0;
  for (const int t : around(vertex))
    for (const int v : tets_[t]) sum += (x_[v] - x_[vertex]).norm();
  return sum / static_cast<double>(3 * around(vertex).size());
}

bool Relocator::improve(int vertex, double step, double& worst) {
  const Vec3 start = x_[vertex];
  Vec3 best = start;
  const Vec3 normal = on_surface_[vertex] ? shape_.distance_jet(start).gradient : Vec3::Zero();
  for (int direction = 0; direction < 26; ++direction) {
    const int code = direction < 13 ? direction : direction + 1;  // of 27, all but the middle
    x_[vertex] = start + step * Vec3(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1).normalized();
    if (on_surface_[vertex] && !back_to_face(vertex, normal)) continue;
    const double here = worst_around(vertex);
    constexpr double kEnough = 1e-3;
    if (here > worst + kEnough) worst = here, best = x_[vertex];
  }
  x_[vertex] = best;
  return best != start;
}

bool Relocator::back_to_face(int vertex, const Vec3& normal) {
  constexpr double kSameFace = 0.95;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const Jet jet = shape_.distance_jet(x_[vertex]);
    if (jet.gradient.dot(normal) < kSameFace) return false;
    x_[vertex] -= jet.value * jet.gradient;
  }
  return std::abs(shape_.distance(x_[vertex])) < 1e-6 * reach(vertex);
}

}  // namespace pliant
