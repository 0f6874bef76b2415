#pragma once

// Who minimises works on fields, tests think in vectors: the same calls for these.

#include <limits>
#include <vector>

#include "linear/on_host.hpp"
#include "pliant/minimize/descend.hpp"
#include "pliant/minimize/solver.hpp"

namespace pliant::testing {

inline Change evaluate(Objective& f, const Vector& x, Vector& gradient) {
  return as_field(gradient, [&](Field& to) { return f.evaluate(Field(x), &to); });
}

inline Outcome descend(Objective& f, Direction& direction, LineSearch& search, const DescentOptions& options,
                       Vector& x) {
  return as_field(x, [&](Field& at) { return pliant::descend(f, direction, search, options, at); });
}

/// A DirectionQuery of vectors.
struct Query {
  Vector x, gradient;
  double residual = 1, tolerance = 1;
  int iteration = 1;
  double renewed = 0, length = 1;
};

inline DirectionReport compute(Direction& direction, Objective& f, const Query& query, Vector& step) {
  const Field x(query.x), gradient(query.gradient);
  return as_field(step, [&](Field& to) {
    return direction.compute(f,
                             {x, gradient, query.residual, query.tolerance, query.iteration, query.renewed,
                              query.length, dynamic_cast<FeasibleSet*>(&f)},
                             to);
  });
}

inline void learn(Direction& direction, const Vector& step, const Vector& before, const Vector& after) {
  direction.learn(Field(step), Field(before), Field(after));
}

/// Where a search along `step` begins, which becomes the reference.
inline SearchPoint start_at(Objective& f, const Vector& x, const Vector& step) {
  SearchPoint start;
  start.x = Field(x);
  f.evaluate(start.x, &start.gradient);
  start.noise = f.set_reference();
  start.slope = dot(start.gradient, Field(step));
  return start;
}

inline SearchReport search(LineSearch& by, Objective& f, const SearchPoint& start, const Vector& step,
                           SearchPoint& end, double longest = std::numeric_limits<double>::infinity()) {
  const Field along(step);
  return by.search({f, dynamic_cast<FeasibleSet*>(&f), start, along, longest}, end);
}

/// A solver's answer from some guesses, the best informed last, and maybe a safe point.
struct Solved {
  Outcome outcome;
  Vector x;
};

inline Solved solve(Solver& solver, Objective& f, const std::vector<Vector>& guesses,
                    const Vector& safe = Vector()) {
  std::vector<Field> fields;
  for (const Vector& guess : guesses) fields.emplace_back(guess);
  const Field safe_point(safe);
  Field x;
  const Outcome outcome =
      solver.solve(f, {.all = fields, .safe = safe.size() > 0 ? &safe_point : nullptr}, x);
  return {outcome, x.host()};
}

}  // namespace pliant::testing
