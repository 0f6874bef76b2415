#pragma once

// Linear tetrahedra of an isotropic material. F = sum_a x_a b_a^T with b_1, b_2, b_3 the rows of the inverse
// of the matrix of rest edges and b_0 minus their sum; energy V Psi(F), gradient V P b_a, Hessian blocks V
// b_a : dP/dF : b_b.

#include <string_view>
#include <type_traits>

#include "pliant/kernel/definiteness.hpp"
#include "pliant/kernel/linear_fit.hpp"
#include "pliant/kernel/stretch.hpp"

namespace pliant {

/// Replaces negative eigenvalues of dP/dF: exact, since the three pairs and A are its blocks. Where A is
/// definite it is left alone to the bit, so skipping the work for packs without a negative eigenvalue changes
/// nothing.
template <class T>
PLIANT_KERNEL void make_definite(StretchHessian<T>& h, Definiteness how) {
  if (how == Definiteness::none) return;
  const auto fix = [how](const T& a) { return how == Definiteness::clamp ? larger(a, T(0.0)) : absolute(a); };
  for (int k = 0; k < 3; ++k) {
    h.symmetric[k] = fix(h.symmetric[k]);
    h.antisymmetric[k] = fix(h.antisymmetric[k]);
  }
  Symmetric33<T>& A = h.A;
  const T minor = A.xx * A.yy - A.xy * A.xy;
  const T det = A.zz * minor - A.xx * (A.yz * A.yz) - A.yy * (A.xz * A.xz) + T(2.0) * (A.xy * (A.xz * A.yz));
  const auto definite = A.xx > T(0.0) && minor > T(0.0) && det > T(0.0);
  if (all(definite)) return;
  Eigen33<T> e = eigen_symmetric(A);
  for (int k = 0; k < 3; ++k) e.value[k] = fix(e.value[k]);
  const Symmetric33<T> fixed = compose(e);
  A = {select(definite, A.xx, fixed.xx), select(definite, A.xy, fixed.xy), select(definite, A.xz, fixed.xz),
       select(definite, A.yy, fixed.yy), select(definite, A.yz, fixed.yz), select(definite, A.zz, fixed.zz)};
}

/// volume a : dP/dF : b in the frame of the stretches.
template <class T>
PLIANT_KERNEL Small33<T> stretch_block(const StretchHessian<T>& h, const T& volume, const Small3<T>& a,
                                       const Small3<T>& b) {
  const Symmetric33<T>& A = h.A;
  // Entry (i, j) of F couples with itself by `same` and with (j, i) by `crossed`; pair k is the one without
  // index k.
  Small3<T> same, crossed;
  for (int k = 0; k < 3; ++k) {
    same[k] = T(0.5) * (h.symmetric[k] + h.antisymmetric[k]);
    crossed[k] = T(0.5) * (h.symmetric[k] - h.antisymmetric[k]);
  }
  const T xx = a[0] * b[0], yy = a[1] * b[1], zz = a[2] * b[2];
  Small33<T> m;
  m(0, 0) = volume * (A.xx * xx + same[2] * yy + same[1] * zz);
  m(1, 1) = volume * (A.yy * yy + same[2] * xx + same[0] * zz);
  m(2, 2) = volume * (A.zz * zz + same[1] * xx + same[0] * yy);
  m(0, 1) = volume * (A.xy * (a[0] * b[1]) + crossed[2] * (a[1] * b[0]));
  m(1, 0) = volume * (A.xy * (a[1] * b[0]) + crossed[2] * (a[0] * b[1]));
  m(0, 2) = volume * (A.xz * (a[0] * b[2]) + crossed[1] * (a[2] * b[0]));
  m(2, 0) = volume * (A.xz * (a[2] * b[0]) + crossed[1] * (a[0] * b[2]));
  m(1, 2) = volume * (A.yz * (a[1] * b[2]) + crossed[0] * (a[2] * b[1]));
  m(2, 1) = volume * (A.yz * (a[2] * b[1]) + crossed[0] * (a[1] * b[2]));
  return m;
}

/// Whether a material can be written in F itself, without its stretches.
template <class Material, class T>
inline constexpr bool kDirect = requires {
  typename Material::template OfDeformation<T>;
};

/// Whether its energy and stress can be had from the nearest rotation, where F is far from collapse.
template <class Material, class T>
inline constexpr bool kByRotation = requires {
  typename Material::template OfRotation<T>;
};

/// Psi(F), and its derivative P where asked for.
template <class Material, class T>
PLIANT_KERNEL T by_stretches(const Material& material, const LameOf<T>& lame, const Small33<T>& F,
                             Small33<T>* P) {
  const Svd<T> s = svd(F);
  if (P) {
    const Small3<T> psi = material.gradient(lame, s.sigma);
    Small33<T> U = s.U;
    for (int k = 0; k < 3; ++k) U.column[k] = psi[k] * U.column[k];
    *P = U * transpose(s.V);
  }
  return material.energy(lame, s.sigma);
}

/// The same in the shortest way the material has.
template <class Material, class T>
PLIANT_KERNEL T energy_density(const Material& material, const LameOf<T>& lame, const Small33<T>& F,
                               Small33<T>* P = nullptr) {
  if constexpr (kDirect<Material, T>) {
    const typename Material::template OfDeformation<T> direct(lame, F);
    if (P) *P = direct.stress();
    return direct.energy();
  } else if constexpr (kByRotation<Material, T>) {
    const typename Material::template OfRotation<T> turned(lame, F);
    if (P) *P = turned.stress();
    if (all(turned.valid)) return turned.energy();
    Small33<T> other;
    const T energy = by_stretches(material, lame, F, P ? &other : nullptr);
    if (P)
      for (int k = 0; k < 3; ++k) P->column[k] = select(turned.valid, P->column[k], other.column[k]);
    return select(turned.valid, turned.energy(), energy);
  } else {
    return by_stretches(material, lame, F, P);
  }
}

template <class Material>
inline constexpr bool kProjectiveMaterial = requires {
  Material::kProjective;
};

/// The stiffness of elements for their constant matrix; most follow one of the same moduli. A projective
/// material is mu times a squared distance, whose second derivative is 2 mu at most: with less, full steps
/// would lead uphill.
template <class Material>
class FittedStiffness {
 public:
  FittedStiffness(const Material& material, const StretchRange& range) : material_(material), range_(range) {}
  double operator()(double mu, double lambda) {
    if constexpr (kProjectiveMaterial<Material>) return 2 * mu;
    if (mu != mu_ || lambda != lambda_)
      stiffness_ = fitted_stiffness(material_, {mu_ = mu, lambda_ = lambda}, range_);
    return stiffness_;
  }

