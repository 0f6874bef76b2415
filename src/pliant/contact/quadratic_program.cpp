#include "pliant/contact/quadratic_program.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

double largest(const Vector& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0; }

Vector diagonal_of(const BlockMatrix& C) {
  Vector diagonal(3 * Index{C.rows()});
  for (int vertex = 0; vertex < C.rows(); ++vertex)
    for (int k = 0; k < 3; ++k)
      diagonal[3 * Index{vertex} + k] = C.block(C.pattern().diagonal(vertex))[4 * k];
  for (const ExtraBlock& extra : C.extra_blocks())
    if (extra.a == extra.b) diagonal.segment<3>(3 * Index{extra.a}) += extra.values.diagonal();
  return diagonal;
}

}  // namespace

/// G of a program, with rows scaled to length 1 in the unknowns that make C's diagonal 1.
class QuadraticProgram::Rows {
 public:
  Rows(std::span<const VelocityBound> bounds, const Vector& diagonal)
      : bounds_(bounds.begin(), bounds.end()) {
    scale_.resize(std::ssize(bounds_));
    least_.resize(std::ssize(bounds_));
    limit_.resize(std::ssize(bounds_));
    for (size_t r = 0; r < bounds_.size(); ++r) {
      double squared = 0;
      for (int k = 0; k < 4 && bounds_[r].vertices[k] >= 0; ++k)
        squared += bounds_[r]
                       .coefficients[k]
                       .cwiseAbs2()
                       .cwiseQuotient(diagonal.segment<3>(3 * Index{bounds_[r].vertices[k]}))
                       .sum();
      scale_[r] = squared > 0 ? 1 / std::sqrt(squared) : 1;
      for (Vec3& coefficients : bounds_[r].coefficients) coefficients *= scale_[r];
      least_[r] = scale_[r] * bounds_[r].least;
      limit_[r] = bounds_[r].limit < 0 ? -1 : bounds_[r].limit / scale_[r];
    }
  }

  Index count() const { return std::ssize(bounds_); }
  const Vector& least() const { return least_; }
  const Vector& scale() const { return scale_; }
  bool is_friction(Index r) const { return limit_[r] >= 0; }
  /// The multiplier that a row has where it would be `wanted` if it made the row an equation.
  double allowed(Index r, double wanted) const {
    return is_friction(r) ? std::clamp(wanted, -limit_[r], limit_[r]) : std::max(wanted, 0.0);
  }
  /// Whether the row is an equation then.
  bool holds(Index r, double wanted) const {
    return is_friction(r) ? std::abs(wanted) < limit_[r] : wanted > 0;
  }

  Vector times(const Vector& v) const {
    Vector product = Vector::Zero(count());
    for (Index r = 0; r < count(); ++r)
      for_each(r, [&](int vertex, const Vec3& g) { product[r] += g.dot(v.segment<3>(3 * Index{vertex})); });
    return product;
  }
  /// v += G^T y
  void add_transposed(const Vector& y, Vector& v) const {
    for (Index r = 0; r < count(); ++r)
      if (y[r] != 0)
        for_each(r, [&](int vertex, const Vec3& g) { v.segment<3>(3 * Index{vertex}) += y[r] * g; });
  }
  /// matrix += weight g g^T of a row
  void add_square(Index r, double weight, BlockMatrix& matrix) const {
    const VelocityBound& row = bounds_[r];
    for (int a = 0; a < 4 && row.vertices[a] >= 0; ++a) {
      matrix.add_diagonal_block(row.vertices[a],
                                weight * row.coefficients[a] * row.coefficients[a].transpose());
      for (int b = 0; b < a; ++b)
        matrix.add_block(row.vertices[a], row.vertices[b],
                         weight * row.coefficients[a] * row.coefficients[b].transpose());
    }
  }

 private:
  template <class Visit>
  void for_each(Index r, const Visit& visit) const {
    for (int k = 0; k < 4 && bounds_[r].vertices[k] >= 0; ++k)
      visit(bounds_[r].vertices[k], bounds_[r].coefficients[k]);
  }

  std::vector<VelocityBound> bounds_;
  Vector scale_, least_, limit_;
};

