#pragma once

// The one header that knows about SIMD packs: the words of scalar.hpp for several doubles at once. Every
// operation is exact lane by lane, so that a kernel gives the same bits for any width. Never included by an
// installed header, nor by a kernel: the width depends on -march.
//
// The lanes are the compiler's own vectors. std::experimental::simd stands five calls above them, each a
// template that is inlined into the kernel once more: kernels took four times as long to compile, and came
// out no faster.

#include <cstring>
#include <type_traits>
#include <utility>

#include "pliant/base/scalar.hpp"

#ifdef __SSE2__
// GCC 12 takes the deliberately undefined operand of its own AVX-512 intrinsics for a mistake (GCC bug
// 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace pliant {

/// Bytes that the machine takes at once.
#if defined(__AVX512F__)
inline constexpr int kPackBytes = 64;
#elif defined(__AVX__)
inline constexpr int kPackBytes = 32;
#else
inline constexpr int kPackBytes = 16;
#endif

/// Exactly N numbers. A type of our own, so that kernels find its words wherever they are included.
template <int N, class Value = double>
struct PackOf {
  using Lanes [[gnu::vector_size(N * sizeof(Value))]] = Value;
  Lanes v;

  PackOf() = default;
  PLIANT_KERNEL explicit PackOf(Value value) : v(value - Lanes{}) {}
  PLIANT_KERNEL explicit PackOf(const Lanes& lanes) : v(lanes) {}
  static constexpr int size() { return N; }
};

/// All bits of a lane, or none, in integers as wide as what was compared.
template <class Lanes>
struct PackMask {
  Lanes m;
};
template <class Lanes>
PackMask(Lanes) -> PackMask<Lanes>;

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
  return PackMask{x.v < y.v};
}
template <int N, class V>
PLIANT_KERNEL auto operator>(const PackOf<N, V>& x, const PackOf<N, V>& y) {
  return PackMask{x.v > y.v};
}
template <int N, class V>
PLIANT_KERNEL auto operator<=(const PackOf<N, V>& x, const PackOf<N, V>& y) {
  return PackMask{x.v <= y.v};
}
template <int N, class V>
PLIANT_KERNEL auto operator>=(const PackOf<N, V>& x, const PackOf<N, V>& y) {
  return PackMask{x.v >= y.v};
}
template <class Lanes>
PLIANT_KERNEL PackMask<Lanes> operator&&(const PackMask<Lanes>& x, const PackMask<Lanes>& y) {
  return {x.m & y.m};
}

template <int N, class V, class Lanes>
PLIANT_KERNEL PackOf<N, V> select(const PackMask<Lanes>& mask, const PackOf<N, V>& a, const PackOf<N, V>& b) {
  return PackOf<N, V>(mask.m ? a.v : b.v);
}

/// The two halves of a vector.
template <class Lanes>
struct HalvesOf {
  using Lane = std::remove_cvref_t<decltype(Lanes{}[0])>;
  using Half [[gnu::vector_size(sizeof(Lanes) / 2)]] = Lane;
  Half first, second;
};

/// A bit a lane, that of the first one lowest.
template <class Lanes>
PLIANT_KERNEL unsigned bits_of(const PackMask<Lanes>& mask) {
  constexpr int kBytes = sizeof(Lanes), kLane = sizeof(mask.m[0]);
  if constexpr (kBytes > kPackBytes) {
    HalvesOf<Lanes> part;
    std::memcpy(&part, &mask.m, sizeof part);
    return bits_of(PackMask{part.first}) | bits_of(PackMask{part.second}) << (kBytes / kLane / 2);
  }
#ifdef __AVX512F__
  if constexpr (kBytes == 64 && kLane == 8) return _mm512_test_epi64_mask((__m512i)mask.m, (__m512i)mask.m);
#endif
#ifdef __AVX__
  if constexpr (kBytes == 32 && kLane == 8) return _mm256_movemask_pd((__m256d)mask.m);
  if constexpr (kBytes == 32 && kLane == 4) return _mm256_movemask_ps((__m256)mask.m);
#endif
#ifdef __SSE2__
  if constexpr (kBytes == 16 && kLane == 8) return _mm_movemask_pd((__m128d)mask.m);
  if constexpr (kBytes == 16 && kLane == 4) return _mm_movemask_ps((__m128)mask.m);
#endif
  unsigned bits = 0;
  for (int lane = 0; lane < kBytes / kLane; ++lane) bits |= (mask.m[lane] & 1U) << lane;
  return bits;
}
template <class Lanes>
PLIANT_KERNEL bool all(const PackMask<Lanes>& mask) {
  return bits_of(mask) == (1U << (sizeof(Lanes) / sizeof(mask.m[0]))) - 1;
}

