#include "pliant/minimize/find_start.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {

double StartFinder::evaluate(const Field& x, Field* gradient) {
  ++counts_.evaluations;
  return objective_.evaluate(x, gradient).difference;
}

/// Held unknowns are where they shall be, the others where they are allowed to be.
void StartFinder::hold(const Guesses& guesses, Field& x) const {
  if (!guesses.all.empty()) take_where(objective_.fixed(), true, guesses.all.back(), x);
  if (set_) set_->project(x);
}

/// Makes the guess the start if it is lower than the one so far; false where it is infinite.
bool StartFinder::consider(const Field& guess, const Guesses& guesses, Field& x) {
  copy(guess, tried_.x);
  if (guesses.safe) {
    Field& way = tried_.gradient;
    add_scaled(-1, *guesses.safe, guess, way);
    if (shorten(*guesses.safe, way)) {
      add_scaled(1, way, *guesses.safe, tried_.x);
      // What is held would stay on its way.
      copy(tried_.x, way);
      take_where(objective_.fixed(), true, guess, way);
      add_scaled(-1, tried_.x, way);
      if (largest(way) > constants_.roundoff * largest(guess)) return false;
      take_where(objective_.fixed(), true, guess, tried_.x);
    }
  }
  if (set_) set_->project(tried_.x);
  const double difference = evaluate(tried_.x, &tried_.gradient);
  if (!std::isfinite(difference)) return false;
  if (found_ && difference >= 0) return true;
  found_ = true;
  best_.noise = objective_.set_reference();
  x.swap(tried_.x);
  best_.gradient.swap(tried_.gradient);
  return true;
}

bool StartFinder::consider_safe(const Guesses& guesses, Field& x) {
  Field held;
  copy(*guesses.safe, held);
  take_where(objective_.fixed(), true, guesses.all.back(), held);
  return consider(held, guesses, x);
}

bool StartFinder::choose(const Guesses& guesses, double tolerance, bool rivals, bool may_go_too_far,
                         Field& x) {
  found_ = false;
  bool all_finite = true, close = false;
  for (auto guess = guesses.all.rbegin(); guess != guesses.all.rend() && !close; ++guess) {
    all_finite = consider(*guess, guesses, x) && all_finite;
    close = !rivals || (found_ && objective_.residual(best_.gradient) < constants_.close * tolerance);
  }
  if (!rivals || !guesses.safe) return found_;
  // A guess across the wall of a material that forbids inversion says that the safe point may be close to it;
  // one that forces throw far back, as in a tangle that explodes, that it went too far. In a mere collision
  // they do so by a few times.
  const auto went_too_far = [&] {
    return objective_.residual(best_.gradient) > constants_.far * guesses.to_stay;
  };
  if (!all_finite || (may_go_too_far && !close && went_too_far())) consider_safe(guesses, x);
  return found_;
}

/// Materials that forbid inversion can make every guess infinite. At the safe point E is finite; held
/// unknowns go from there towards their places as far as it stays so, again and again, and the others follow
/// by Newton's method.
bool StartFinder::approach(const Guesses& guesses, Field& x) {
  if (!guesses.safe) return false;
  copy(*guesses.safe, x);
  if (set_) set_->project(x);
  Field target, way, gradient, step;
  copy(x, target);
  hold(guesses, target);
  for (int i = 0; i < constants_.approaches; ++i) {
    if (!std::isfinite(evaluate(x, &gradient))) return false;
    take_where(objective_.fixed(), false, x, target);
    add_scaled(-1, x, target, way);
    if (!shorten(x, way) && std::isfinite(evaluate(target, nullptr))) {
      copy(target, x);
      return true;
    }
    add_scaled(-1, x, target, way);
    add_push(x, way, gradient);
    const DirectionReport report = direction_.compute(objective_,
                                                      {.x = x,
                                                       .gradient = gradient,
                                                       .residual = constants_.exactly,
                                                       .tolerance = constants_.exactly,
                                                       .set = set_},
                                                      step);
    counts_.count(report);
    if (!report.failed && all_finite(step)) add_scaled(1, step, way);
    if (!go_while_finite(guesses, way, x)) return false;
  }
  return false;
}

/// Leaves of a way what may be gone; false where that is all of it.
bool StartFinder::shorten(const Field& from, Field& way) {
  Field whole;
  copy(way, whole);
  const double share = objective_.limit(from, way);
  if (!std::isfinite(share)) return false;
  if (share < 1) scale(share, way);
  add_scaled(-1, way, whole);
  return largest(whole) > constants_.roundoff * largest(way);
}

/// The force on free unknowns once others have gone all their way, to first order.
void StartFinder::add_push(const Field& x, const Field& way, Field& gradient) {
  const double little = std::min(1.0, constants_.little * objective_.longest_step() / largest(way));
  Field pushed, first;
  copy(way, first);
  scale(little, first);
  if (shorten(x, first)) return;
  add_scaled(little, way, x, tried_.x);
  if (!std::isfinite(evaluate(tried_.x, &pushed))) return;
  add_scaled(-1, gradient, pushed);
  divide(little, pushed);
  add_scaled(1, pushed, gradient);
}

/// Goes all the way, or half of as far as can be gone: closer to the wall the next step would be tiny.
bool StartFinder::go_while_finite(const Guesses& guesses, Field& way, Field& x) {
  const bool whole = !shorten(x, way);
  add_scaled(1, way, x, tried_.x);
  if (whole)
    hold(guesses, tried_.x);  // exactly
  else if (set_)
    set_->project(tried_.x);
  if (std::isfinite(evaluate(tried_.x, nullptr))) {
    x.swap(tried_.x);
    return true;
  }
  bool further = false;  // a finite point lies further on
  for (double share = 0.5; share > constants_.least_share; share /= 2) {
    add_scaled(share, way, x, tried_.x);
    if (set_) set_->project(tried_.x);
    const bool finite = std::isfinite(evaluate(tried_.x, nullptr));
    if (finite && further) {
      x.swap(tried_.x);
      return true;
    }
    further = finite;
  }
  return false;
}

}  // namespace pliant
