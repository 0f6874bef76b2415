#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "pliant/base/types.hpp"
#include "pliant/base/vector_ops.hpp"

namespace pliant {

/// What the unknowns of a problem are: blocks of three numbers, each a vertex, a node of a grid or a column
/// of a rigid body's frame. A new id says that unknowns came, went or were numbered anew: what was kept of
/// them must be forgotten.
struct UnknownLayout {
  std::uint64_t id = 0;
  Index blocks = 0;

  Index size() const { return 3 * blocks; }
};

/// A layout with an id of its own.
UnknownLayout make_layout(Index blocks);

/// A vector of unknowns: a point, a step, a gradient. Who minimises works on it by the verbs below and never
/// looks inside, so that it may lie elsewhere than in the host's memory one day; who knows what the unknowns
/// are, and direct solvers, which run on the host, ask for `host`.
class Field final {
 public:
  Field() = default;
  explicit Field(Vector values) : host_(std::move(values)) {}

  Index size() const { return host_.size(); }
  bool empty() const { return host_.size() == 0; }
  void clear() { host_.resize(0); }
  void swap(Field& other) { host_.swap(other.host_); }

  Vector& host() { return host_; }
  const Vector& host() const { return host_; }

 private:
  Vector host_;
};

/// Which numbers of a field are held; empty where none is.
using Mask = std::span<const char>;

inline double dot(const Field& a, const Field& b) { return dot(a.host(), b.host()); }
inline double norm(const Field& a) { return norm(a.host()); }
inline Products products(const Field& a, const Field& b) { return products(a.host(), b.host()); }
inline bool all_finite(const Field& a) { return all_finite(a.host()); }
inline double longest_block(const Field& a) { return longest_vertex(a.host()); }
inline void copy(const Field& x, Field& y) { copy(x.host(), y.host()); }
inline void set_zero(Index size, Field& y) { set_zero(size, y.host()); }
inline void scale(double a, Field& y) { scale(a, y.host()); }
inline void add_scaled(double a, const Field& x, const Field& y, Field& z) {
  add_scaled(a, x.host(), y.host(), z.host());
}
inline void add_scaled(double a, const Field& x, Field& y) { add_scaled(a, x.host(), y.host()); }
inline void scale_and_add(double a, const Field& x, Field& y) { scale_and_add(a, x.host(), y.host()); }

/// The largest of the absolute values.
double largest(const Field& a);
/// y = -x
void negate(const Field& x, Field& y);
/// y /= a
void divide(double a, Field& y);
/// x += a p and r -= a q, in one pass over memory.
void advance(double a, const Field& p, const Field& q, Field& x, Field& r);
/// y = 0 where `held`.
void clear_where(Mask held, Field& y);
/// y = x where `held`, or where not.
void take_where(Mask held, bool is_held, const Field& x, Field& y);
/// The sum of what is not held.
double sum_of_free(const Field& a, Mask held);

}  // namespace pliant
