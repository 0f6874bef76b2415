#pragma once

// Discrete shells (Grinspun et al. 2003): a hinge for each edge between two triangles, with energy
// k/2 (theta - theta_0)^2 of the angle between their normals. Corners: the edge from 0 to 1, then the corner
// opposite to it in the triangle on its left and in that on its right.
//
// With e = x_1 - x_0, a = x_2 - x_0, b = x_3 - x_0 and the normals A = e x a, B = b x e, all as long as twice
// the areas, the angle is 0 where the triangles are flat, and
//   d theta/da = -|e| A / |A|^2, d theta/db = -|e| B / |B|^2,
//   d theta/de = -(a.e / |e|^2) d theta/da - (b.e / |e|^2) d theta/db.

#include <string_view>

#include "pliant/kernel/definiteness.hpp"
#include "pliant/kernel/elementary.hpp"
#include "pliant/kernel/small.hpp"
#include "pliant/kernel/stretch_range.hpp"

namespace pliant {

struct Hinge {
  static constexpr std::string_view kName = "hinge";
  static constexpr Width kWidth = Width::pack;
  static constexpr int kCorners = 4;
  /// k, theta_0, and for each corner the weight that makes |sum w_i x_i| the angle where it is small (Bergou
  /// et al. 2006).
  static constexpr int kRest = 6;
  static constexpr int kVolume = 0;
  static constexpr bool kProjective = false;

  /// That of a sheet which bends without stretching, a quadratic form.
  struct Proxy {
    Proxy(const Hinge&, const StretchRange&) {}
    void operator()(const double* rest, double* entries) const {
      for (int i = 0; i < kCorners; ++i)
        for (int j = i; j < kCorners; ++j) *entries++ = rest[0] * rest[2 + i] * rest[2 + j];
    }
  };

  static double angle(const Small3<double>* x) { return Fold<double>(x).angle; }

  template <class T>
  PLIANT_KERNEL static T energy(const T* rest, const Small3<T>* x) {
    const T bend = Fold<T>(x).angle - rest[1];
    return T(0.5) * rest[0] * (bend * bend);
  }

  template <class T>
  PLIANT_KERNEL static T gradient(const T* rest, const Small3<T>* x, Small3<T>* gradient) {
    const Fold<T> fold(x);
    const T bend = fold.angle - rest[1], moment = rest[0] * bend;
    gradient[1] = moment * fold.by_e;
    gradient[2] = moment * fold.by_a;
    gradient[3] = moment * fold.by_b;
    gradient[0] = T(-1.0) * (gradient[1] + gradient[2] + gradient[3]);
    return T(0.5) * rest[0] * (bend * bend);
  }

  /// Blocks (a, b) with a <= b. Made definite, it is the part k grad(theta) grad(theta)^T alone.
  template <class T>
  PLIANT_KERNEL static void hessian(const T* rest, const Small3<T>* x, Definiteness definiteness,
                                    Small33<T>* blocks) {
    const Fold<T> fold(x);
    const Small3<T> by[3] = {fold.by_e, fold.by_a, fold.by_b};
    constexpr int kBlock[3][3] = {{4, 5, 6}, {5, 7, 8}, {6, 8, 9}};
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j)
        for (int c = 0; c < 3; ++c) blocks[kBlock[i][j]].column[c] = (rest[0] * by[j][c]) * by[i];
    if (definiteness == Definiteness::none) fold.add_curvature(rest[0] * (fold.angle - rest[1]), blocks);
    // Moving all corners together changes nothing.
    blocks[1] = zeros<T>() - blocks[4] - transpose(blocks[5]) - transpose(blocks[6]);
    blocks[2] = zeros<T>() - blocks[5] - blocks[7] - transpose(blocks[8]);
    blocks[3] = zeros<T>() - blocks[6] - blocks[8] - blocks[9];
    blocks[0] = zeros<T>() - transpose(blocks[1]) - transpose(blocks[2]) - transpose(blocks[3]);
  }

