#pragma once

#include <array>

#include "pliant/potential/element_schedule.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

/// How the air moves: a steady wind and a gust that comes and goes.
struct Air {
  Vec3 velocity = Vec3::Zero();  ///< m/s
  Vec3 gust = Vec3::Zero();      ///< m/s on top at its strongest, and as much less at its weakest
  double frequency = 0;          ///< of the gusts, Hz

  Vec3 at(double t) const;
};

/// Wind on the triangles of surfaces: a force drag area (n . (w - v)) n, n the normal, v the velocity of the
/// triangle and w that of the air. Normals and areas are those at the stage's centre x_a, where vertices get
/// without forces; then it is the gradient of the convex quadratic drag area / (2 c_v) (n . (v(x) - w))^2.
class Wind final : public StageTerm {
 public:
  /// `drag` in kg/(m^2 s).
  Wind(std::vector<std::array<int, 3>> triangles, const Air& air, double drag);

  Index contributions() const override { return std::ssize(triangles_); }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override;
  void add_hessian(const Vector& x, Definiteness definiteness, BlockMatrix& hessian) const override;
  void add_pattern(std::vector<std::pair<int, int>>& edges) const override;
  void attach(const BlockPattern& pattern) override;

  std::unique_ptr<StageTerm> clone() const override { return std::make_unique<Wind>(*this); }
  std::unique_ptr<StageTerm> stage_sub_model(const SubModel& sub_model) const override;
  void begin_stage(const Stage& stage) override;
  double stiffness() const override;
  std::string_view energy() const override { return {}; }
  double stored(const Vector&, double) const override { return 0; }
  Power power(const Vector& x, const Vector& v, const Interval& during) const override;

 private:
  /// At the stage's centre.
  struct Pressed {
    Vec3 normal = Vec3::Zero();
    double size = 0;    ///< drag times the area
    double offset = 0;  ///< along the normal: c_v x_v, and the velocity of the air
  };

  std::vector<std::array<int, 3>> triangles_;
  std::shared_ptr<const ElementSchedule> schedule_;
  std::vector<std::array<Index, 6>> slots_;  ///< blocks of each triangle: of its corners, then of its edges
  Air air_;
  double drag_;
  std::vector<Pressed> pressed_;
  double c_v_ = 0;
  Vec3 now_ = Vec3::Zero();  ///< velocity of the air at the stage's time
};

}  // namespace pliant
