#pragma once

// Linear triangles in space. F = sum_a x_a b_a^T is 3x2, with b_1 and b_2 the rows of the inverse of the rest
// edges in the plane of the triangle. Its two stretches are those of the material in the sheet, the third
// is 1. Forces: P = sum_i psi_i u_i v_i^T. Across the sheet a tension psi_i acts as that of a string:
// eigenvalue psi_i / sigma_i.

#include "pliant/kernel/tet_solid.hpp"

namespace pliant {

template <class Material>
struct Membrane {
  static constexpr std::string_view kName = "membrane";
  static constexpr Width kWidth = Width::pack;
  [[no_unique_address]] Material material = {};
  static constexpr int kCorners = 3;
  /// Inverse of the rest edges by rows (4), volume, mu, lambda.
  static constexpr int kRest = 7;
  static constexpr int kVolume = 4;
  static constexpr bool kProjective = kProjectiveMaterial<Material>;

  /// k V b_a . b_b, in the order of the blocks of the Hessian.
  struct Proxy {
    FittedStiffness<Material> stiffness;
    Proxy(const Membrane& kernel, const StretchRange& range) : stiffness(kernel.material, range) {}
    void operator()(const double* rest, double* entries) {
      const double k = rest[kVolume] * stiffness(rest[5], rest[6]);
      for (int i = 0; i < kCorners; ++i)
        for (int j = i; j < kCorners; ++j)
          *entries++ = k * (slope(rest, i, 0) * slope(rest, j, 0) + slope(rest, i, 1) * slope(rest, j, 1));
    }
  };

  template <class T>
  PLIANT_KERNEL T energy(const T* rest, const Small3<T>* x) const {
    return rest[kVolume] * material.energy(lame(rest), Stretched<T>(rest, x).stretches());
  }

  template <class T>
  PLIANT_KERNEL T gradient(const T* rest, const Small3<T>* x, Small3<T>* gradient) const {
    const Stretched<T> s(rest, x);
    const Small3<T> psi = material.gradient(lame(rest), s.stretches());
    for (int a = 1; a < kCorners; ++a)
      gradient[a] =
          rest[kVolume] * ((psi[0] * s.along(rest, a, 0)) * s.u[0] + (psi[1] * s.along(rest, a, 1)) * s.u[1]);
    gradient[0] = T(-1.0) * (gradient[1] + gradient[2]);
    return rest[kVolume] * material.energy(lame(rest), s.stretches());
  }

  /// Blocks 00 01 02 11 12 22.
  template <class T>
  PLIANT_KERNEL void hessian(const T* rest, const Small3<T>* x, Definiteness definiteness,
                             Small33<T>* blocks) const {
    const Stretched<T> s(rest, x);
    const Small3<T> psi = material.gradient(lame(rest), s.stretches());
    const InPlane<T> h(material.hessian(lame(rest), s.stretches()), psi, s.sigma, definiteness);
    const auto block = [&](int a, int b) {
      const T a0 = s.along(rest, a, 0), a1 = s.along(rest, a, 1), b0 = s.along(rest, b, 0),
              b1 = s.along(rest, b, 1);
      const T m00 = h.A00 * (a0 * b0) + h.same * (a1 * b1), m11 = h.A11 * (a1 * b1) + h.same * (a0 * b0);
      const T m01 = h.A01 * (a0 * b1) + h.crossed * (a1 * b0),
              m10 = h.A01 * (a1 * b0) + h.crossed * (a0 * b1);
      const T across = h.across[0] * (a0 * b0) + h.across[1] * (a1 * b1);
      Small33<T> m;
      for (int j = 0; j < 3; ++j)
        m.column[j] = rest[kVolume] *
                      ((m00 * s.u[0][j] + m01 * s.u[1][j]) * s.u[0] +
                       (m10 * s.u[0][j] + m11 * s.u[1][j]) * s.u[1] + (across * s.normal[j]) * s.normal);
      return m;
    };
    blocks[3] = block(1, 1);
    blocks[4] = block(1, 2);
    blocks[5] = block(2, 2);
    // Moving all corners together changes nothing.
    blocks[1] = zeros<T>() - blocks[3] - transpose(blocks[4]);
    blocks[2] = zeros<T>() - blocks[4] - blocks[5];
    blocks[0] = zeros<T>() - transpose(blocks[1]) - transpose(blocks[2]);
  }

 private:
  template <class T>
  PLIANT_KERNEL static LameOf<T> lame(const T* rest) {
    return {rest[5], rest[6]};
  }

  /// Entry `axis` of b_a.
  template <class T>
  PLIANT_KERNEL static T slope(const T* rest, int a, int axis) {
    return a == 0 ? T(-1.0) * (rest[axis] + rest[2 + axis]) : rest[2 * (a - 1) + axis];
  }

