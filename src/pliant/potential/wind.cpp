#include "pliant/potential/wind.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <numeric>

#include "pliant/base/parallel.hpp"

namespace pliant {

namespace {

constexpr Index kAtOnce = 4096;

Vec3 mean_of(const std::array<int, 3>& triangle, const Vector& values) {
  Vec3 sum = Vec3::Zero();
  for (const int vertex : triangle) sum += values.segment<3>(3 * Index{vertex});
  return sum / 3;
}

}  // namespace

Vec3 Air::at(double t) const { return velocity + std::sin(2 * std::numbers::pi * frequency * t) * gust; }

Wind::Wind(std::vector<std::array<int, 3>> triangles, const Air& air, double drag)
    : triangles_(std::move(triangles)), air_(air), drag_(drag) {
  std::vector<int> order(triangles_.size());
  std::iota(order.begin(), order.end(), 0);
  schedule_ = std::make_shared<ElementSchedule>(
      std::span<const int>(triangles_.data()->data(), 3 * triangles_.size()), 3, std::move(order));
}

void Wind::attach(const BlockPattern& pattern) {
  slots_.resize(triangles_.size());
  for (size_t t = 0; t < triangles_.size(); ++t)
    for (size_t k = 0; k < 3; ++k) {
      const int a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
      slots_[t][k] = pattern.diagonal(a);
      slots_[t][3 + k] = pattern.find(a, b).block;
    }
}

void Wind::begin_stage(const Stage& stage) {
  c_v_ = stage.c_v;
  now_ = air_.at(stage.time);
  pressed_.resize(triangles_.size());
  const auto place = [&](int vertex) -> Vec3 { return stage.x_a.segment<3>(3 * Index{vertex}); };
  parallel_chunks(contributions(), kAtOnce, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      const auto& [a, b, c] = triangles_[t];
      Pressed& pressed = pressed_[t];
      pressed.normal = (place(b) - place(a)).cross(place(c) - place(a));
      const double twice = pressed.normal.norm();
      if (twice > 0) pressed.normal /= twice;
      pressed.size = drag_ / 2 * twice;
      pressed.offset = pressed.normal.dot(c_v_ * mean_of(triangles_[t], stage.x_v) + now_);
    }
  });
}

void Wind::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  schedule_->for_each_chunk([&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      const Pressed& pressed = pressed_[t];
      const double speed = c_v_ * pressed.normal.dot(mean_of(triangles_[t], x)) - pressed.offset;
      energies[t] = c_v_ > 0 ? pressed.size / (2 * c_v_) * speed * speed : 0;
      if (!gradient) continue;
      const Vec3 share = pressed.size * speed / 3 * pressed.normal;
      for (const int vertex : triangles_[t]) gradient->segment<3>(3 * Index{vertex}) += share;
    }
  });
}

void Wind::add_hessian(const Vector&, Definiteness, BlockMatrix& hessian) const {
  schedule_->for_each_chunk([&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      const Vec3 n = pressed_[t].normal;
      const Mat3 share = c_v_ * pressed_[t].size / 9 * n * n.transpose();
      for (const Index slot : slots_[t]) {
        double* block = hessian.block(slot);
        for (int k = 0; k < 9; ++k) block[k] += share.data()[k];
      }
    }
  });
}

void Wind::add_pattern(std::vector<std::pair<int, int>>& edges) const {
  for (const auto& [a, b, c] : triangles_)
    for (const auto& edge : {std::pair(a, b), {b, c}, {c, a}}) edges.push_back(edge);
}

double Wind::stiffness() const {
  double sum = 0;
  for (const Pressed& pressed : pressed_) sum += c_v_ / 3 * pressed.size;
  return sum;
}

StageTerm::Power Wind::power(const Vector&, const Vector& v, const Interval&) const {
  const auto sum_of = [&](const auto& share) {
    return parallel_sum(contributions(), kAtOnce, [&](Index begin, Index end) {
      double sum = 0;
      for (Index t = begin; t < end; ++t) {
        const Pressed& pressed = pressed_[t];
        sum += share(pressed, pressed.size * pressed.normal.dot(mean_of(triangles_[t], v) - now_));
      }
      return sum;
    });
  };
  return {.supplied = sum_of([&](const Pressed& p, double force) { return -force * p.normal.dot(now_); }),
          .dissipated = sum_of(
              [&](const Pressed& p, double force) { return p.size > 0 ? force * force / p.size : 0; })};
}

std::unique_ptr<StageTerm> Wind::stage_sub_model(const SubModel& sub_model) const {
  std::vector<std::array<int, 3>> triangles;
  for (std::array<int, 3> triangle : triangles_) {
    bool moves = false, present = true;
    for (int& vertex : triangle) {
      const int local = sub_model.local(vertex);
      present &= local >= 0;
      moves |= local >= 0 && sub_model.free[static_cast<size_t>(local)];
      vertex = local;
    }
    if (moves && present) triangles.push_back(triangle);
  }
  if (triangles.empty()) return nullptr;
  return std::make_unique<Wind>(std::move(triangles), air_, drag_);
}

}  // namespace pliant
