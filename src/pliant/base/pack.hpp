#pragma once

// The one header that knows about SIMD packs. Kernels are templates over a scalar T, which is `double` or a
// pack of them; the functions here give both one vocabulary. Every operation is exact in the IEEE sense lane
// by lane (+ - * / sqrt, comparison, selection), so a kernel gives the same bits for any width. Never
// included by an installed header: the width depends on -march.

#include <cmath>
#include <type_traits>

// GCC 12 takes the deliberately undefined operand of its own AVX-512 intrinsics for a mistake (GCC bug
// 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <experimental/simd>
#ifdef __AVX512F__
#include <immintrin.h>
#endif
#pragma GCC diagnostic pop

namespace pliant {

namespace stdx = std::experimental;

/// Kernels only work out as one straight line of code: a call in between would empty all vector registers.
/// Under sanitizers, where nobody waits for speed but everybody for the compiler, they are called.
#ifdef __SANITIZE_ADDRESS__
#define PLIANT_KERNEL inline
#else
#define PLIANT_KERNEL [[gnu::always_inline]] inline
#endif

/// A pack of exactly N doubles.
template <int N>
using PackOf = stdx::simd<double, stdx::simd_abi::deduce_t<double, N>>;

/// Two packs, worked on side by side: what one waits for (a root, a quotient) the other one fills. The Jacobi
/// rotations of a decomposition are a chain of such waits, and twice as fast this way.
template <class P>
struct Twin {
  P a, b;