template <int N, class V>
PLIANT_KERNEL PackOf<N, V> root(const PackOf<N, V>& a) {
  using Lanes = typename PackOf<N, V>::Lanes;
  constexpr int kBytes = sizeof(Lanes), kLane = sizeof(V);
#ifdef __AVX512F__
  if constexpr (kBytes == 64 && kLane == 8) return PackOf<N, V>((Lanes)_mm512_sqrt_pd((__m512d)a.v));
#endif
#ifdef __AVX__
  if constexpr (kBytes == 32 && kLane == 8) return PackOf<N, V>((Lanes)_mm256_sqrt_pd((__m256d)a.v));
  if constexpr (kBytes == 32 && kLane == 4) return PackOf<N, V>((Lanes)_mm256_sqrt_ps((__m256)a.v));
#endif
#ifdef __SSE2__
  if constexpr (kBytes == 16 && kLane == 8) return PackOf<N, V>((Lanes)_mm_sqrt_pd((__m128d)a.v));
  if constexpr (kBytes == 16 && kLane == 4) return PackOf<N, V>((Lanes)_mm_sqrt_ps((__m128)a.v));
  if constexpr (kBytes == 8 && kLane == 4) {
    const __m128 four = _mm_sqrt_ps(_mm_set_ps(1, 1, a.v[1], a.v[0]));
    return PackOf<N, V>(Lanes{four[0], four[1]});
  }
#endif
  PackOf<N, V> roots(V(0));
  for (int lane = 0; lane < N; ++lane) roots.v[lane] = root(a.v[lane]);
  return roots;
}
/// Without its sign, which is a bit.
template <int N, class V>
PLIANT_KERNEL PackOf<N, V> absolute(const PackOf<N, V>& a) {
  using Lanes = typename PackOf<N, V>::Lanes;
  using Bits = decltype(a.v < a.v);
  return PackOf<N, V>((Lanes)((Bits)a.v & ~(Bits)PackOf<N, V>(V(-0.0)).v));
}

template <int N>
struct SingleOf<PackOf<N>> {
  using type = PackOf<N, float>;
};
template <int N>
PLIANT_KERNEL PackOf<N, float> to_single(const PackOf<N>& a) {
  return PackOf<N, float>(__builtin_convertvector(a.v, typename PackOf<N, float>::Lanes));
}
template <int N>
PLIANT_KERNEL PackOf<N> to_double(const PackOf<N, float>& a, const PackOf<N>&) {
#ifdef __AVX512F__
  if constexpr (N == 8) return PackOf<N>((typename PackOf<N>::Lanes)_mm512_cvtps_pd((__m256)a.v));
#endif
#ifdef __AVX__
  if constexpr (N == 4) return PackOf<N>((typename PackOf<N>::Lanes)_mm256_cvtps_pd((__m128)a.v));
#endif
  return PackOf<N>(__builtin_convertvector(a.v, typename PackOf<N>::Lanes));
}

/// Consecutive numbers, from anywhere.
template <int N, class V>
PLIANT_KERNEL PackOf<N, V> load(const V* from, const PackOf<N, V>&) {
  PackOf<N, V> a;
  std::memcpy(&a.v, from, sizeof a.v);
  return a;
}
template <int N, class V>
PLIANT_KERNEL void store(const PackOf<N, V>& a, V* to) {
  std::memcpy(to, &a.v, sizeof a.v);
}
/// Where the machine cannot do that itself they are put together in registers: a wide load from where narrow
/// stores have just gone would wait for all of these.
template <int N>
PLIANT_KERNEL PackOf<N> load_at(const double* from, const int* places, const PackOf<N>&) {
  using Lanes = typename PackOf<N>::Lanes;
#ifdef __AVX512F__
  if constexpr (N == 8) {
    const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(places));
    return PackOf<N>((Lanes)_mm512_i32gather_pd(eight, from, sizeof(double)));
  }
#endif
  const auto put_together = [&]<int... lane>(std::integer_sequence<int, lane...>) {
    return Lanes{from[places[lane]]...};
  };
  return PackOf<N>(put_together(std::make_integer_sequence<int, N>()));
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
using NativePack = PackOf<kPackBytes / sizeof(double)>;
using Pack = Twin<NativePack>;

template <Width kWidth>
using PackOfWidth = std::conditional_t<
    kWidth == Width::one, double,
    std::conditional_t<kWidth == Width::two_packs || (kWidth == Width::two_if_wide && NativePack::size() > 4),
                       Pack, NativePack>>;

}  // namespace pliant
