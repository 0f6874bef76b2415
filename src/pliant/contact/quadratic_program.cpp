#include "pliant/contact/quadratic_program.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace pliant {

namespace {

double largest(const Vector& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0; }

/// The iterations of one program, in scaled rows: w = g + A y.
class Splitting {
 public:
  Splitting(const QuadraticProgram::Options& options, const Eigen::MatrixXd& A, const Vector& free,
            std::span<const VelocityBound> bounds)
      : options_(options), count_(A.rows()), scale_(count_), least_(count_), limit_(count_) {
    for (Index r = 0; r < count_; ++r) {
      scale_[r] = A(r, r) > 0 ? 1 / std::sqrt(A(r, r)) : 1;
      least_[r] = scale_[r] * bounds[static_cast<size_t>(r)].least;
      limit_[r] =
          bounds[static_cast<size_t>(r)].limit < 0 ? -1 : bounds[static_cast<size_t>(r)].limit / scale_[r];
    }
    A_ = scale_.asDiagonal() * A * scale_.asDiagonal();
    g_ = scale_.cwiseProduct(free);
  }

  ProgramReport run(Vector& impulses) {
    y_ = Vector::Zero(count_);
    if (impulses.size() == count_) y_ = impulses.cwiseQuotient(scale_);
    if (!A_.allFinite() || !g_.allFinite() || !least_.allFinite()) {
      report_.residual = report_.error = std::numeric_limits<double>::infinity();
    } else if (!options_.exact || !polish()) {
      z_ = g_ + A_ * y_;
      for (Index r = 0; r < count_; ++r)
        if (!is_friction(r)) z_[r] = std::max(z_[r], least_[r]);
      factor();
      while (report_.iterations < options_.max_iterations && !is_done()) iterate();
    }
    impulses = y_.cwiseProduct(scale_);
    return report_;
  }

 private:
  static constexpr double kRelaxation = 1.6;

  bool is_friction(Index r) const { return limit_[r] >= 0; }
  /// The impulse of a row that would be `wanted` if it made the row an equation.
  double allowed(Index r, double wanted) const {
    return is_friction(r) ? std::clamp(wanted, -limit_[r], limit_[r]) : std::max(wanted, 0.0);
  }
  /// Whether the row is an equation then.
  bool holds(Index r, double wanted) const {
    return is_friction(r) ? std::abs(wanted) < limit_[r] : wanted > 0;
  }

  void factor() {
    factor_.compute(Eigen::MatrixXd::Identity(count_, count_) + rho_ * A_);
    ++report_.factorisations;
  }

  /// With C + rho G^T G in place of A this is the iteration of OSQP: G (C + rho G^T G)^-1 (c + G^T (rho z +
  /// y)) = (I + rho A)^-1 (g + A (rho z + y)).
  void iterate() {
    ++report_.iterations;
    const Vector w = factor_.solve(g_ + A_ * (rho_ * z_ + y_));
    const Vector of_w = rho_ * (z_ - w) + y_, relaxed = kRelaxation * w + (1 - kRelaxation) * z_;
    change_ = y_;
    for (Index r = 0; r < count_; ++r) {
      const double wanted = rho_ * (least_[r] - relaxed[r]) + y_[r];
      y_[r] = allowed(r, wanted);
      z_[r] = least_[r] + (y_[r] - wanted) / rho_;
    }
    change_ = y_ - change_;
    primal_ = largest(w - z_) / std::max({largest(w), largest(z_), 1e-12});
    dual_ = largest(of_w - y_) / std::max({largest(of_w), largest(y_), 1e-12});
  }

  /// Looks every now and then.
  bool is_done() {
    constexpr int kLook = 10, kAdapt = 50;
    if (report_.iterations == 0 || report_.iterations % kLook != 0) return false;
    if (is_infeasible()) return true;
    if (measure()) return true;
    if (report_.iterations % kAdapt != 0) return false;
    // The exact answer is often within reach long before the splitting is that close.
    constexpr int kPivot = 200;
    if (options_.exact && (polish() || (report_.iterations % kPivot == 0 && pivot()))) return true;
    adapt();
    return false;
  }

  /// How well y meets the conditions of the answer: one step along the residual, cut off at the bounds, would
  /// not move it.
  bool measure() {
    const Vector w = g_ + A_ * y_;
    report_.residual = 0;
    for (Index r = 0; r < count_; ++r)
      report_.residual = std::max(report_.residual, std::abs(y_[r] - allowed(r, y_[r] - (w[r] - least_[r]))));
    const double size = std::max({largest(w), largest(least_), largest(g_), 1e-12});
    report_.error = report_.residual / size;
    if (report_.error > options_.tolerance) return false;
    report_.status = ProgramReport::Status::solved;
    return true;
  }

  /// The weight that makes both residuals fall alike.
  void adapt() {
    constexpr double kWorthIt = 5, kLeast = 1e-6, kMost = 1e6;
    const double ratio = std::sqrt(primal_ / std::max(dual_, 1e-300));
    const double wanted = std::clamp(rho_ * ratio, kLeast, kMost);
    if ((ratio < kWorthIt && ratio > 1 / kWorthIt) || wanted == rho_) return;
    rho_ = wanted;
    factor();
  }

