#include "pliant/potential/wind.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace pliant {

namespace {

Vec3 mean_of(const std::array<int, 3>& triangle, const Vector& values) {
  Vec3 sum = Vec3::Zero();
  for (const int vertex : triangle) sum += values.segment<3>(3 * Index{vertex});
  return sum / 3;
}

}  // namespace

Vec3 Air::at(double t) const { return velocity + std::sin(2 * std::numbers::pi * frequency * t) * gust; }

void Wind::begin_stage(const Stage& stage) {
  c_v_ = stage.c_v;
  x_v_ = stage.x_v;
  now_ = air_.at(stage.time);
  normals_.resize(triangles_.size());
  const auto place = [&](int vertex) -> Vec3 { return stage.x_a.segment<3>(3 * Index{vertex}); };
  for (size_t t = 0; t < triangles_.size(); ++t) {
    const auto& [a, b, c] = triangles_[t];
    normals_[t] = drag_ / 2 * (place(b) - place(a)).cross(place(c) - place(a));
  }
}

void Wind::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  for (size_t t = 0; t < triangles_.size(); ++t) {
    const double size = normals_[t].norm();
    energies[t] = 0;
    if (size == 0) continue;
    const Vec3 v = c_v_ * (mean_of(triangles_[t], x) - mean_of(triangles_[t], x_v_));
    const double speed = normals_[t].dot(v - now_) / size;
    energies[t] = size / (2 * c_v_) * speed * speed;
    if (!gradient) continue;
    for (const int vertex : triangles_[t]) gradient->segment<3>(3 * Index{vertex}) += speed / 3 * normals_[t];
  }
}

void Wind::add_hessian(const Vector&, Definiteness, BlockMatrix& hessian) const {
  for (size_t t = 0; t < triangles_.size(); ++t) {
    const double size = normals_[t].norm();
    if (size == 0) continue;
    const Mat3 block = c_v_ / (9 * size) * normals_[t] * normals_[t].transpose();
    const auto& [a, b, c] = triangles_[t];
    for (const int vertex : {a, b, c}) hessian.add_diagonal_block(vertex, block);
    for (const auto& [first, second] : {std::pair(a, b), {b, c}, {c, a}})
      hessian.add_block(first, second, block);
  }
}

void Wind::add_pattern(std::vector<std::pair<int, int>>& edges) const {
  for (const auto& [a, b, c] : triangles_)
    for (const auto& edge : {std::pair(a, b), {b, c}, {c, a}}) edges.push_back(edge);
}

double Wind::stiffness() const {
  double sum = 0;
  for (const Vec3& normal : normals_) sum += c_v_ / 3 * normal.norm();
  return sum;
}

StageTerm::Power Wind::power(const Vector&, const Vector& v, const Interval&) const {
  Power power;
  for (size_t t = 0; t < triangles_.size(); ++t) {
    const double size = normals_[t].norm();
    if (size == 0) continue;
    const double speed = normals_[t].dot(mean_of(triangles_[t], v) - now_) / size;
    power.dissipated += size * speed * speed;
    power.supplied -= speed * normals_[t].dot(now_);
  }
  return power;
}

std::unique_ptr<StageTerm> Wind::stage_piece(const Piece& piece) const {
  std::vector<std::array<int, 3>> triangles;
  for (std::array<int, 3> triangle : triangles_) {
    bool moves = false, present = true;
    for (int& vertex : triangle) {
      const int local = piece.local(vertex);
      present &= local >= 0;
      moves |= local >= 0 && piece.free[static_cast<size_t>(local)];
      vertex = local;
    }
    if (moves && present) triangles.push_back(triangle);
  }
  if (triangles.empty()) return nullptr;
  return std::make_unique<Wind>(std::move(triangles), air_, drag_);
}

}  // namespace pliant
