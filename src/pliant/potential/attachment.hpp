#pragma once

#include "pliant/potential/capabilities.hpp"
#include "pliant/potential/motion.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

/// Soft attachment: a spring k/2 |x_i - a_i(t)|^2 from each chosen vertex to a target that may move.
class Attachment final : public StageTerm, public ConstantProxy, public ConstantHessian {
 public:
  /// `start` is where the target of each vertex is before the motion; `stiffness` in N/m for each vertex.
  Attachment(std::vector<int> vertices, std::vector<Vec3> start, Motion motion, double stiffness);

  Index contributions() const override { return std::ssize(vertices_); }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override;
  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override;
  void add_proxy(const StretchRange&, ScalarMatrix& proxy) const override {
    for (const int vertex : vertices_) proxy.add_diagonal(vertex, stiffness_);
  }
  bool is_projective() const override { return true; }

  std::unique_ptr<StageTerm> clone() const override { return std::make_unique<Attachment>(*this); }
  std::unique_ptr<StageTerm> stage_sub_model(const SubModel& sub_model) const override;
  void begin_stage(const Stage& stage) override;
  double next_key(double t) const override { return motion_.next_key(t); }
  double stiffness() const override { return 3 * stiffness_ * static_cast<double>(vertices_.size()); }
  std::string_view energy() const override { return kAttachmentEnergy; }
  double stored(const Vector& x, double t) const override;
  Power power(const Vector& x, const Vector& v, const Interval& during) const override;

 private:
  std::vector<int> vertices_;
  std::vector<Vec3> start_;
  Motion motion_;
  double stiffness_;
  std::vector<Vec3> targets_;  ///< at the stage's time
};

}  // namespace pliant