  /// Impulses that grow along a combination of bounds that no velocity can change prove that these contradict
  /// each other.
  bool is_infeasible() {
    const double size = largest(change_);
    constexpr double kVanishes = 1e-6;
    if (!(size > 0) || largest(A_ * change_) > kVanishes * size) return false;
    for (Index r = 0; r < count_; ++r)
      if (is_friction(r) ? std::abs(change_[r]) > kVanishes * size : change_[r] < -kVanishes * size)
        return false;
    if (!(least_.dot(change_) > kVanishes * size)) return false;
    report_.status = ProgramReport::Status::infeasible;
    return true;
  }

  /// Guesses which bounds are active, solves for these as equations, and looks again; true where that ends
  /// with all conditions met. Redundant equations are no harm, since they are solved by steps of the method
  /// of multipliers.
  bool polish() {
    constexpr int kRounds = 20;
    Vector y(count_);
    std::vector<Index> active;
    const Vector start = g_ + A_ * y_;
    for (Index r = 0; r < count_; ++r) {
      const double wanted = y_[r] + least_[r] - start[r];
      y[r] = allowed(r, wanted);
      if (holds(r, wanted)) active.push_back(r);
    }
    for (int round = 0; round < kRounds; ++round) {
      if (!solve_equations(active, y)) return false;
      const Vector w = g_ + A_ * y;
      std::vector<Index> now;
      bool same = true;
      for (Index r = 0; r < count_; ++r) {
        const double wanted = y[r] + least_[r] - w[r], cut = allowed(r, wanted);
        if (holds(r, wanted)) {
          now.push_back(r);
        } else {
          same &= std::abs(cut - y[r]) <= 1e-9 * std::max(1e-12, largest(y));
          y[r] = cut;
        }
      }
      if (now == active && same) {
        const Vector before = std::exchange(y_, y);
        if (measure()) return report_.polished = true;
        y_ = before;
        return false;
      }
      active = std::move(now);
    }
    return false;
  }

  /// From where the splitting is, bound by bound: the one that is missed most becomes an equation, and goes
  /// as far as no other impulse leaves its bounds (Lawson and Hanson 1974). Ends where guessing all at once
  /// goes in circles.
  bool pivot() {
    const Vector before = y_;
    std::vector<char> is_free(static_cast<size_t>(count_));
    for (Index r = 0; r < count_; ++r) is_free[static_cast<size_t>(r)] = holds(r, y_[r]);
    const Index most = 3 * count_;
    for (Index pivots = 0; pivots < most; ++pivots) {
      while (!go_to_equations(is_free)) ++pivots;
      if (measure()) return report_.polished = true;
      const Vector left = least_ - g_ - A_ * y_;
      Index worst = -1;
      double missed = 0;
      for (Index r = 0; r < count_; ++r) {
        const double step = std::abs(allowed(r, y_[r] + left[r]) - y_[r]);
        if (!is_free[static_cast<size_t>(r)] && step > missed) {
          missed = step;
          worst = r;
        }
      }
      if (worst < 0) break;
      is_free[static_cast<size_t>(worst)] = true;
    }
    y_ = before;
    return false;
  }

  /// Towards the impulses that make equations of the free rows, as far as the bounds allow; false where one
  /// of them was reached, which is then no longer free.
  bool go_to_equations(std::vector<char>& is_free) {
    std::vector<Index> active;
    for (Index r = 0; r < count_; ++r)
      if (is_free[static_cast<size_t>(r)]) active.push_back(r);
    Vector aim = y_;
    solve_equations(active, aim);
    double share = 1;
    Index reached = -1;
    for (const Index r : active) {
      const double way = aim[r] - y_[r];
      if (allowed(r, aim[r]) == aim[r] || way == 0) continue;
      const double bound = is_friction(r) ? std::copysign(limit_[r], way) : 0;
      const double part = std::max(0.0, (bound - y_[r]) / way);
      if (part < share) {
        share = part;
        reached = r;
      }
    }
    for (const Index r : active) y_[r] = allowed(r, y_[r] + share * (aim[r] - y_[r]));
    if (reached < 0) return true;
    is_free[static_cast<size_t>(reached)] = false;
    return false;
  }

  /// Impulses of some rows such that w = least there; false where there are none.
  bool solve_equations(const std::vector<Index>& active, Vector& y) {
    if (active.empty()) return true;
    constexpr int kSteps = 12;
    constexpr double kLift = 1e-10, kRoundoff = 1e-12, kContradiction = 1e-6;
    Eigen::MatrixXd lifted = A_(active, active);
    lifted.diagonal().array() += kLift;
    const Eigen::LLT<Eigen::MatrixXd> factor(lifted);
    ++report_.factorisations;
    if (factor.info() != Eigen::Success) return false;
    const double size = std::max({largest(g_), largest(least_), 1e-12});
    double missed = 0;
    for (int step = 0; step < kSteps; ++step) {
      const Vector left = least_(active) - g_(active) - A_(active, Eigen::all) * y;
      missed = largest(left);
      if (missed <= kRoundoff * size) break;
      y(active) += factor.solve(left);
    }
    return missed <= kContradiction * size;
  }

  const QuadraticProgram::Options& options_;
  Index count_;
  Vector scale_, least_, limit_, g_;
  Eigen::MatrixXd A_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  double rho_ = 0.1, primal_ = 0, dual_ = 0;
  Vector y_, z_, change_;
  ProgramReport report_;
};

}  // namespace

ProgramReport QuadraticProgram::solve(const Eigen::MatrixXd& A, const Vector& free,
                                      std::span<const VelocityBound> bounds, Vector& impulses) const {
  return Splitting(options_, A, free, bounds).run(impulses);
}

}  // namespace pliant
