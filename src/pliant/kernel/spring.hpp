#pragma once

// Springs: energy k/2 (l - L)^2 of an edge of length l, with rest length L and stiffness k.

#include <string_view>

#include "pliant/kernel/definiteness.hpp"
#include "pliant/kernel/small.hpp"
#include "pliant/kernel/stretch_range.hpp"

namespace pliant {

struct Spring {
  static constexpr std::string_view kName = "spring";
  static constexpr Width kWidth = Width::two_packs;
  static constexpr Width kValueWidth = Width::two_if_wide;
  static constexpr int kCorners = 2;
  /// Stiffness and rest length. What is set to zero to make a contribution vanish is the stiffness.
  static constexpr int kRest = 2;
  static constexpr int kVolume = 0;
  static constexpr bool kProjective = true;  ///< k/2 |x_1 - x_0 - p|^2, with p the nearest of length L

  /// Entries 00 01 11 of k G G^T (liu-2018, Eq. 8.2).
  struct Proxy {
    Proxy(const Spring&, const StretchRange&) {}
    void operator()(const double* rest, double* entries) const {
      entries[0] = entries[2] = rest[0];
      entries[1] = -rest[0];
    }
  };

  template <class T>
  PLIANT_KERNEL static T energy(const T* rest, const Small3<T>* x) {
    const T stretch = Line<T>(rest, x).length - rest[1];
    return T(0.5) * rest[0] * (stretch * stretch);
  }

  template <class T>
  PLIANT_KERNEL static T gradient(const T* rest, const Small3<T>* x, Small3<T>* gradient) {
    const Line<T> line(rest, x);
    const T stretch = line.length - rest[1];
    gradient[1] = (rest[0] * stretch) * line.direction;
    gradient[0] = T(-1.0) * gradient[1];
    return T(0.5) * rest[0] * (stretch * stretch);
  }

  /// Blocks 00 01 11. Along the spring k, across it k (1 - L/l), which is negative where it is pressed.
  template <class T>
  PLIANT_KERNEL static void hessian(const T* rest, const Small3<T>* x, Definiteness definiteness,
                                    Small33<T>* blocks) {
    const Line<T> line(rest, x);
    T across = T(1.0) - rest[1] / larger(line.length, T(kShortest) * rest[1]);
    if (definiteness == Definiteness::clamp) across = larger(across, T(0.0));
    if (definiteness == Definiteness::abs) across = absolute(across);
    const T along = T(1.0) - across;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const T entry =
            rest[0] * (along * (line.direction[i] * line.direction[j]) + (i == j ? across : T(0.0)));
        blocks[0](i, j) = blocks[2](i, j) = entry;
        blocks[1](i, j) = T(-1.0) * entry;
      }
  }

 private:
  /// Shorter than this times its rest length a spring is as good as a point, which has no direction.
  static constexpr double kShortest = 1e-6;

  template <class T>
  struct Line {
    T length;
    Small3<T> direction;
    PLIANT_KERNEL Line(const T* rest, const Small3<T>* x) {
      const Small3<T> d = x[1] - x[0];
      length = root(dot(d, d));
      direction = (T(1.0) / larger(length, T(kShortest) * rest[1])) * d;
    }
  };
};

}  // namespace pliant
