#pragma once

#include "pliant/integrate/stage_scheme.hpp"
#include "pliant/integrate/tableau.hpp"

namespace pliant {

/// A diagonally implicit Runge-Kutta scheme (loschner-2020, section 3.2.3). Each implicit stage is a
/// minimisation as that of backward Euler is, with the same safeguards and the same obstacles: from
///   U_i = (x - u_i) / (a_ii h) and V_i = (x - u_i - a_ii h v_i) / (a_ii h)^2,
/// u_i and v_i what is known before the stage (equation 9), M V_i = f is the gradient of
///   1/(2 (a_ii h)^2) |x - u_i - a_ii h v_i|^2_M + Phi(x).
class RungeKutta final : public StageScheme {
 public:
  explicit RungeKutta(Tableau tableau) : tableau_(std::move(tableau)) {}

  std::string_view name() const override { return tableau_.name; }
  int order() const override { return tableau_.order; }
  Demands offers() const override;
  std::optional<Plan> next(const State& start, double dt, std::span<const Answer> so_far) const override;
  void combine(const State& start, double dt, std::span<const Answer> answers, State& end) const override;
  std::optional<StepError> error(double dt, std::span<const Answer> answers) const override;

 private:
  Tableau tableau_;
};

}  // namespace pliant
