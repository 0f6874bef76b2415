#pragma once

// The words of kernels. A kernel is a template over a scalar T and says everything by these and by + - * /
// and comparisons; here they are for T = double, in pack.hpp for packs. All are exact in the IEEE sense, so
// that a kernel gives the same bits whatever its scalar is.

#include <cmath>

/// On every function that kernels call. They only work out as one straight line of code: a call in between
/// would empty all vector registers. Builds for tests, where nobody waits for speed but everybody for the
/// compiler, say `inline` instead, so that they are called. A compiler for GPUs must be told of every one.
#ifndef PLIANT_KERNEL
#ifdef __CUDACC__
#define PLIANT_KERNEL __host__ __device__ __forceinline__
#else
#define PLIANT_KERNEL [[gnu::always_inline]] inline
#endif
#endif

/// The same for functions that are long themselves: these are called.
#ifndef PLIANT_KERNEL_CALL
#ifdef __CUDACC__
#define PLIANT_KERNEL_CALL __host__ __device__
#else
#define PLIANT_KERNEL_CALL [[gnu::noinline]] inline
#endif
#endif

namespace pliant {

/// How many elements a kernel is best worked on at once, where there are packs: two at a time hide what each
/// waits for, but take twice the registers. Machines with packs of four have too few of these for short
/// kernels, which wait for little: `two_if_wide`.
enum class Width { one, pack, two_packs, two_if_wide };

template <class T>
inline constexpr int kLanes = static_cast<int>(T::size());
template <>
inline constexpr int kLanes<double> = 1;

PLIANT_KERNEL double select(bool mask, double a, double b) { return mask ? a : b; }
PLIANT_KERNEL bool all(bool mask) { return mask; }
PLIANT_KERNEL double root(double a) { return std::sqrt(a); }
PLIANT_KERNEL float root(float a) { return std::sqrt(a); }
PLIANT_KERNEL double absolute(double a) { return std::abs(a); }
PLIANT_KERNEL float absolute(float a) { return std::abs(a); }

template <class T>
PLIANT_KERNEL T larger(const T& a, const T& b) {
  return select(a > b, a, b);
}

/// As many lanes in single precision, for what need not be exact.
template <class T>
struct SingleOf;
template <>
struct SingleOf<double> {
  using type = float;
};
template <class T>
using Single = typename SingleOf<T>::type;

PLIANT_KERNEL float to_single(double a) { return static_cast<float>(a); }
PLIANT_KERNEL double to_double(float a, double) { return a; }
template <class T>
PLIANT_KERNEL T to_double(const Single<T>& a) {
  return to_double(a, T());
}

PLIANT_KERNEL double load(const double* from, double) { return *from; }
/// Consecutive numbers, one a lane.
template <class T, class Value>
PLIANT_KERNEL T load(const Value* from) {
  return load(from, T());
}
PLIANT_KERNEL double load_at(const double* from, const int* places, double) { return from[places[0]]; }
/// from[places[0]], from[places[1]], ..., one a lane.
template <class T>
PLIANT_KERNEL T load_at(const double* from, const int* places) {
  return load_at(from, places, T());
}
PLIANT_KERNEL void store(double a, double* to) { *to = a; }

}  // namespace pliant