 private:
  [[no_unique_address]] Material material_;
  StretchRange range_;
  double mu_ = 0, lambda_ = 0, stiffness_ = 0;
};

template <class Material>
struct TetSolid {
  static constexpr std::string_view kName = "tetrahedron";
  static constexpr Width kWidth = Width::two_packs;
  /// Without a decomposition or an iteration there is no chain of waits.
  static constexpr Width kValueWidth = kDirect<Material, double> ? Width::two_if_wide : Width::two_packs;
  [[no_unique_address]] Material material = {};
  static constexpr int kCorners = 4;
  /// Inverse of the rest edges by rows (9), volume, mu, lambda.
  static constexpr int kRest = 12;
  static constexpr int kVolume = 9;
  static constexpr bool kProjective = kProjectiveMaterial<Material>;

  /// k V b_a . b_b (liu-2018, Eq. 8.4), in the order of the blocks of the Hessian.
  struct Proxy {
    FittedStiffness<Material> stiffness;
    Proxy(const TetSolid& kernel, const StretchRange& range) : stiffness(kernel.material, range) {}
    void operator()(const double* rest, double* entries) {
      const Rest<double> r(rest);
      const double k = r.volume * stiffness(r.lame.mu, r.lame.lambda);
      const Small3<double> b[4] = {-1.0 * (r.row(0) + r.row(1) + r.row(2)), r.row(0), r.row(1), r.row(2)};
      for (int i = 0; i < 4; ++i)
        for (int j = i; j < 4; ++j) *entries++ = k * dot(b[i], b[j]);
    }
  };