/// The iterations of one program. Unknowns are those of the scaled program times the roots of C's diagonal:
/// then no scaled matrix is needed, and sigma I becomes sigma diag(C).
class QuadraticProgram::Splitting {
 public:
  Splitting(QuadraticProgram& program, const BlockMatrix& C, const Vector& c,
            std::span<const VelocityBound> bounds)
      : program_(program),
        C_(C),
        c_(c),
        diagonal_(diagonal_of(C)),
        root_(diagonal_.cwiseSqrt()),
        rows_(bounds, diagonal_) {}

  ProgramReport run(Vector& v, Vector& multipliers) {
    x_ = v;
    y_ = Vector::Zero(rows_.count());
    if (multipliers.size() == rows_.count()) y_ = -multipliers.cwiseQuotient(rows_.scale());
    z_ = rows_.times(x_);
    for (Index r = 0; r < rows_.count(); ++r)
      if (!rows_.is_friction(r)) z_[r] = std::max(z_[r], rows_.least()[r]);
    factor();
    while (report_.iterations < program_.options_.max_iterations) {
      iterate();
      constexpr int kLook = 10, kAdapt = 50;
      if (report_.iterations % kLook != 0) continue;
      measure();
      if (is_infeasible()) break;
      const double tolerance = program_.options_.tolerance;
      if (report_.primal <= tolerance * primal_size_ && report_.dual <= tolerance * dual_size_) {
        report_.status = ProgramReport::Status::solved;
        break;
      }
      // The exact answer is often within reach long before the splitting is that close.
      if (report_.iterations % kAdapt == 0) {
        if (polish()) break;
        adapt();
        factor();
      }
    }
    const bool contradicts = report_.status == ProgramReport::Status::infeasible;
    if (!report_.polished && !contradicts) polish();
    v = x_;
    multipliers = -y_.cwiseProduct(rows_.scale());
    return report_;
  }

 private:
  static constexpr double kSigma = 1e-6, kRelaxation = 1.6;

  void factor() {
    weighted_ = C_;
    weighted_.add_diagonal(kSigma * diagonal_);
    for (Index r = 0; r < rows_.count(); ++r) rows_.add_square(r, rho_, weighted_);
    program_.factor_->factor(program_.merged_.of(weighted_));
    ++report_.factorisations;
  }

  void iterate() {
    ++report_.iterations;
    Vector rhs = kSigma * diagonal_.cwiseProduct(x_) + c_;
    rows_.add_transposed(rho_ * z_ - y_, rhs);
    program_.factor_->solve(rhs, solved_);
    x_ += kRelaxation * (solved_ - x_);
    const Vector relaxed = kRelaxation * rows_.times(solved_) + (1 - kRelaxation) * z_;
    change_ = -y_;
    for (Index r = 0; r < rows_.count(); ++r) {
      const double wanted = rho_ * (rows_.least()[r] - relaxed[r]) - y_[r],
                   multiplier = rows_.allowed(r, wanted);
      z_[r] = rows_.least()[r] + (multiplier - wanted) / rho_;
      y_[r] = -multiplier;
    }
    change_ += y_;
  }

  void measure() {
    const Vector Gx = rows_.times(x_);
    Vector Cx, Gy = Vector::Zero(x_.size());
    C_.multiply(x_, Cx);
    rows_.add_transposed(y_, Gy);
    report_.primal = largest(Gx - z_);
    report_.dual = largest((Cx - c_ + Gy).cwiseQuotient(root_));
    primal_size_ = std::max({largest(Gx), largest(z_), 1e-12});
    dual_size_ = std::max({largest(Cx.cwiseQuotient(root_)), largest(c_.cwiseQuotient(root_)),
                           largest(Gy.cwiseQuotient(root_)), 1e-12});
  }

  /// Chooses the weight that makes both residuals fall alike.
  void adapt() {
    constexpr double kWorthIt = 5, kLeast = 1e-6, kMost = 1e6;
    const double ratio =
        std::sqrt((report_.primal / primal_size_) / std::max(report_.dual / dual_size_, 1e-300));
    if (ratio < kWorthIt && ratio > 1 / kWorthIt) return;
    const double wanted = std::clamp(rho_ * ratio, kLeast, kMost);
    rho_ = wanted;
  }

