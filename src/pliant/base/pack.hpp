#pragma once

// The one header that knows about SIMD packs: the words of scalar.hpp for several doubles at once. Every
// operation is exact lane by lane, so that a kernel gives the same bits for any width. Never included by an
// installed header, nor by a kernel: the width depends on -march.

#include <type_traits>

#include "pliant/base/scalar.hpp"

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

/// Exactly N doubles. A type of our own, so that kernels find its words wherever they are included.
template <int N, class Value = double>
struct PackOf {
  using Lanes = stdx::simd<Value, stdx::simd_abi::deduce_t<Value, N>>;
  Lanes v;

  PackOf() = default;
  PLIANT_KERNEL explicit PackOf(Value value) : v(value) {}
  PLIANT_KERNEL explicit PackOf(const Lanes& lanes) : v(lanes) {}
  static constexpr int size() { return N; }
};

template <class Mask>
struct PackMask {
  Mask m;
};

template <int N, class V>
PLIANT_KERNEL PackOf<N, V> operator+(const PackOf<N, V>& x, const PackOf<N, V>& y) {
  return PackOf<N, V>(x.v + y.v);
}
template <int N, class V>
PLIANT_KERNEL PackOf<N, V> operator-(const PackOf<N, V>& x, const PackOf<N, V>& y) {
  return PackOf<N, V>(x.v - y.v);
}
template <int N, class V>
PLIANT_KERNEL PackOf<N, V> operator*(const PackOf<N, V>& x, const PackOf<N, V>& y) {
  return PackOf<N, V>(x.v * y.v);
}
template <int N, class V>
PLIANT_KERNEL PackOf<N, V> operator/(const PackOf<N, V>& x, const PackOf<N, V>& y) {
  return PackOf<N, V>(x.v / y.v);
}
template <int N, class V>
PLIANT_KERNEL auto operator<(const PackOf<N, V>& x, const PackOf<N, V>& y) {
  return PackMask<typename PackOf<N, V>::Lanes::mask_type>{x.v < y.v};
}
template <int N, class V>
PLIANT_KERNEL auto operator>(const PackOf<N, V>& x, const PackOf<N, V>& y) {
  return PackMask<typename PackOf<N, V>::Lanes::mask_type>{x.v > y.v};
}
template <int N, class V>
PLIANT_KERNEL auto operator<=(const PackOf<N, V>& x, const PackOf<N, V>& y) {
  return PackMask<typename PackOf<N, V>::Lanes::mask_type>{x.v <= y.v};
}
template <int N, class V>
PLIANT_KERNEL auto operator>=(const PackOf<N, V>& x, const PackOf<N, V>& y) {
  return PackMask<typename PackOf<N, V>::Lanes::mask_type>{x.v >= y.v};
}
template <class Mask>
PLIANT_KERNEL PackMask<Mask> operator&&(const PackMask<Mask>& x, const PackMask<Mask>& y) {
  return {x.m && y.m};
}

template <int N, class V, class Mask>
PLIANT_KERNEL PackOf<N, V> select(const PackMask<Mask>& mask, const PackOf<N, V>& a, PackOf<N, V> b) {
  stdx::where(mask.m, b.v) = a.v;
  return b;
}
template <class Mask>
PLIANT_KERNEL bool all(const PackMask<Mask>& mask) {
  return stdx::all_of(mask.m);
}
template <int N, class V>
PLIANT_KERNEL PackOf<N, V> root(const PackOf<N, V>& a) {
  return PackOf<N, V>(stdx::sqrt(a.v));
}
template <int N, class V>
PLIANT_KERNEL PackOf<N, V> absolute(const PackOf<N, V>& a) {
  return PackOf<N, V>(stdx::abs(a.v));
}

