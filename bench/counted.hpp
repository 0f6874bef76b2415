#pragma once

// A scalar that counts what is done with it. Kernels are templates over their scalar, so running one with
// this says how many operations an element takes.

#include "pliant/base/scalar.hpp"

namespace pliant {

struct Counted {
  double value = 0;
  static inline long operations = 0;  ///< + - * / and roots since it was last set to zero

  Counted() = default;
  explicit Counted(double v) : value(v) {}
};

inline Counted count(double value) {
  ++Counted::operations;
  return Counted(value);
}
inline Counted operator+(const Counted& a, const Counted& b) { return count(a.value + b.value); }
inline Counted operator-(const Counted& a, const Counted& b) { return count(a.value - b.value); }
inline Counted operator*(const Counted& a, const Counted& b) { return count(a.value * b.value); }
inline Counted operator/(const Counted& a, const Counted& b) { return count(a.value / b.value); }
inline bool operator<(const Counted& a, const Counted& b) { return a.value < b.value; }
inline bool operator>(const Counted& a, const Counted& b) { return a.value > b.value; }
inline bool operator<=(const Counted& a, const Counted& b) { return a.value <= b.value; }
inline Counted select(bool mask, const Counted& a, const Counted& b) { return mask ? a : b; }
inline Counted root(const Counted& a) { return count(std::sqrt(a.value)); }
inline Counted absolute(const Counted& a) { return Counted(std::abs(a.value)); }
inline Counted log_one_plus(const Counted& a) { return count(std::log1p(a.value)); }
inline Counted to_single(const Counted& a) { return a; }
inline Counted to_double(const Counted& a, const Counted&) { return a; }
template <>
struct SingleOf<Counted> {
  using type = Counted;
};

}  // namespace pliant