  Twin() = default;
  PLIANT_KERNEL explicit Twin(typename P::value_type value) : a(value), b(value) {}
  PLIANT_KERNEL Twin(const P& first, const P& second) : a(first), b(second) {}
  static constexpr int size() { return 2 * static_cast<int>(P::size()); }
};

template <class Mask>
struct TwinMask {
  Mask a, b;
};
template <class Mask>
TwinMask(Mask, Mask) -> TwinMask<Mask>;

template <class P>
PLIANT_KERNEL Twin<P> operator+(const Twin<P>& x, const Twin<P>& y) {
  return {x.a + y.a, x.b + y.b};
}
template <class P>
PLIANT_KERNEL Twin<P> operator-(const Twin<P>& x, const Twin<P>& y) {
  return {x.a - y.a, x.b - y.b};
}
template <class P>
PLIANT_KERNEL Twin<P> operator*(const Twin<P>& x, const Twin<P>& y) {
  return {x.a * y.a, x.b * y.b};
}
template <class P>
PLIANT_KERNEL Twin<P> operator/(const Twin<P>& x, const Twin<P>& y) {
  return {x.a / y.a, x.b / y.b};
}
template <class P>
PLIANT_KERNEL auto operator<(const Twin<P>& x, const Twin<P>& y) {
  return TwinMask{x.a < y.a, x.b < y.b};
}
template <class P>
PLIANT_KERNEL auto operator>(const Twin<P>& x, const Twin<P>& y) {
  return TwinMask{x.a > y.a, x.b > y.b};
}
template <class P>
PLIANT_KERNEL auto operator<=(const Twin<P>& x, const Twin<P>& y) {
  return TwinMask{x.a <= y.a, x.b <= y.b};
}
template <class P>
PLIANT_KERNEL auto operator>=(const Twin<P>& x, const Twin<P>& y) {
  return TwinMask{x.a >= y.a, x.b >= y.b};
}
template <class Mask>
PLIANT_KERNEL TwinMask<Mask> operator&&(const TwinMask<Mask>& x, const TwinMask<Mask>& y) {
  return {x.a && y.a, x.b && y.b};
}

/// What elements are worked on with: twice as many doubles as the machine takes at once.
using Pack = Twin<stdx::native_simd<double>>;

/// The same for short kernels, which wait for little: one pack where the machine has too few registers for
/// two, as those with vectors of four doubles and less do.
using ShortPack =
    std::conditional_t<(stdx::native_simd<double>::size() > 4), Pack, stdx::native_simd<double>>;

/// Element arrays are padded to a multiple of this, which every pack width divides.
inline constexpr int kPadding = 16;

template <class T>
inline constexpr int kLanes = static_cast<int>(T::size());
template <>
inline constexpr int kLanes<double> = 1;

PLIANT_KERNEL double select(bool mask, double a, double b) { return mask ? a : b; }
template <class Abi>
PLIANT_KERNEL stdx::simd<double, Abi> select(const stdx::simd_mask<double, Abi>& mask,
                                             const stdx::simd<double, Abi>& a, stdx::simd<double, Abi> b) {
  stdx::where(mask, b) = a;
  return b;
}
template <class P, class Mask>
PLIANT_KERNEL Twin<P> select(const TwinMask<Mask>& mask, const Twin<P>& x, const Twin<P>& y) {
  return {select(mask.a, x.a, y.a), select(mask.b, x.b, y.b)};
}

PLIANT_KERNEL bool all(bool mask) { return mask; }
template <class Abi>
PLIANT_KERNEL bool all(const stdx::simd_mask<double, Abi>& mask) {
  return stdx::all_of(mask);
}
template <class Mask>
PLIANT_KERNEL bool all(const TwinMask<Mask>& mask) {
  return all(mask.a) && all(mask.b);
}

PLIANT_KERNEL double root(double a) { return std::sqrt(a); }
PLIANT_KERNEL float root(float a) { return std::sqrt(a); }
template <class Value, class Abi>
PLIANT_KERNEL stdx::simd<Value, Abi> root(const stdx::simd<Value, Abi>& a) {
  return stdx::sqrt(a);
}
template <class P>
PLIANT_KERNEL Twin<P> root(const Twin<P>& x) {
  return {root(x.a), root(x.b)};
}

PLIANT_KERNEL double absolute(double a) { return std::abs(a); }
PLIANT_KERNEL float absolute(float a) { return std::abs(a); }
template <class Value, class Abi>
PLIANT_KERNEL stdx::simd<Value, Abi> absolute(const stdx::simd<Value, Abi>& a) {
  return stdx::abs(a);
}
template <class P>
PLIANT_KERNEL Twin<P> absolute(const Twin<P>& x) {
  return {absolute(x.a), absolute(x.b)};
}

template <class T>
PLIANT_KERNEL T larger(const T& a, const T& b) {
  return select(a > b, a, b);
}

/// As many lanes in single precision, for what need not be exact.
template <class T>
struct SingleOf {
  using type = stdx::rebind_simd_t<float, T>;
};
template <>
struct SingleOf<double> {
  using type = float;
};
template <class P>
struct SingleOf<Twin<P>> {
  using type = Twin<typename SingleOf<P>::type>;
};
template <class T>
using Single = typename SingleOf<T>::type;

PLIANT_KERNEL float to_single(double a) { return static_cast<float>(a); }
template <class Abi>
PLIANT_KERNEL auto to_single(const stdx::simd<double, Abi>& a) {
  return stdx::static_simd_cast<Single<stdx::simd<double, Abi>>>(a);
}
template <class P>
PLIANT_KERNEL auto to_single(const Twin<P>& x) {
  return Single<Twin<P>>{to_single(x.a), to_single(x.b)};
}
PLIANT_KERNEL double to_double(float a, double) { return a; }
template <class SingleAbi, class Abi>
PLIANT_KERNEL stdx::simd<double, Abi> to_double(const stdx::simd<float, SingleAbi>& a,
                                                const stdx::simd<double, Abi>&) {
  return stdx::static_simd_cast<stdx::simd<double, Abi>>(a);
}
template <class S, class P>
PLIANT_KERNEL Twin<P> to_double(const Twin<S>& x, const Twin<P>& y) {
  return {to_double(x.a, y.a), to_double(x.b, y.b)};
}
template <class T>
PLIANT_KERNEL T to_double(const Single<T>& a) {
  return to_double(a, T());
}

PLIANT_KERNEL double load(const double* from, double) { return *from; }
template <class Abi>
PLIANT_KERNEL stdx::simd<double, Abi> load(const double* from, const stdx::simd<double, Abi>&) {
  return stdx::simd<double, Abi>(from, stdx::element_aligned);
}
template <class P>
PLIANT_KERNEL Twin<P> load(const double* from, const Twin<P>& x) {
  return {load(from, x.a), load(from + kLanes<P>, x.b)};
}
/// Consecutive doubles, one a lane.
template <class T>
PLIANT_KERNEL T load(const double* from) {
  return load(from, T());
}

/// from[places[0]], from[places[1]], ..., one a lane. Where the machine cannot do that itself they are put
/// together in registers: a wide load from where narrow stores have just gone would wait for all of these.
PLIANT_KERNEL double load_at(const double* from, const int* places, double) { return from[places[0]]; }
template <class Abi>
PLIANT_KERNEL stdx::simd<double, Abi> load_at(const double* from, const int* places,
                                              const stdx::simd<double, Abi>&) {
#ifdef __AVX512F__
  if constexpr (stdx::simd<double, Abi>::size() == 8) {
    const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(places));
    return stdx::simd<double, Abi>(_mm512_i32gather_pd(eight, from, sizeof(double)));
  }
#endif
  return stdx::simd<double, Abi>([&](auto lane) { return from[places[lane]]; });
}
template <class P>
PLIANT_KERNEL Twin<P> load_at(const double* from, const int* places, const Twin<P>& x) {
  return {load_at(from, places, x.a), load_at(from, places + kLanes<P>, x.b)};
}
template <class T>
PLIANT_KERNEL T load_at(const double* from, const int* places) {
  return load_at(from, places, T());
}

