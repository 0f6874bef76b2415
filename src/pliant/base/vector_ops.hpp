#pragma once

#include "pliant/base/types.hpp"

/// Sums and updates of long vectors, in parallel and with the same bits for any number of threads and any
/// SIMD width.
namespace pliant {

double dot(const Vector& a, const Vector& b);
double norm(const Vector& a);
double sum(const double* a, Index count);

/// y += a x
void add_scaled(double a, const Vector& x, Vector& y);

/// y = x + a y
void scale_and_add(double a, const Vector& x, Vector& y);

}  // namespace pliant
