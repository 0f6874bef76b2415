#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// Coefficients of a diagonally implicit Runge-Kutta scheme (loschner-2020, equation 7). Row i of `a` ends
/// with the diagonal, which is 0 in explicit stages.
struct Tableau {
  std::string name, summary;
  int order = 0;
  std::vector<std::vector<double>> a;
  std::vector<double> b, c;
  std::vector<double> embedded = {};  ///< weights of an answer of another order, to estimate the error with
  int embedded_order = 0;

  size_t stages() const { return b.size(); }
  double diagonal(size_t i) const { return a[i][i]; }
  /// Whether the last stage is the end of the step: constraints that hold there hold after the step.
  bool is_stiffly_accurate() const;
};

/// The schemes that come with the library.
std::span<const Tableau> tableaus();
/// Explicit ones, for comparison: cheap steps that must be short.
std::span<const Tableau> explicit_tableaus();
/// The one of that name. Throws InputError where there is none.
const Tableau& find_tableau(std::string_view name);

/// By so much sums of coefficients may be off that people write with eleven digits or more.
constexpr double kCoefficientRoundoff = 1e-10;

/// What the coefficients promise.
struct TableauReport {
  double row_error = 0;  ///< largest difference of a row's sum from its node c
  int order = 0;         ///< up to which all order conditions hold, at most 4
  bool a_stable = false;
  bool l_stable = false;
  double damping_at_infinity = 0;  ///< |R| for infinitely stiff parts
};
TableauReport examine(const Tableau& tableau);

}  // namespace pliant