PLIANT_KERNEL void store(double a, double* to) { *to = a; }
template <class Abi>
PLIANT_KERNEL void store(const stdx::simd<double, Abi>& a, double* to) {
  a.copy_to(to, stdx::element_aligned);
}
template <class P>
PLIANT_KERNEL void store(const Twin<P>& x, double* to) {
  store(x.a, to);
  store(x.b, to + kLanes<P>);
}

/// Exponential, logarithms, cube root and arc tangent by the library lane by lane, so that they too are the
/// same for any width: log(1 + a), and log(s) of a positive number, which is accurate near 1 as well as near
/// 0.
inline double exponential(double a) { return std::exp(a); }
inline double exact_log_one_plus(double a) { return std::log1p(a); }
inline double log_positive(double s) { return s < 0.5 ? std::log(s) : std::log1p(s - 1); }
inline double cube_root(double a) { return std::cbrt(a); }
inline double arc_tangent(double y, double x) { return std::atan2(y, x); }
template <class Abi>
stdx::simd<double, Abi> exponential(const stdx::simd<double, Abi>& a) {
  return stdx::simd<double, Abi>([&](auto lane) { return exponential(double(a[lane])); });
}
template <class Abi>
stdx::simd<double, Abi> exact_log_one_plus(const stdx::simd<double, Abi>& a) {
  return stdx::simd<double, Abi>([&](auto lane) { return exact_log_one_plus(double(a[lane])); });
}
template <class Abi>
stdx::simd<double, Abi> log_positive(const stdx::simd<double, Abi>& s) {
  return stdx::simd<double, Abi>([&](auto lane) { return log_positive(double(s[lane])); });
}
template <class Abi>
stdx::simd<double, Abi> cube_root(const stdx::simd<double, Abi>& a) {
  return stdx::simd<double, Abi>([&](auto lane) { return cube_root(double(a[lane])); });
}
template <class Abi>
stdx::simd<double, Abi> arc_tangent(const stdx::simd<double, Abi>& y, const stdx::simd<double, Abi>& x) {
  return stdx::simd<double, Abi>([&](auto lane) { return arc_tangent(double(y[lane]), double(x[lane])); });
}
template <class P>
Twin<P> exponential(const Twin<P>& x) {
  return {exponential(x.a), exponential(x.b)};
}
template <class P>
Twin<P> exact_log_one_plus(const Twin<P>& x) {
  return {exact_log_one_plus(x.a), exact_log_one_plus(x.b)};
}
template <class P>
Twin<P> log_positive(const Twin<P>& x) {
  return {log_positive(x.a), log_positive(x.b)};
}
template <class P>
Twin<P> cube_root(const Twin<P>& x) {
  return {cube_root(x.a), cube_root(x.b)};
}

/// log(1 + a), from -0.42 to 0.73 by the series of 2 artanh(a / (2 + a)), one lane at a time elsewhere.
template <class T>
PLIANT_KERNEL T log_one_plus(const T& a) {
  constexpr double kNear = 0.27;
  constexpr int kTerms = 13;
  const T s = a / (T(2.0) + a), squared = s * s;
  const auto near = absolute(s) < T(kNear);
  T sum(1.0 / (2 * kTerms - 1));
  for (int k = kTerms - 2; k >= 0; --k) sum = sum * squared + T(1.0 / (2 * k + 1));
  const T series = T(2.0) * (s * sum);
  if (all(near)) return series;
  return select(near, series, exact_log_one_plus(a));
}

}  // namespace pliant
