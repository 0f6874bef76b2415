#include "pliant/potential/attachment.hpp"

namespace pliant {

Attachment::Attachment(std::vector<int> vertices, std::vector<Vec3> start, Motion motion, double stiffness)
    : vertices_(std::move(vertices)),
      start_(std::move(start)),
      motion_(std::move(motion)),
      stiffness_(stiffness),
      targets_(start_) {}

void Attachment::evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const {
  for (size_t i = 0; i < vertices_.size(); ++i) {
    const Vec3 offset = x.segment<3>(3 * Index{vertices_[i]}) - targets_[i];
    energies[i] = 0.5 * stiffness_ * offset.squaredNorm();
    if (gradient) gradient->segment<3>(3 * Index{vertices_[i]}) += stiffness_ * offset;
  }
}

void Attachment::add_hessian(const Vector&, Definiteness, BlockMatrix& hessian) const {
  for (const int vertex : vertices_)
    for (int k = 0; k < 3; ++k) hessian.block(hessian.pattern().diagonal(vertex))[4 * k] += stiffness_;
}

std::unique_ptr<StageTerm> Attachment::stage_sub_model(const SubModel& sub_model) const {
  std::vector<int> vertices;
  std::vector<Vec3> start;
  for (size_t i = 0; i < vertices_.size(); ++i) {
    const int local = sub_model.local(vertices_[i]);
    if (local < 0) continue;
    vertices.push_back(local);
    start.push_back(start_[i]);
  }
  if (vertices.empty()) return nullptr;
  return std::make_unique<Attachment>(std::move(vertices), std::move(start), motion_, stiffness_);
}

void Attachment::begin_stage(const Stage& stage) {
  for (size_t i = 0; i < start_.size(); ++i) targets_[i] = motion_.position(start_[i], stage.time);
}

double Attachment::stored(const Vector& x, double t) const {
  double sum = 0;
  for (size_t i = 0; i < vertices_.size(); ++i)
    sum += 0.5 * stiffness_ *
           (x.segment<3>(3 * Index{vertices_[i]}) - motion_.position(start_[i], t)).squaredNorm();
  return sum;
}

StageTerm::Power Attachment::power(const Vector& x, const Vector&, const Interval& during) const {
  Power power;
  for (size_t i = 0; i < vertices_.size(); ++i) {
    const Vec3 offset = x.segment<3>(3 * Index{vertices_[i]}) - targets_[i];
    power.supplied -= stiffness_ * offset.dot(motion_.mean_velocity(start_[i], during));
  }
  return power;
}

}  // namespace pliant