  /// Multipliers that grow along a combination of bounds that no velocity can change prove that these
  /// contradict each other.
  bool is_infeasible() {
    const double size = largest(change_);
    constexpr double kVanishes = 1e-6;
    if (!(size > 0)) return false;
    Vector pushed = Vector::Zero(x_.size());
    rows_.add_transposed(change_, pushed);
    if (largest(pushed.cwiseQuotient(root_)) > kVanishes * size) return false;
    double proof = 0;
    for (Index r = 0; r < rows_.count(); ++r)
      if (!rows_.is_friction(r)) proof += rows_.least()[r] * std::min(change_[r], 0.0);
    if (!(proof < -kVanishes * size)) return false;
    report_.status = ProgramReport::Status::infeasible;
    return true;
  }

  /// Guesses which bounds are active, solves for these as equations by a few steps of the method of
  /// multipliers, and looks again; true where that ends with all conditions met.
  bool polish() {
    constexpr int kRounds = 10, kSteps = 12;
    constexpr double kStiff = 1e4, kRoundoff = 1e-11;
    Vector x = x_, lambda = -y_;
    std::vector<char> active(static_cast<size_t>(rows_.count()));
    const auto choose = [&](const Vector& Gx) {
      bool same = true;
      for (Index r = 0; r < rows_.count(); ++r) {
        const double wanted = lambda[r] + kStiff * (rows_.least()[r] - Gx[r]);
        const char now = rows_.holds(r, wanted);
        const double multiplier = now ? lambda[r] : rows_.allowed(r, wanted);
        same &= now == active[r] && (now || multiplier == lambda[r]);
        active[r] = now;
        lambda[r] = multiplier;
      }
      return same;
    };
    for (Index r = 0; r < rows_.count(); ++r) {
      active[r] = rows_.holds(r, -y_[r]);
      if (!active[r]) lambda[r] = rows_.allowed(r, -y_[r]);
    }
    for (int round = 0; round < kRounds; ++round) {
      weighted_ = C_;
      for (Index r = 0; r < rows_.count(); ++r)
        if (active[r]) rows_.add_square(r, kStiff, weighted_);
      ++report_.factorisations;
      if (!program_.factor_->factor(program_.merged_.of(weighted_))) break;
      double violated = 0;
      for (int step = 0; step < kSteps; ++step) {
        Vector rhs = c_, pull = lambda;
        for (Index r = 0; r < rows_.count(); ++r)
          if (active[r]) pull[r] += kStiff * rows_.least()[r];
        rows_.add_transposed(pull, rhs);
        program_.factor_->solve(rhs, x);
        const Vector Gx = rows_.times(x);
        violated = 0;
        for (Index r = 0; r < rows_.count(); ++r) {
          if (!active[r]) continue;
          lambda[r] += kStiff * (rows_.least()[r] - Gx[r]);
          violated = std::max(violated, std::abs(rows_.least()[r] - Gx[r]));
        }
        if (violated <= kRoundoff * std::max(1e-12, largest(Gx))) break;
      }
      if (choose(rows_.times(x))) {
        constexpr double kContradiction = 1e-6;
        const double size = std::max({1e-12, largest(rows_.least()), largest(rows_.times(x))});
        if (violated > kContradiction * size) break;
        accept(x, lambda);
        return true;
      }
    }
    return false;
  }

  void accept(const Vector& x, const Vector& lambda) {
    x_ = x;
    y_ = -lambda;
    z_ = rows_.times(x_);
    for (Index r = 0; r < rows_.count(); ++r)
      if (!rows_.is_friction(r)) {
        y_[r] = std::min(y_[r], 0.0);
        z_[r] = std::max(z_[r], rows_.least()[r]);
      }
    measure();
    report_.polished = true;
    report_.status = ProgramReport::Status::solved;
  }

  QuadraticProgram& program_;
  const BlockMatrix& C_;
  const Vector& c_;
  Vector diagonal_, root_;
  Rows rows_;
  BlockMatrix weighted_;
  double rho_ = 0.1;
  Vector x_, y_, z_, solved_, change_;
  double primal_size_ = 1, dual_size_ = 1;
  ProgramReport report_;
};

ProgramReport QuadraticProgram::solve(const BlockMatrix& C, const Vector& c,
                                      std::span<const VelocityBound> bounds, Vector& v, Vector& multipliers) {
  return Splitting(*this, C, c, bounds).run(v, multipliers);
}

}  // namespace pliant
