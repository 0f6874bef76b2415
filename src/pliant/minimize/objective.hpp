#pragma once

#include <span>
#include <vector>

#include "pliant/base/types.hpp"
#include "pliant/base/vector_ops.hpp"
#include "pliant/linear/block_matrix.hpp"
#include "pliant/linear/scalar_matrix.hpp"

namespace pliant {

/// What came of moving a few unknowns alone.
struct Relaxation {
  bool moved = false;     ///< x is another one
  int linear_solves = 0;  ///< in these unknowns only
};

/// What a solver sees of a problem: a function E of 3n unknowns with its derivatives. Unknowns that are fixed
/// have a zero gradient entry and rows and columns of the identity in the Hessian.
class Objective {
 public:
  virtual ~Objective() = default;

  virtual Index size() const = 0;

  /// E(x) - E(reference), summed contribution by contribution; may be +infinity. Where `gradient` is given it
  /// is set.
  virtual double evaluate(const Vector& x, Vector* gradient) = 0;

  /// From now on, `evaluate` may leave out costly contributions that are never negative where the others
  /// alone give more than this, and the gradient is then of no use.
  virtual void give_up_above(double value) { static_cast<void>(value); }

  /// Makes the point last evaluated the one that values are measured from.
  virtual void set_reference() = 0;

  /// Below this, a difference of values is roundoff; measured at the point last evaluated.
  virtual double noise() const = 0;
  /// The same at the reference.
  virtual double reference_noise() const = 0;

  virtual const BlockMatrix& hessian(const Vector& x, Definiteness definiteness) = 0;

  /// A matrix that stands in for the Hessian wherever x is, and is never indefinite; fixed vertices do not
  /// couple with others. Equal numbers say that it is an equal one: it need not be asked for again.
  virtual int proxy_number() { return 0; }
  virtual ScalarMatrix proxy() { return {}; }
  /// How much inertia weighs in it: tells stages of one length from others, even where vertices come and go.
  virtual double inertia_weight() const { return 1; }

  /// The Hessian at rest, of inertia and elasticity alone, never indefinite; an equal one for equal numbers
  /// of the proxy.
  virtual const BlockMatrix& rest_hessian() { return hessian(Vector::Zero(size()), Definiteness::clamp); }
  /// How the surroundings of each vertex are turned at x, seen from rest.
  virtual std::vector<Mat3> turns(const Vector& x) const {
    return std::vector<Mat3>(static_cast<size_t>(x.size() / 3), Mat3::Identity());
  }

  /// Which unknowns are fixed; empty where none is.
  virtual std::span<const char> fixed() const { return {}; }

  /// The size of a gradient in the unit of the stopping tolerance.
  virtual double residual(const Vector& gradient) const = 0;

  /// A positive diagonal that stands in for the Hessian where nothing better is known (the inertia).
  virtual const Vector& metric() const = 0;

  /// No vertex may move further than this in one step before the line search.
  virtual double longest_step() const = 0;

  /// Where parts of x are known to move on curves, makes a step from x lead to the end of its curve.
  virtual void bend(const Vector& x, Vector& step) const {
    static_cast<void>(x);
    static_cast<void>(step);
  }

  /// Where a few unknowns hold far more of the gradient at x, the point last evaluated, than the others,
  /// moves these alone to where E is lower. Other points may have been evaluated afterwards.
  virtual Relaxation relax(const Vector& gradient, Vector& x) {
    static_cast<void>(gradient);
    static_cast<void>(x);
    return {};
  }

  /// For feasible sets (gast-2014, section 3.2). E is then only evaluated at feasible points, and `gradient`
  /// below is that of E without constraints.

  /// Labels the constraints that stay active for one iteration at the feasible point x, and takes from the
  /// gradient there what they hold.
  virtual void register_active_set(const Vector& x, Vector& gradient) {
    static_cast<void>(x);
    static_cast<void>(gradient);
  }
  /// Of the constraints so labelled, the share that was not so the time before.
  virtual double renewed() const { return 0; }
  /// Takes from a gradient at another point what the constraints so labelled hold.
  virtual void restrict(Vector& gradient) const { static_cast<void>(gradient); }
  /// Moves x to the feasible set, along violated and active constraints.
  virtual void project(Vector& x) { static_cast<void>(x); }
  /// How fast E changes along the projection of a straight line: at the point that was projected last, where
  /// the line goes on by `step`, with the gradient at its projection.
  virtual double slope(const Vector& gradient, const Vector& step) const { return dot(gradient, step); }
};

}  // namespace pliant
