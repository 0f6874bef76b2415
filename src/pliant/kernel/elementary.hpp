#pragma once

// Logarithms, exponential, cube root and arc tangent from + - * /, comparisons and selections alone, so that
// they are the same bits for a double, for any pack and on a GPU; the library's are not. Each is within one
// ulp. Reductions and polynomials are those of fdlibm (Sun Microsystems 1993) and of FreeBSD's cbrt (Evans
// 2009), powers of two are taken off by multiplication.

#include <limits>

#include "pliant/base/scalar.hpp"

namespace pliant {

namespace detail {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

constexpr double power_of_two(int n) {
  double power = 1;
  for (int k = 0; k < n; ++k) power *= 2;
  for (int k = 0; k > n; --k) power /= 2;
  return power;
}
template <int n>
inline constexpr double kPowerOfTwo = power_of_two(n);

inline constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;

/// Takes 2^step, 2^(step/2), ... off x, which is at least one, until it is less than 2^last; adds to `log`
/// which power of two that was, and multiplies `power` by its root.
template <int kStep, int kLast, int kRoot, class T>
PLIANT_KERNEL void take_off_powers(T& x, T& log, T& power) {
  const auto large = x >= T(kPowerOfTwo<kStep>);
  x = select(large, T(kPowerOfTwo<-kStep>), T(1.0)) * x;
  log = select(large, log + T(kStep), log);
  power = select(large, T(kPowerOfTwo<kStep / kRoot>), T(1.0)) * power;
  if constexpr (kStep > kLast) take_off_powers<kStep / 2, kLast, kRoot>(x, log, power);
}

/// x = m 2^k with m from sqrt(1/2) to sqrt(2), for finite positive x.
template <class T>
struct Split {
  T m, k;
  PLIANT_KERNEL explicit Split(const T& x) : m(x), k(0.0) {
    for (int twice = 0; twice < 2; ++twice) {
      const auto small = m < T(1.0);
      m = select(small, T(kPowerOfTwo<537>), T(1.0)) * m;
      k = select(small, k - T(537.0), k);
    }
    T power(1.0);
    take_off_powers<512, 1, 1>(m, k, power);
    const auto upper = m > T(1.41421356237309504880);
    m = select(upper, T(0.5) * m, m);
    k = select(upper, k + T(1.0), k);
  }
};

/// 2^k times value, for k of these bits; k may be negative.
template <int kStep, class T, class Mask>
PLIANT_KERNEL void put_on_powers(T& value, T& left, const Mask& negative) {
  const auto has = left >= T(kStep);
  const T factor = select(negative, T(kPowerOfTwo<-kStep>), T(kPowerOfTwo<kStep>));
  value = select(has, factor, T(1.0)) * value;
  left = select(has, left - T(kStep), left);
  if constexpr (kStep > 1) put_on_powers<kStep / 2>(value, left, negative);
}

/// log(1 + f) + k log 2 + c, with 1 + f from sqrt(1/2) to sqrt(2) and c small.
template <class T>
PLIANT_KERNEL T log_of_parts(const T& f, const T& k, const T& c) {
  const T half_square = T(0.5) * (f * f), s = f / (T(2.0) + f), z = s * s;
  T R(1.479819860511658591e-01);
  R = T(1.531383769920937332e-01) + z * R;
  R = T(1.818357216161805012e-01) + z * R;
  R = T(2.222219843214978396e-01) + z * R;
  R = T(2.857142874366239149e-01) + z * R;
  R = T(3.999999999940941908e-01) + z * R;
  R = z * (T(6.666666666666735130e-01) + z * R);
  return k * T(kLn2High) - ((half_square - (s * (half_square + R) + (k * T(kLn2Low) + c))) - f);
}

/// The high part of x, whose square is exact.
template <class T>
PLIANT_KERNEL T high_part(const T& x) {
  const T scaled = T(134217729.0) * x;
  return scaled - (scaled - x);
}

/// a b = product + error, exactly.
template <class T>
PLIANT_KERNEL T product_error(const T& a, const T& b, const T& product) {
  const T a_high = high_part(a), b_high = high_part(b), a_low = a - a_high, b_low = b - b_high;
  return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

}  // namespace detail

/// log x; minus infinity at 0, not a number below.
template <class T>
PLIANT_KERNEL_CALL T logarithm(const T& x) {
  const auto fine = x > T(0.0) && x < T(detail::kInfinity);
  const detail::Split<T> part(select(fine, x, T(1.0)));
  const T value = detail::log_of_parts(part.m - T(1.0), part.k, T(0.0));
  const T other = select(x > T(0.0), x, select(x >= T(0.0), T(-detail::kInfinity), T(detail::kNotANumber)));
  return select(fine, value, other);
}

namespace detail {

/// log(1 + a) wherever a is.
template <class T>
PLIANT_KERNEL_CALL T log_one_plus_far(const T& a) {
  const auto fine = a > T(-1.0) && a < T(kInfinity);
  const T x = select(fine, a, T(0.0)), sum = T(1.0) + x;
  // What 1 + x has lost.
  const T lost = select(x > T(1.0), T(1.0) - (sum - x), x - (sum - T(1.0)));
  const Split<T> part(sum);
  const T value = log_of_parts(part.m - T(1.0), part.k, lost / sum);
  const T other = select(a > T(-1.0), a, select(a >= T(-1.0), T(-kInfinity), T(kNotANumber)));
  return select(fine, value, other);
}

}  // namespace detail

/// log(1 + a); minus infinity at -1, not a number below. Short where a is near zero.
template <class T>
PLIANT_KERNEL T log_one_plus(const T& a) {
  const auto near = a > T(-0.2928) && a < T(0.4142);
  const T none(0.0), close = detail::log_of_parts(select(near, a, none), none, none);
  if (all(near)) return close;
  return select(near, close, detail::log_one_plus_far(a));
}

template <class T>
PLIANT_KERNEL_CALL T exponential(const T& a) {
  const T low = select(a < T(-746.0), T(-746.0), a), x = select(low > T(710.0), T(710.0), low);
  constexpr double kRound = 6755399441055744.0;  // 1.5 2^52: adding it rounds to an integer
  const T k = (x * T(1.44269504088896338700) + T(kRound)) - T(kRound);
  const T high = x - k * T(detail::kLn2High), rest = k * T(detail::kLn2Low), r = high - rest, t = r * r;
  T p(4.13813679705723846039e-08);
  p = T(-1.65339022054652515390e-06) + t * p;
  p = T(6.61375632143793436117e-05) + t * p;
  p = T(-2.77777777770155933842e-03) + t * p;
  p = T(1.66666666666666019037e-01) + t * p;
  const T c = r - t * p;
  T value = T(1.0) - ((rest - (r * c) / (T(2.0) - c)) - high);
  // Small powers of two first: only the last one may round.
  const auto negative = k < T(0.0);
  const T size = absolute(k), once = select(size >= T(512.0), T(512.0), T(0.0));
  const T twice = select(size - once >= T(512.0), T(512.0), T(0.0)),
          factor = select(negative, T(detail::kPowerOfTwo<-512>), T(detail::kPowerOfTwo<512>));
  T left = size - once - twice;
  detail::put_on_powers<256>(value, left, negative);
  value = select(once > T(0.0), factor, T(1.0)) * value;
  return select(twice > T(0.0), factor, T(1.0)) * value;
}

template <class T>
PLIANT_KERNEL_CALL T cube_root(const T& a) {
  const T size = absolute(a);
  const auto fine = size > T(0.0) && size < T(detail::kInfinity);
  T x = select(fine, size, T(1.0)), scale(1.0);
  // To between 1 and 8, by powers of eight.
  for (int twice = 0; twice < 2; ++twice) {
    const auto small = x < T(1.0);
    x = select(small, T(detail::kPowerOfTwo<537>), T(1.0)) * x;
    scale = select(small, T(detail::kPowerOfTwo<-179>), T(1.0)) * scale;
  }
  T log(0.0);
  detail::take_off_powers<768, 3, 3>(x, log, scale);
  // To a percent, then to 23 bits, then as far as it goes.
  const auto upper = x >= T(4.0), middle = x >= T(2.0);
  const T m = select(upper, T(0.25), select(middle, T(0.5), T(1.0))) * x;
  T t = select(upper, T(1.58740105196819947), select(middle, T(1.25992104989487316), T(1.0))) *
        (T(0.745) + T(0.26) * m);
  T r = (t * t) * (t / x);
  t = t * ((T(1.87595182427177009643) + r * (T(-1.88497979543377169875) + r * T(1.621429720105354466140))) +
           ((r * r) * r) * (T(-0.758397934778766047437) + r * T(0.145996192886612446982)));
  t = detail::high_part(t);
  r = x / (t * t);
  t = t + t * ((r - t) / (t + t + r));
  return select(fine, select(a < T(0.0), T(-1.0), T(1.0)) * (t * scale), a);
}

/// The angle of the point (x, y) from the x axis, from -pi to pi, for finite numbers; 0 at the origin.
template <class T>
PLIANT_KERNEL_CALL T arc_tangent(const T& y, const T& x) {
  const T height = absolute(y), width = absolute(x);
  const auto steep = height > width;
  // Scaled up where they are so small that quotients would lose digits.
  const T most = select(steep, height, width);
  const T scale = select(most < T(detail::kPowerOfTwo<-500>), T(detail::kPowerOfTwo<600>), T(1.0));
  const T longer = larger(scale * most, T(1e-300)), shorter = scale * select(steep, width, height);
  // The angle to the nearer axis is one of three, high + low, and a small one, whose tangent is w.
  const T quotient = shorter / longer;
  const auto far = quotient >= T(0.6875), middle = quotient >= T(0.4375);
  const T two(2.0);
  const T w = select(far, (shorter - longer) / (shorter + longer),
                     select(middle, (two * shorter - longer) / (two * longer + shorter), quotient));
  const T base = select(far, T(7.85398163397448278999e-01), select(middle, T(4.63647609000806093515e-01), w));
  const T base_low = select(far, T(3.06161699786838301793e-17), T(2.26987774529616870924e-17));
  // What the quotient has lost; where parts of products would overflow or vanish it has to do.
  const auto inside = longer > T(1e-200) && longer < T(1e200);
  const T safe = select(inside, longer, T(1.0)), part = select(inside, shorter, T(0.0));
  const T near = select(inside, quotient, T(0.0)), product = near * safe;
  const T lost = ((part - product) - detail::product_error(near, safe, product)) / safe;
  const T z = w * w, v = z * z;
  T even(1.62858201153657823623e-02), odd(-3.65315727442169155270e-02);
  even = T(4.97687799461593236017e-02) + v * even;
  even = T(6.66107313738753120669e-02) + v * even;
  even = T(9.09088713343650656196e-02) + v * even;
  even = T(1.42857142725034663711e-01) + v * even;
  even = T(3.33333333333329318027e-01) + v * even;
  odd = T(-5.83357013379057348645e-02) + v * odd;
  odd = T(-7.69187620504482999495e-02) + v * odd;
  odd = T(-1.11111104054623557880e-01) + v * odd;
  odd = T(-1.99999999998764832476e-01) + v * odd;
  const T curved = w * (z * even + v * odd);
  const T rest = select(middle, w - (curved - base_low), lost - curved);
  // Away from the axis that is nearer, which may be any of four.
  const auto left = x < T(0.0);
  const T axis = select(steep, T(1.5707963267948965580), select(left, T(3.1415926535897931160), T(0.0)));
  const T axis_low =
      select(steep, T(6.1232339957367660e-17), select(left, T(1.2246467991473532e-16), T(0.0)));
  const T sign = select(steep, select(left, T(1.0), T(-1.0)), select(left, T(-1.0), T(1.0)));
  const T turned = sign * base, sum = axis + turned;
  const T lost_by_sum = select(steep, (axis - sum) + turned, select(left, (axis - sum) + turned, T(0.0)));
  const T angle = sum + (lost_by_sum + (axis_low + sign * rest));
  return select(y < T(0.0), T(-1.0), T(1.0)) * angle;
}

}  // namespace pliant