  template <class T>
  struct Rest {
    Small33<T> edges_inverse;
    T volume;
    LameOf<T> lame;
    PLIANT_KERNEL explicit Rest(const T* r) : volume(r[9]), lame{r[10], r[11]} {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) edges_inverse(i, j) = r[3 * i + j];
    }
    /// b_{a+1}
    PLIANT_KERNEL Small3<T> row(int a) const {
      return {edges_inverse(a, 0), edges_inverse(a, 1), edges_inverse(a, 2)};
    }
  };

  template <class T>
  PLIANT_KERNEL T energy(const T* rest, const Small3<T>* x) const {
    const Rest<T> r(rest);
    return r.volume * energy_density(material, r.lame, deformation(r, x));
  }

  /// Energy, and the gradient by each corner.
  template <class T>
  PLIANT_KERNEL T gradient(const T* rest, const Small3<T>* x, Small3<T>* gradient) const {
    const Rest<T> r(rest);
    Small33<T> P;
    const T energy = energy_density(material, r.lame, deformation(r, x), &P);
    for (int a = 0; a < 3; ++a) gradient[a + 1] = r.volume * (P * r.row(a));
    gradient[0] = T(-1.0) * (gradient[1] + gradient[2] + gradient[3]);
    return r.volume * energy;
  }

  /// Blocks (a, b) with a <= b: 00 01 02 03 11 12 13 22 23 33.
  template <class T>
  PLIANT_KERNEL void hessian(const T* rest, const Small3<T>* x, Definiteness definiteness,
                             Small33<T>* blocks) const {
    const Rest<T> r(rest);
    constexpr int kBlock[3][3] = {{4, 5, 6}, {5, 7, 8}, {6, 8, 9}};
    if constexpr (kDirect<Material, T>) {
      if (definiteness == Definiteness::none) {
        using Direct = typename Material::template OfDeformation<T>;
        const Direct direct(r.lame, deformation(r, x));
        const typename Direct::Side sides[3] = {direct.side(r.row(0)), direct.side(r.row(1)),
                                                direct.side(r.row(2))};
        for (int i = 0; i < 3; ++i)
          for (int j = i; j < 3; ++j) blocks[kBlock[i][j]] = direct.block(r.volume, sides[i], sides[j]);
        return complete(blocks);
      }
    }
    const Svd<T> s = svd(deformation(r, x));
    StretchHessian<T> h = material.hessian(r.lame, s.sigma);
    make_definite(h, definiteness);
    // In the frames of U and V, corner a contributes dF = u_a (V^T b_a)^T.
    const Small33<T> b = transpose(r.edges_inverse * s.V);  // column a: V^T b_{a+1}
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j)
        blocks[kBlock[i][j]] = s.U * stretch_block(h, r.volume, b.column[i], b.column[j]) * transpose(s.U);
    complete(blocks);
  }

 private:
  /// Moving all corners together changes nothing: block (0, b) is minus the sum of the blocks (a, b).
  template <class T>
  PLIANT_KERNEL static void complete(Small33<T>* blocks) {
    blocks[1] = minus_sum(blocks[4], transpose(blocks[5]), transpose(blocks[6]));
    blocks[2] = minus_sum(blocks[5], blocks[7], transpose(blocks[8]));
    blocks[3] = minus_sum(blocks[6], blocks[8], blocks[9]);
    blocks[0] = minus_sum(transpose(blocks[1]), transpose(blocks[2]), transpose(blocks[3]));
  }

  template <class T>
  PLIANT_KERNEL static Small33<T> deformation(const Rest<T>& r, const Small3<T>* x) {
    return Small33<T>{{x[1] - x[0], x[2] - x[0], x[3] - x[0]}} * r.edges_inverse;
  }

  template <class T>
  PLIANT_KERNEL static Small33<T> minus_sum(const Small33<T>& a, const Small33<T>& b, const Small33<T>& c) {
    Small33<T> m;
    for (int k = 0; k < 3; ++k) m.column[k] = T(-1.0) * (a.column[k] + b.column[k] + c.column[k]);
    return m;
  }
};

}  // namespace pliant
