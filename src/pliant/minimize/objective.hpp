#pragma once

#include <limits>
#include <span>
#include <vector>

#include "pliant/base/field.hpp"
#include "pliant/kernel/definiteness.hpp"
#include "pliant/linear/block_matrix.hpp"
#include "pliant/linear/operator.hpp"
#include "pliant/linear/scalar_matrix.hpp"

namespace pliant {

/// From the reference of an objective to a point, summed contribution by contribution.
struct Change {
  double difference = 0;  ///< E(x) - E(reference); may be +infinity
  double noise = 0;       ///< below this, a difference of values is roundoff
};

/// What is found anew when an iteration begins: contacts, and which constraints are active.
struct Renewal {
  bool changed = false;  ///< the function is another one
  Index fresh = 0;       ///< of them, those that were none before
  Index all = 0;

  double share() const { return all > 0 ? static_cast<double>(fresh) / static_cast<double>(all) : 0; }
};

/// What a solver sees of a problem: a function E of blocks of three unknowns with its derivatives. Unknowns
/// that are held have a zero gradient entry and rows and columns of the identity in the Hessian. What only
/// some problems have stands below as capabilities, second bases that are looked for once.
class Objective {
 public:
  virtual ~Objective() = default;

  virtual const UnknownLayout& layout() const = 0;

  /// Where `gradient` is given it is set. Costly contributions that are never negative may be left out where
  /// the others alone give more than `enough`; the gradient is then of no use.
  virtual Change evaluate(const Field& x, Field* gradient,
                          double enough = std::numeric_limits<double>::infinity()) = 0;

  /// Makes the point last evaluated the one that values are measured from; returns the noise there.
  virtual double set_reference() = 0;

  /// Good until the next call.
  virtual const Operator& hessian(const Field& x, Definiteness definiteness) = 0;

  /// Which unknowns are held.
  virtual Mask fixed() const { return {}; }

  /// The size of a gradient in the unit of the stopping tolerance.
  virtual double residual(const Field& gradient) const = 0;

  /// A positive diagonal that stands in for the Hessian where nothing better is known (the inertia).
  virtual const Field& metric() const = 0;

  /// No block may move further than this in one step before the line search.
  virtual double longest_step() const = 0;

  /// Where contacts are found anew E is another function at the feasible point x, the reference, and
  /// `gradient` is corrected. Labels the constraints that stay active for one iteration and takes from the
  /// gradient what they hold.
  virtual Renewal begin_iteration(const Field& x, Field& gradient) {
    static_cast<void>(x);
    static_cast<void>(gradient);
    return {};
  }

  /// How many times `step` may be gone from x at most: nothing further is evaluated. May shorten parts of the
  /// step first.
  virtual double limit(const Field& x, Field& step) {
    static_cast<void>(x);
    static_cast<void>(step);
    return std::numeric_limits<double>::infinity();
  }

  /// After a descent to x: whether what is held fixed within one (a lagged friction force) is another one
  /// now, so that it has to go on.
  virtual bool renew(const Field& x) {
    static_cast<void>(x);
    return false;
  }
};

/// Unknowns must stay in a set (gast-2014, section 3.2). E is only evaluated in it, and gradients are those
/// of E without constraints.
class FeasibleSet {
 public:
  virtual ~FeasibleSet() = default;
  /// Moves x to the set, along violated and active constraints.
  virtual void project(Field& x) = 0;
  /// Takes from a gradient what the constraints labelled by `begin_iteration` hold.
  virtual void restrict(Field& gradient) const = 0;
  /// How fast E changes along the projection of a straight line: at the point that was projected last, where
  /// the line goes on by `step`, with the gradient at its projection.
  virtual double slope(const Field& gradient, const Field& step) const = 0;
};

/// A matrix that stands in for the Hessian wherever x is, and is never indefinite; fixed vertices do not
/// couple with others.
class ConstantMatrixOf {
 public:
  virtual ~ConstantMatrixOf() = default;
  /// Equal numbers say that the matrix is an equal one: it need not be asked for again.
  virtual int number() = 0;
  virtual ScalarMatrix matrix() = 0;
  /// How much inertia weighs in it: tells stages of one length from others, even where vertices come and go.
  virtual double inertia_weight() const = 0;
};

/// A problem that has a shape at rest. Its Hessian there is equal for equal numbers of the constant matrix.
class RestFrame : public ConstantMatrixOf {
 public:
  /// Of inertia and elasticity alone, never indefinite; good until the next Hessian is asked for.
  virtual const Operator& rest_hessian() = 0;
  /// How the surroundings of each block are rotated at x, seen from rest.
  virtual std::vector<Mat3> rotations(const Field& x) const = 0;
};

/// Part of the energy can be made to count more, so that its walls are met from further away.
class Stiffening {
 public:
  virtual ~Stiffening() = default;
  /// `factor` times, until the next problem.
  virtual void stiffen(double factor) = 0;
  /// How many times weaker at rest that part is than all the rest.
  virtual double softness() = 0;
};

}  // namespace pliant
