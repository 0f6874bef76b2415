#pragma once

#include <cstring>

#include "pliant/base/types.hpp"

namespace pliant {

/// Four numbers worked on at once, of which the last is not used: a row of a 3x3 block, or a vertex.
template <class Scalar>
struct FourOf {
  typedef Scalar Type __attribute__((vector_size(4 * sizeof(Scalar))));
};
template <class Scalar>
using Four = typename FourOf<Scalar>::Type;

template <class Scalar>
inline Four<Scalar> load_four(const Scalar* from) {
  Four<Scalar> four;
  std::memcpy(&four, from, sizeof four);
  return four;
}
template <class Scalar>
inline void store_four(const Four<Scalar>& four, Scalar* to) {
  std::memcpy(to, &four, sizeof four);
}
inline double sum_of_three(const Four<double>& four) { return (four[0] + four[1]) + four[2]; }
inline float sum_of_three(const Four<float>& four) { return (four[0] + four[1]) + four[2]; }

/// Four numbers in one precision, whatever they were.
inline Four<double> load_double(const double* from) { return load_four(from); }
inline Four<double> load_double(const float* from) {
  return __builtin_convertvector(load_four(from), Four<double>);
}
inline Four<float> load_single(const float* from) { return load_four(from); }
inline Four<float> load_single(const double* from) {
  return __builtin_convertvector(load_four(from), Four<float>);
}

}  // namespace pliant
