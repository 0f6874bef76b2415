#pragma once

#include "pliant/base/types.hpp"

/// Sums and updates of long vectors, in parallel and with the same bits for any number of threads and any
/// SIMD width.
namespace pliant {

/// Whether both are the same point.
bool equal(const Vector& a, const Vector& b);

double dot(const Vector& a, const Vector& b);
double norm(const Vector& a);
double sum(const double* a, Index count);

/// a . b, a . a and b . b in one pass over memory.
struct Products {
  double ab, aa, bb;
};
Products products(const Vector& a, const Vector& b);

/// The sums of |a| and of a - b in one pass over memory.
struct Totals {
  double magnitude, difference;
};
Totals totals_of(const Vector& a, const Vector& b);

bool all_finite(const Vector& a);

/// The length of the longest of the vectors of three that follow each other in a; infinite where one is not a
/// number.
double longest_vertex(const Vector& a);

/// y = x
void copy(const Vector& x, Vector& y);

/// y = 0, of so many
void set_zero(Index size, Vector& y);

/// y *= a
void scale(double a, Vector& y);

/// z = y + a x
void add_scaled(double a, const Vector& x, const Vector& y, Vector& z);

/// y += a x
void add_scaled(double a, const Vector& x, Vector& y);

/// y = x + a y
void scale_and_add(double a, const Vector& x, Vector& y);

}  // namespace pliant
