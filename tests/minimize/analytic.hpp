#pragma once

// Small analytic functions dressed as objectives, with no mechanics in sight.

#include <functional>
#include <limits>
#include <memory>

#include "dense.hpp"
#include "pliant/minimize/objective.hpp"

namespace pliant::testing {

/// A function of 3n unknowns with a dense Hessian, every block stored.
class Analytic : public Objective {
 public:
  using Function = std::function<double(const Vector&)>;
  using Gradient = std::function<Vector(const Vector&)>;
  using Hessian = std::function<Eigen::MatrixXd(const Vector&)>;

  Analytic(int blocks, Function value, Gradient gradient, Hessian hessian)
      : value_(std::move(value)),
        gradient_(std::move(gradient)),
        hessian_(std::move(hessian)),
        layout_(make_layout(blocks)),
        pattern_(std::make_shared<BlockPattern>(blocks, all_pairs(blocks))),
        matrix_(*pattern_),
        metric_(Vector::Ones(3 * blocks)) {}

  const UnknownLayout& layout() const override { return layout_; }
  Index size() const { return layout_.size(); }
  Change evaluate(const Field& x, Field* gradient,
                  double = std::numeric_limits<double>::infinity()) override {
    last_ = value_(x.host());
    if (gradient) *gradient = Field(gradient_(x.host()));
    return {last_ - reference_, 1e-15 * std::abs(last_)};
  }
  double set_reference() override {
    reference_ = last_;
    return 1e-15 * std::abs(reference_);
  }
  const Operator& hessian(const Field& x, Definiteness definiteness) override {
    Eigen::MatrixXd H = hessian_(x.host());
    if (definiteness != Definiteness::none) {
      const Eigenpairs e = eigenpairs(H);
      H = e.vectors * e.values.cwiseMax(1e-8).asDiagonal() * e.vectors.transpose();
    }
    for (int row = 0; row < pattern_->rows(); ++row)
      for (const int column : pattern_->columns_of(row))
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            matrix_.block(pattern_->find(row, column).block)[3 * i + j] = H(3 * row + i, 3 * column + j);
    return matrix_;
  }
  double residual(const Field& gradient) const override { return gradient.host().norm(); }
  const Field& metric() const override { return metric_; }
  double longest_step() const override { return longest; }

  // The same for tests, which think in vectors.
  double evaluate(const Vector& x, Vector* gradient) {
    Field to;
    const double difference = evaluate(Field(x), gradient ? &to : nullptr).difference;
    if (gradient) *gradient = to.host();
    return difference;
  }
  const BlockMatrix& hessian(const Vector& x, Definiteness definiteness) {
    return *hessian(Field(x), definiteness).assembled();
  }

  double longest = 1e3;

 private:
  static std::vector<std::pair<int, int>> all_pairs(int blocks) {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < blocks; ++i)
      for (int j = 0; j < i; ++j) pairs.emplace_back(i, j);
    return pairs;
  }

  Function value_;
  Gradient gradient_;
  Hessian hessian_;
  UnknownLayout layout_;
  std::shared_ptr<BlockPattern> pattern_;  ///< of copies too
  BlockMatrix matrix_;
  Field metric_;
  double reference_ = 0, last_ = 0;
};

/// Sum of (1 - a)^2 + 100 (b - a^2)^2 over neighbouring unknowns: a curved valley with the minimum at all
/// ones.
inline Analytic rosenbrock(int blocks) {
  return Analytic(
      blocks,
      [](const Vector& x) {
        double sum = 0;
        for (Index i = 0; i + 1 < x.size(); ++i)
          sum += std::pow(1 - x[i], 2) + 100 * std::pow(x[i + 1] - x[i] * x[i], 2);
        return sum;
      },
      [](const Vector& x) {
        Vector g = Vector::Zero(x.size());
        for (Index i = 0; i + 1 < x.size(); ++i) {
          const double r = x[i + 1] - x[i] * x[i];
          g[i] += -2 * (1 - x[i]) - 400 * x[i] * r;
          g[i + 1] += 200 * r;
        }
        return g;
      },
      [](const Vector& x) {
        Eigen::MatrixXd H = Eigen::MatrixXd::Zero(x.size(), x.size());
        for (Index i = 0; i + 1 < x.size(); ++i) {
          H(i, i) += 2 - 400 * (x[i + 1] - 3 * x[i] * x[i]);
          H(i, i + 1) = H(i + 1, i) = -400 * x[i];
          H(i + 1, i + 1) += 200;
        }
        return H;
      });
}

/// A double well with a maximum at the origin: sum of (x_i^2 - 1)^2 / 4, so that Newton from near the origin
/// sees a negative matrix.
inline Analytic double_well(int blocks) {
  return Analytic(
      blocks, [](const Vector& x) { return 0.25 * (x.array().square() - 1).square().sum(); },
      [](const Vector& x) { return Vector(x.array() * (x.array().square() - 1)); },
      [](const Vector& x) { return Eigen::MatrixXd((3 * x.array().square() - 1).matrix().asDiagonal()); });
}

/// x - log x for each unknown: infinite left of zero, minimum at 1.
inline Analytic barrier(int blocks) {
  return Analytic(
      blocks,
      [](const Vector& x) {
        return (x.array() > 0).all() ? (x.array() - x.array().log()).sum()
                                     : std::numeric_limits<double>::infinity();
      },
      [](const Vector& x) { return Vector(1 - x.array().inverse()); },
      [](const Vector& x) { return Eigen::MatrixXd(x.array().square().inverse().matrix().asDiagonal()); });
}

}  // namespace pliant::testing
