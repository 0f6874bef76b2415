#pragma once

#include <string>

#include "pliant/integrate/stage_scheme.hpp"

namespace pliant {

/// Weights of the generalised-alpha family: M a at t_n+1 - alpha_m dt equals the forces at
/// t_n+1 - alpha_f dt; positions and velocities follow as with Newmark.
struct AlphaWeights {
  double alpha_m = 0, alpha_f = 0, beta = 0.25, gamma = 0.5;

  /// Of second order, with spectral radius rho for infinitely stiff parts (Chung and Hulbert 1993).
  static AlphaWeights of(double rho);
};

/// Newmark's scheme and its relatives: one minimisation a step, second order, with the acceleration as
/// history. That starts anew from the forces after contact and where vertices are held or released; where
/// the step changes, it is moved to the moment that the new one wants it for, which keeps the order.
class GeneralizedAlpha final : public StageScheme {
 public:
  GeneralizedAlpha(std::string name, const AlphaWeights& weights) : name_(std::move(name)), w_(weights) {}

  std::string_view name() const override { return name_; }
  int order() const override { return 2; }
  /// Steps end where forces are taken, if alpha_f is 0.
  Demands offers() const override { return {.ends_with_stage = w_.alpha_f == 0}; }
  double booked_at_end() const override { return 0.5; }
  std::span<const char* const> history() const override;
  std::optional<Plan> next(const State& start, double dt, std::span<const Answer> so_far) const override;
  void combine(const State& start, double dt, std::span<const Answer> answers, State& end) const override;

 private:
  /// At the start of the step. What is kept is the acceleration a fixed share of the step before off that
  /// moment, to second order, and is wanted the same share of this step off.
  struct Start {
    const Vector* kept = nullptr;
    double ratio = 1;    ///< of this step to the one before
    bool forces = true;  ///< whether those of the start are needed
    Vector acceleration(std::span<const Answer> answers) const;
  };
  Start at_start(const State& start, double dt) const;

  std::string name_;
  AlphaWeights w_;
};

}  // namespace pliant