template <int N>
struct SingleOf<PackOf<N>> {
  using type = PackOf<N, float>;
};
template <int N>
PLIANT_KERNEL PackOf<N, float> to_single(const PackOf<N>& a) {
  return PackOf<N, float>(stdx::static_simd_cast<typename PackOf<N, float>::Lanes>(a.v));
}
template <int N>
PLIANT_KERNEL PackOf<N> to_double(const PackOf<N, float>& a, const PackOf<N>&) {
  return PackOf<N>(stdx::static_simd_cast<typename PackOf<N>::Lanes>(a.v));
}

template <int N>
PLIANT_KERNEL PackOf<N> load(const double* from, const PackOf<N>&) {
  return PackOf<N>(typename PackOf<N>::Lanes(from, stdx::element_aligned));
}
/// Where the machine cannot do that itself they are put together in registers: a wide load from where narrow
/// stores have just gone would wait for all of these.
template <int N>
PLIANT_KERNEL PackOf<N> load_at(const double* from, const int* places, const PackOf<N>&) {
  using Lanes = typename PackOf<N>::Lanes;
#ifdef __AVX512F__
  if constexpr (N == 8) {
    const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(places));
    return PackOf<N>(Lanes(_mm512_i32gather_pd(eight, from, sizeof(double))));
  }
#endif
  return PackOf<N>(Lanes([&](auto lane) { return from[places[lane]]; }));
}
template <int N>
PLIANT_KERNEL void store(const PackOf<N>& a, double* to) {
  a.v.copy_to(to, stdx::element_aligned);
}

/// Two packs, worked on side by side: what one waits for (a root, a quotient) the other one fills. The Jacobi
/// rotations of a decomposition are a chain of such waits, and twice as fast this way.
template <class P>
struct Twin {
  P a, b;

  Twin() = default;
  template <class Value>
  PLIANT_KERNEL explicit Twin(Value value) : a(value), b(value) {}
  PLIANT_KERNEL Twin(const P& first, const P& second) : a(first), b(second) {}
  static constexpr int size() { return 2 * P::size(); }
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

template <class P, class Mask>
PLIANT_KERNEL Twin<P> select(const TwinMask<Mask>& mask, const Twin<P>& x, const Twin<P>& y) {
  return {select(mask.a, x.a, y.a), select(mask.b, x.b, y.b)};
}
template <class Mask>
PLIANT_KERNEL bool all(const TwinMask<Mask>& mask) {
  return all(mask.a) && all(mask.b);
}
template <class P>
PLIANT_KERNEL Twin<P> root(const Twin<P>& x) {
  return {root(x.a), root(x.b)};
}
template <class P>
PLIANT_KERNEL Twin<P> absolute(const Twin<P>& x) {
  return {absolute(x.a), absolute(x.b)};
}

template <class P>
struct SingleOf<Twin<P>> {
  using type = Twin<Single<P>>;
};
template <class P>
PLIANT_KERNEL Twin<Single<P>> to_single(const Twin<P>& x) {
  return {to_single(x.a), to_single(x.b)};
}
template <class S, class P>
PLIANT_KERNEL Twin<P> to_double(const Twin<S>& x, const Twin<P>& y) {
  return {to_double(x.a, y.a), to_double(x.b, y.b)};
}

template <class P>
PLIANT_KERNEL Twin<P> load(const double* from, const Twin<P>& x) {
  return {load(from, x.a), load(from + P::size(), x.b)};
}
template <class P>
PLIANT_KERNEL Twin<P> load_at(const double* from, const int* places, const Twin<P>& x) {
  return {load_at(from, places, x.a), load_at(from, places + P::size(), x.b)};
}
template <class P>
PLIANT_KERNEL void store(const Twin<P>& x, double* to) {
  store(x.a, to);
  store(x.b, to + P::size());
}

/// What the machine takes at once, and two of them.
using NativePack = PackOf<static_cast<int>(stdx::native_simd<double>::size())>;
using Pack = Twin<NativePack>;

template <Width kWidth>
using PackOfWidth = std::conditional_t<
    kWidth == Width::one, double,
    std::conditional_t<kWidth == Width::two_packs || (kWidth == Width::two_if_wide && NativePack::size() > 4),
                       Pack, NativePack>>;

}  // namespace pliant
