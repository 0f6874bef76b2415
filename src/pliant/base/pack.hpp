#pragma once

// The one header that knows about SIMD packs. Kernels are templates over a scalar T, which is `double` or a
// pack of them; the functions here give both one vocabulary. Every operation is exact in the IEEE sense lane
// by lane (+ - * / sqrt, comparison, selection), so a kernel gives the same bits for any width. Never
// included by an installed header: the width depends on -march.

#include <cmath>

// GCC 12 takes the deliberately undefined operand of its own AVX-512 intrinsics for a mistake (GCC bug
// 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <experimental/simd>
#pragma GCC diagnostic pop

namespace pliant {

namespace stdx = std::experimental;

/// As many doubles as the machine works on at once.
using Pack = stdx::native_simd<double>;

/// A pack of exactly N doubles.
template <int N>
using PackOf = stdx::simd<double, stdx::simd_abi::deduce_t<double, N>>;

/// Element arrays are padded to a multiple of this, which every pack width divides.
inline constexpr int kPadding = 8;

template <class T>
inline constexpr int kLanes = T::size();
template <>
inline constexpr int kLanes<double> = 1;

inline double select(bool mask, double a, double b) { return mask ? a : b; }
template <class Abi>
stdx::simd<double, Abi> select(stdx::simd_mask<double, Abi> mask, stdx::simd<double, Abi> a,
                               stdx::simd<double, Abi> b) {
  stdx::where(mask, b) = a;
  return b;
}

inline bool all(bool mask) { return mask; }
template <class Abi>
bool all(stdx::simd_mask<double, Abi> mask) {
  return stdx::all_of(mask);
}

inline double root(double a) { return std::sqrt(a); }
template <class Abi>
stdx::simd<double, Abi> root(stdx::simd<double, Abi> a) {
  return stdx::sqrt(a);
}

inline double absolute(double a) { return std::abs(a); }
template <class Abi>
stdx::simd<double, Abi> absolute(stdx::simd<double, Abi> a) {
  return stdx::abs(a);
}

template <class T>
T larger(T a, T b) {
  return select(a > b, a, b);
}

inline double load(const double* from, double) { return *from; }
template <class Abi>
stdx::simd<double, Abi> load(const double* from, stdx::simd<double, Abi>) {
  return stdx::simd<double, Abi>(from, stdx::element_aligned);
}
/// Consecutive doubles, one a lane.
template <class T>
T load(const double* from) {
  return load(from, T());
}

inline void store(double a, double* to) { *to = a; }
template <class Abi>
void store(stdx::simd<double, Abi> a, double* to) {
  a.copy_to(to, stdx::element_aligned);
}

/// Logarithms and the cube root by the library lane by lane, so that they too are the same for any width:
/// log(1 + a), and log(s) of a positive number, which is accurate near 1 as well as near 0.
inline double log_one_plus(double a) { return std::log1p(a); }
inline double log_positive(double s) { return s < 0.5 ? std::log(s) : std::log1p(s - 1); }
inline double cube_root(double a) { return std::cbrt(a); }
template <class Abi>
stdx::simd<double, Abi> log_one_plus(stdx::simd<double, Abi> a) {
  return stdx::simd<double, Abi>([&](auto lane) { return log_one_plus(double(a[lane])); });
}
template <class Abi>
stdx::simd<double, Abi> log_positive(stdx::simd<double, Abi> s) {
  return stdx::simd<double, Abi>([&](auto lane) { return log_positive(double(s[lane])); });
}
template <class Abi>
stdx::simd<double, Abi> cube_root(stdx::simd<double, Abi> a) {
  return stdx::simd<double, Abi>([&](auto lane) { return cube_root(double(a[lane])); });
}

}  // namespace pliant
