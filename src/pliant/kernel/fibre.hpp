#pragma once

// Fibres in tetrahedra: energy V kappa/2 (|F d| - 1)^2 with d the direction of the fibres at rest (liu-2018,
// section 8.3). F d = sum_a w_a x_a with w_a = b_a . d: a spring between weighted corners.

#include <string_view>

#include "pliant/kernel/definiteness.hpp"
#include "pliant/kernel/small.hpp"

namespace pliant {

struct Fibre {
  static constexpr std::string_view kName = "fibre";
  static constexpr Width kWidth = Width::pack;
  static constexpr int kCorners = 4;
  /// V kappa, w_1, w_2, w_3.
  static constexpr int kRest = 4;
  static constexpr int kVolume = 0;
  static constexpr bool kProjective = false;  ///< nor in the constant matrix, which knows no directions

  template <class T>
  PLIANT_KERNEL static T energy(const T* rest, const Small3<T>* x) {
    const T stretch = Line<T>(rest, x).length - T(1.0);
    return T(0.5) * rest[0] * (stretch * stretch);
  }

  template <class T>
  PLIANT_KERNEL static T gradient(const T* rest, const Small3<T>* x, Small3<T>* gradient) {
    const Line<T> line(rest, x);
    const T stretch = line.length - T(1.0);
    for (int a = 1; a < kCorners; ++a) gradient[a] = (rest[0] * (stretch * rest[a])) * line.direction;
    gradient[0] = T(-1.0) * (gradient[1] + gradient[2] + gradient[3]);
    return T(0.5) * rest[0] * (stretch * stretch);
  }

  /// Blocks (a, b) with a <= b. Along the fibre kappa, across it kappa (1 - 1/l), negative where it is
  /// pressed.
  template <class T>
  PLIANT_KERNEL static void hessian(const T* rest, const Small3<T>* x, Definiteness definiteness,
                                    Small33<T>* blocks) {
    const Line<T> line(rest, x);
    T across = T(1.0) - T(1.0) / larger(line.length, T(kShortest));
    if (definiteness == Definiteness::clamp) across = larger(across, T(0.0));
    if (definiteness == Definiteness::abs) across = absolute(across);
    const T along = T(1.0) - across;
    Small33<T> spring;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        spring(i, j) =
            rest[0] * (along * (line.direction[i] * line.direction[j]) + (i == j ? across : T(0.0)));
    const T w[kCorners] = {T(-1.0) * (rest[1] + rest[2] + rest[3]), rest[1], rest[2], rest[3]};
    for (int a = 0, k = 0; a < kCorners; ++a)
      for (int b = a; b < kCorners; ++b, ++k)
        for (int j = 0; j < 3; ++j) blocks[k].column[j] = (w[a] * w[b]) * spring.column[j];
  }

 private:
  /// Shorter than this a fibre is as good as a point, which has no direction.
  static constexpr double kShortest = 1e-6;

  template <class T>
  struct Line {
    T length;
    Small3<T> direction;
    PLIANT_KERNEL Line(const T* rest, const Small3<T>* x) {
      const Small3<T> d = rest[1] * (x[1] - x[0]) + rest[2] * (x[2] - x[0]) + rest[3] * (x[3] - x[0]);
      length = root(dot(d, d));
      direction = (T(1.0) / larger(length, T(kShortest))) * d;
    }
  };
};

}  // namespace pliant