 private:
  template <class T>
  struct Fold {
    Small3<T> e, a, b, A, B;
    T length, squared;  ///< of e
    T area_a, area_b;   ///< |A|^2, |B|^2
    T part_a, part_b;   ///< a.e / |e|^2, b.e / |e|^2
    Small3<T> by_e, by_a, by_b;
    T angle;

    PLIANT_KERNEL explicit Fold(const Small3<T>* x)
        : e(x[1] - x[0]), a(x[2] - x[0]), b(x[3] - x[0]), A(cross(e, a)), B(cross(b, e)) {
      constexpr double kTiny = 1e-100;
      squared = larger(dot(e, e), T(kTiny));
      length = root(squared);
      area_a = larger(dot(A, A), T(kTiny));
      area_b = larger(dot(B, B), T(kTiny));
      part_a = dot(a, e) / squared;
      part_b = dot(b, e) / squared;
      by_a = (T(-1.0) * length / area_a) * A;
      by_b = (T(-1.0) * length / area_b) * B;
      by_e = T(-1.0) * (part_a * by_a + part_b * by_b);
      angle = arc_tangent(dot(cross(A, B), e) / length, dot(A, B));
    }

    /// Adds factor times the second derivative of the angle.
    PLIANT_KERNEL void add_curvature(const T& factor, Small33<T>* blocks) const {
      const Small33<T> aa = by_other(A, area_a, e), bb = by_other(B, area_b, T(-1.0) * e);
      const Small33<T> ae = by_edge(A, area_a, T(-1.0) * a), be = by_edge(B, area_b, b);
      const Small33<T> ee = along_edge(by_a, part_a, a, ae), ee_b = along_edge(by_b, part_b, b, be);
      for (int c = 0; c < 3; ++c) {
        blocks[4].column[c] = blocks[4].column[c] + factor * (ee.column[c] + ee_b.column[c]);
        blocks[7].column[c] = blocks[7].column[c] + factor * aa.column[c];
        blocks[9].column[c] = blocks[9].column[c] + factor * bb.column[c];
      }
      const Small33<T> ea = transpose(ae), eb = transpose(be);
      for (int c = 0; c < 3; ++c) {
        blocks[5].column[c] = blocks[5].column[c] + factor * ea.column[c];
        blocks[6].column[c] = blocks[6].column[c] + factor * eb.column[c];
      }
    }

   private:
    /// The derivative of -|e| N / |N|^2 where N changes by v x dy: -(|e| / |N|^2) (I - 2 n n^T) [v].
    PLIANT_KERNEL Small33<T> by_other(const Small3<T>& N, const T& area, const Small3<T>& v) const {
      const T scale = T(-1.0) * length / area;
      const Small3<T> columns[3] = {
          {T(0.0), v[2], T(-1.0) * v[1]}, {T(-1.0) * v[2], T(0.0), v[0]}, {v[1], T(-1.0) * v[0], T(0.0)}};
      Small33<T> m;
      for (int c = 0; c < 3; ++c)
        m.column[c] = scale * (columns[c] - (T(2.0) * dot(N, columns[c]) / area) * N);
      return m;
    }
    /// The same by e, on which the length depends too.
    PLIANT_KERNEL Small33<T> by_edge(const Small3<T>& N, const T& area, const Small3<T>& v) const {
      Small33<T> m = by_other(N, area, v);
      for (int c = 0; c < 3; ++c) m.column[c] = m.column[c] - (e[c] / (length * area)) * N;
      return m;
    }
    /// The derivative of -part times `by` by e.
    PLIANT_KERNEL Small33<T> along_edge(const Small3<T>& by, const T& part, const Small3<T>& y,
                                        const Small33<T>& by_e_of_it) const {
      Small33<T> m;
      for (int c = 0; c < 3; ++c)
        m.column[c] =
            T(-1.0) * (((y[c] - T(2.0) * (part * e[c])) / squared) * by + part * by_e_of_it.column[c]);
      return m;
    }
  };
};

}  // namespace pliant