  /// F = sum_i sigma_i u_i v_i^T with the larger stretch first, from the rotation that makes F^T F diagonal.
  template <class T>
  struct Stretched {
    T sigma[2];
    Small3<T> u[2], normal;
    T v[2][2];  ///< [i][axis]

    PLIANT_KERNEL Stretched(const T* rest, const Small3<T>* x) {
      const Small3<T> e1 = x[1] - x[0], e2 = x[2] - x[0];
      const Small3<T> f[2] = {rest[0] * e1 + rest[2] * e2, rest[1] * e1 + rest[3] * e2};
      const T d = dot(f[0], f[0]) - dot(f[1], f[1]), g = dot(f[0], f[1]);
      // tan 2t = 2g / d, in the form that cancels nothing; the larger stretch comes first.
      const T length = root(d * d + T(4.0) * (g * g));
      const T t = T(2.0) * g / larger(absolute(d) + length, T(1e-300));
      const T c = T(1.0) / root(T(1.0) + t * t);
      const auto swapped = d < T(0.0);
      v[0][0] = select(swapped, t * c, c);
      v[0][1] = select(swapped, c, t * c);
      v[1][0] = T(-1.0) * v[0][1];
      v[1][1] = v[0][0];
      Small3<T> image[2];
      for (int i = 0; i < 2; ++i) {
        image[i] = v[i][0] * f[0] + v[i][1] * f[1];
        sigma[i] = root(dot(image[i], image[i]));
      }
      complete(image);
    }
    PLIANT_KERNEL Small3<T> stretches() const { return {sigma[0], sigma[1], T(1.0)}; }
    /// v_i . b_a
    PLIANT_KERNEL T along(const T* rest, int a, int i) const {
      return v[i][0] * slope(rest, a, 0) + v[i][1] * slope(rest, a, 1);
    }

   private:
    /// u and the normal; any directions that fit where a stretch vanishes.
    PLIANT_KERNEL void complete(const Small3<T>* image) {
      constexpr double kTiny = 1e-150;
      u[0] = (T(1.0) / larger(sigma[0], T(kTiny))) * image[0];
      const auto flat = sigma[0] > T(kTiny);
      for (int k = 0; k < 3; ++k) u[0][k] = select(flat, u[0][k], T(k == 0 ? 1.0 : 0.0));
      // Orthogonal in spite of roundoff.
      Small3<T> second = image[1] - dot(image[1], u[0]) * u[0];
      const T length = root(dot(second, second));
      // A fallback across u_0: along the axis that it has least of.
      const T ax = absolute(u[0][0]), ay = absolute(u[0][1]), az = absolute(u[0][2]);
      const auto x_least = ax < ay && ax < az;
      const auto y_least = ay < az;
      const Small3<T> axis = {select(x_least, T(1.0), T(0.0)),
                              select(x_least, T(0.0), select(y_least, T(1.0), T(0.0))),
                              select(x_least, T(0.0), select(y_least, T(0.0), T(1.0)))};
      const Small3<T> other = cross(u[0], axis);
      const T other_length = root(dot(other, other));
      const auto usable = length > T(1e-12) * sigma[0] && length > T(kTiny);
      const T scale = T(1.0) / select(usable, length, other_length);
      for (int k = 0; k < 3; ++k) u[1][k] = scale * select(usable, second[k], other[k]);
      normal = cross(u[0], u[1]);
    }
  };

  /// The second derivative in the frame of the stretches, made definite where asked for.
  template <class T>
  struct InPlane {
    T A00, A01, A11, same, crossed;
    T across[2];

    PLIANT_KERNEL InPlane(const StretchHessian<T>& h, const Small3<T>& psi, const T* sigma, Definiteness how)
        : A00(h.A.xx), A01(h.A.xy), A11(h.A.yy) {
      T symmetric = h.symmetric[2], antisymmetric = h.antisymmetric[2];
      for (int i = 0; i < 2; ++i) across[i] = psi[i] / larger(sigma[i], T(1e-6));
      if (how != Definiteness::none) {
        const auto fix = [how](const T& a) {
          return how == Definiteness::clamp ? larger(a, T(0.0)) : absolute(a);
        };
        symmetric = fix(symmetric);
        antisymmetric = fix(antisymmetric);
        for (T& value : across) value = fix(value);
        // Eigenvalues m +- r of the 2x2 matrix, with the same directions.
        const T m = T(0.5) * (A00 + A11), d = T(0.5) * (A00 - A11), r = root(d * d + A01 * A01);
        const T high = fix(m + r), low = fix(m - r);
        const T mean = T(0.5) * (high + low), part = T(0.5) * (high - low) / larger(r, T(1e-300));
        const auto keep = m - r > T(0.0);
        A00 = select(keep, A00, mean + part * d);
        A11 = select(keep, A11, mean - part * d);
        A01 = select(keep, A01, part * A01);
      }
      same = T(0.5) * (symmetric + antisymmetric);
      crossed = T(0.5) * (symmetric - antisymmetric);
    }
  };
};

}  // namespace pliant
