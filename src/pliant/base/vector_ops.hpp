#pragma once

#include "pliant/base/types.hpp"

/// Sums and updates of long vectors, in parallel and with the same bits for any number of threads and any
/// SIMD width.
namespace pliant {

double dot(const Vector& a, const Vector& b);
double norm(const Vector& a);
double sum(const double* a, Index count);

/// The length of the longest of the vectors of three that follow each other in a; infinite where one is not a
/// number.
double longest_vertex(const Vector& a);

/// y *= a
void scale(double a, Vector& y);

/// z = y + a x
void add_scaled(double a, const Vector& x, const Vector& y, Vector& z);

/// y += a x
void add_scaled(double a, const Vector& x, Vector& y);

/// y = x + a y
void scale_and_add(double a, const Vector& x, Vector& y);

}  // namespace pliant
