#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "pliant/minimize/objective.hpp"

namespace pliant::python {

namespace nb = nanobind;

/// A function of Python with its derivatives as an objective. Its numbers stand in blocks of three; those
/// that fill up the last one are held at zero. Python's lock is held wherever it is asked.
class PythonObjective final : public Objective {
 public:
  struct Functions {
    nb::object value;    ///< (value, gradient) at x
    nb::object hessian;  ///< None where there is none
    nb::object shape;    ///< that x has in Python
  };
  /// `held` has as many entries as there are numbers, or none.
  PythonObjective(Functions functions, Index numbers, std::vector<char> held);

  Field padded(const Vector& x) const;
  nb::object in_python(const Field& x) const;
  double value() const { return last_; }

  const UnknownLayout& layout() const override { return layout_; }
  Change evaluate(const Field& x, Field* gradient, double enough) override;
  double set_reference() override;
  const Operator& hessian(const Field& x, Definiteness definiteness) override;
  Mask fixed() const override { return held_; }
  double residual(const Field& gradient) const override { return norm(gradient); }
  const Field& metric() const override { return metric_; }
  double longest_step() const override { return std::numeric_limits<double>::max(); }

 private:
  double noise() const { return 4 * std::numeric_limits<double>::epsilon() * std::abs(last_); }
  void make_room(const std::vector<std::pair<int, int>>& pairs);

  Functions functions_;
  Index numbers_;
  UnknownLayout layout_;
  std::vector<char> held_;
  Field metric_;
  std::unique_ptr<BlockPattern> pattern_;
  BlockMatrix matrix_;
  double last_ = 0, reference_ = 0;
};

}  // namespace pliant::python
