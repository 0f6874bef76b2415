// The squared distance of a point p from a triangle, an edge or a corner,
//
//     d = min over u of |r|^2,   r = p - sum_i w_i(u) x_i = A(u) x,   A = [I, -w_0 I, -w_1 I, -w_2 I],
//
// with 2, 1 or 0 free weights u. With w_base = 1 - sum_j u_j and edges e_j = x_j - x_base the derivatives are
//
//     d_x = 2 A^T r (u is at a minimum),   d_xx - d_xu d_uu^-1 d_ux = 2 V K V^T,
//     V = [A^T, D],   D_j = (0, r at the base, -r at corner j),
//     K = [I - E G E^T, E G; G E^T, -G],   G = (E^T E)^-1.
//
// All columns of V are vectors of four numbers, one a vertex, times directions in space, and so span at most
// five dimensions with a basis known in advance: negative eigenvalues are found in a matrix of 5 x 5, not of
// 12 x 12.

#include "pliant/contact/point_primitive.hpp"

#include <cmath>

#include "pliant/contact/definite.hpp"

namespace pliant {

namespace {

using Vec4 = Eigen::Vector4d;
using Mat5 = Eigen::Matrix<double, 5, 5>;
using Columns = Eigen::Matrix<double, 12, 5>;

/// Without it the energy would have no second derivative by d at zero, m^2 (gast-2014, section 5.3).
constexpr double kSoftening = 1e-15;

/// The nearest point, with what derivatives are made of.
struct Nearest {
  Vec4 a;         ///< 1 for the point, minus the weights of the corners
  Vec3 r;         ///< from the nearest point to the point
  int free = 0;   ///< weights
  Vec4 delta[2];  ///< how D_j is distributed over the vertices: 1 at the base, -1 at corner j
  Eigen::Matrix<double, 3, 2> E = Eigen::Matrix<double, 3, 2>::Zero();
  Eigen::Matrix2d G = Eigen::Matrix2d::Zero();

  explicit Nearest(const PointPrimitive& pair);

 private:
  void invert_products();
};

Nearest::Nearest(const PointPrimitive& pair) {
  using Feature = ClosestPoint::Feature;
  const int base = pair.feature == Feature::face     ? 0
                   : pair.feature == Feature::corner ? pair.which
                                                     : (pair.which + 1) % 3;
  free = pair.feature == Feature::face ? 2 : pair.feature == Feature::edge ? 1 : 0;
  const auto unit = [](int corner) -> Vec4 { return Vec4::Unit(corner + 1); };
  for (int j = 0; j < free; ++j) {
    const int corner = (base + 1 + j) % 3;
    E.col(j) = pair.x[corner + 1] - pair.x[base + 1];
    delta[j] = unit(base) - unit(corner);
  }
  invert_products();
  const Vec3 from_base = pair.x[0] - pair.x[base + 1];
  const Eigen::Vector2d u = G * (E.transpose() * from_base);
  r = from_base - E * u;
  a = Vec4::Unit(0) - unit(base);
  for (int j = 0; j < free; ++j) a += u[j] * delta[j];
}

/// Zero instead of the inverse where there is none: the base then stands for all.
void Nearest::invert_products() {
  const Eigen::Matrix2d products = E.transpose() * E;
  if (free == 1 && products(0, 0) > 0) G(0, 0) = 1 / products(0, 0);
  if (free < 2) return;
  const double determinant = E.col(0).cross(E.col(1)).squaredNorm();
  if (determinant > 0)
    G << products(1, 1) / determinant, -products(0, 1) / determinant, -products(0, 1) / determinant,
        products(0, 0) / determinant;
}

/// A function of the squared distance, by its derivatives there.
struct OfDistance {
  double first, second;
};

Vec12 gradient_of(const Nearest& nearest, const OfDistance& f) {
  Vec12 gradient;
  for (int i = 0; i < 4; ++i) gradient.segment<3>(3 * i) = 2 * f.first * nearest.a[i] * nearest.r;
  return gradient;
}

/// The Hessian as Q S Q^T with orthonormal columns Q: a times the three axes, and what is left of the D_j.
struct Factored {
  Columns Q = Columns::Zero();
  Mat5 S = Mat5::Zero();

  Factored(const Nearest& nearest, const OfDistance& f);
};

Factored::Factored(const Nearest& nearest, const OfDistance& f) {
  const auto& [a, r, free, delta, E, G] = nearest;
  const double depth = r.norm(), size = a.norm();
  // Without a distance D is zero and its direction arbitrary.
  const Vec3 n = depth > 0 ? Vec3(r / depth) : Vec3::UnitX();
  Mat5 K = Mat5::Zero(), R = Mat5::Zero();  // V = Q R
  R.topLeftCorner<3, 3>() = size * Mat3::Identity();
  for (int i = 0; i < 4; ++i) Q.block<3, 3>(3 * i, 0) = a[i] / size * Mat3::Identity();
  Vec4 basis[3] = {a / size, Vec4::Zero(), Vec4::Zero()};
  for (int j = 0; j < free; ++j) {
    Vec4 rest = delta[j];
    for (int k = 0; k <= j; ++k) {
      const double part = basis[k].dot(rest);
      rest -= part * basis[k];
      if (k == 0)
        R.col(3 + j).head<3>() = part * r;
      else
        R(2 + k, 3 + j) = part * depth;
    }
    R(3 + j, 3 + j) = rest.norm() * depth;
    basis[1 + j] = rest.normalized();
    for (int i = 0; i < 4; ++i) Q.block<3, 1>(3 * i, 3 + j) = basis[1 + j][i] * n;
  }
  K.topLeftCorner<3, 3>() =
      4 * f.second * r * r.transpose() + 2 * f.first * (Mat3::Identity() - E * G * E.transpose());
  K.topRightCorner<3, 2>() = 2 * f.first * E * G;
  K.bottomLeftCorner<2, 3>() = K.topRightCorner<3, 2>().transpose();
  K.bottomRightCorner<2, 2>() = -2 * f.first * G;
  S = R * K * R.transpose();
}

Mat12 hessian_of(const Nearest& nearest, const OfDistance& f, Definiteness definiteness) {
  const Factored factored(nearest, f);
  const Columns half = factored.Q * made_definite(factored.S, definiteness);
  Mat12 hessian = half * factored.Q.transpose();
  hessian.triangularView<Eigen::StrictlyUpper>() = hessian.transpose();
  return hessian;
}

}  // namespace

double squared_distance(const PointPrimitive& pair, Vec12* gradient, Mat12* hessian) {
  const Nearest nearest(pair);
  const OfDistance identity{1, 0};
  if (gradient) *gradient = gradient_of(nearest, identity);
  if (hessian) *hessian = hessian_of(nearest, identity, Definiteness::none);
  return nearest.r.squaredNorm();
}

double penetration_energy(const PointPrimitive& pair, double stiffness, Vec12* gradient, Mat12* hessian,
                          Definiteness definiteness) {
  const Nearest nearest(pair);
  const double d = nearest.r.squaredNorm(), root = std::sqrt(d + kSoftening);
  const OfDistance phi{stiffness * (root + d / (2 * root)),
                       stiffness * (3 * d + 4 * kSoftening) / (4 * root * (d + kSoftening))};
  if (gradient) *gradient = gradient_of(nearest, phi);
  if (hessian) *hessian = hessian_of(nearest, phi, definiteness);
  return stiffness * d * root;
}

}  // namespace pliant
