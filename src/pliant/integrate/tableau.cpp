#include "pliant/integrate/tableau.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "pliant/base/error.hpp"

namespace pliant {

namespace {

/// Sources: Alexander 1977 (sdirk2, sdirk3), Bank et al. 1985 (tr-bdf2), Bathe 2007 (tr-bdf2-b), Norsett 1974
/// and Crouzeix 1975 (sdirk-ncs23, sdirk-nc34), Kennedy and Carpenter 2003 (the esdirk schemes). Those of
/// sdirk-3345 and sdirk-4347 are derived from the orders that name them (Franco, Gomez, Randez 1997).
const Tableau kTableaus[] = {
    {"backward-euler",
     "first order, one minimisation a step; stable for any step, and damps motion",
     1,
     {{1.0}},
     {1.0},
     {1.0}},
    {"implicit-midpoint", "second order, damps nothing; a long step can blow up", 2, {{0.5}}, {1.0}, {0.5}},
    {"trapezoidal",
     "second order, damps nothing; a long step can blow up",
     2,
     {{0.0}, {0.5, 0.5}},
     {0.5, 0.5},
     {0.0, 1.0}},
    {"sdirk2",
     "second order, two minimisations a step; hardly damps motion, robust",
     2,
     {{0.2928932188134524756}, {0.7071067811865475244, 0.2928932188134524756}},
     {0.7071067811865475244, 0.2928932188134524756},
     {0.2928932188134524756, 1.0}},
    {"sdirk3",
     "third order, three minimisations a step; damps more than sdirk2 at long steps",
     3,
     {{0.43586652150845899942},
      {0.28206673924577050029, 0.43586652150845899942},
      {1.2084966491760100703, -0.64436317068446906975, 0.43586652150845899942}},
     {1.2084966491760100703, -0.64436317068446906975, 0.43586652150845899942},
     {0.43586652150845899942, 0.71793326075422949971, 1.0}},
    {"tr-bdf2",
     "second order, an explicit and two implicit stages; damps as sdirk2",
     2,
     {{0.0},
      {0.2928932188134524756, 0.2928932188134524756},
      {0.3535533905932737622, 0.3535533905932737622, 0.2928932188134524756}},
     {0.3535533905932737622, 0.3535533905932737622, 0.2928932188134524756},
     {0.0, 0.5857864376269049512, 1.0},
     {0.2154822031355754126, 0.6868867239266070955, 0.0976310729378174919},
     3},
    {"tr-bdf2-b",
     "as tr-bdf2 with two halves of a step (Bathe)",
     2,
     {{0.0}, {0.25, 0.25}, {1 / 3.0, 1 / 3.0, 1 / 3.0}},
     {1 / 3.0, 1 / 3.0, 1 / 3.0},
     {0.0, 0.5, 1.0},
     {1 / 6.0, 2 / 3.0, 1 / 6.0},
     3},
    {"sdirk-ncs23",
     "third order in two stages",
     3,
     {{0.78867513459481288225}, {-0.57735026918962576451, 0.78867513459481288225}},
     {0.5, 0.5},
     {0.78867513459481288225, 0.21132486540518711775}},
    {"sdirk-nc34",
     "fourth order in three stages, which look beyond the step",
     4,
     {{1.0685790213016288064},
      {-0.56857902130162880642, 1.0685790213016288064},
      {2.1371580426032576128, -3.2743160852065152257, 1.0685790213016288064}},
     {0.12888640051572042236, 0.74222719896855915527, 0.12888640051572042236},
     {1.0685790213016288064, 0.5, -0.068579021301628806419}},
    {"sdirk-3345",
     "third order in three stages, little dispersion and dissipation: SDIRK(3,3,4,5)",
     3,
     {{1.0685790213016288064},
      {-0.56857902130162880642, 1.0685790213016288064},
      {1.6371580426032576128, -2.7057370639048864193, 1.0685790213016288064}},
     {0.13715804260325761284, 0.70687158614272774396, 0.1559703712540146432},
     {1.0685790213016288064, 0.5, 0.0}},
    {"sdirk-4347",
     "third order in four stages, least dissipation: SDIRK(4,3,4,7)",
     3,
     {{1.2805797612753054573},
      {-0.61391309460863879064, 1.2805797612753054573},
      {0.45381468338718441241, -1.4010611113291565364, 1.2805797612753054573},
      {0.92586641821065816188, -0.38457141072576896989, -1.8218747687601946493, 1.2805797612753054573}},
     {0.037301044438483675059, 0.54638811894102732568, 0.26392287437088639392, 0.15238796224960260534},
     {1.2805797612753054573, 0.66666666666666666667, 0.33333333333333333333, 0.0}},
    {"esdirk-324",
     "third order, an explicit and three implicit stages, estimates its error",
     3,
     {{0.0},
      {0.43586652150845899942, 0.43586652150845899942},
      {0.2576482460664272458, -0.093514767574886245216, 0.43586652150845899942},
      {0.18764102434672382516, -0.59529747357695494805, 0.97178992772177212347, 0.43586652150845899942}},
     {0.18764102434672382516, -0.59529747357695494805, 0.97178992772177212347, 0.43586652150845899942},
     {0.0, 0.87173304301691799883, 0.6, 1.0},
     {0.21474028622338914049, -0.48516226388493909282, 0.86872500252038755117, 0.40169697514116240117},
     2},
    {"esdirk-436",
     "fourth order, an explicit and five implicit stages, estimates its error",
     4,
     {{0.0},
      {0.25, 0.25},
      {0.137776, -0.055776, 0.25},
      {0.14463686602698218022, -0.22393190761334473909, 0.44929504158636255888, 0.25},
      {0.098258783283564771169, -0.59154424281967039373, 0.81012105382829961501, 0.28316440570780600755,
       0.25},
      {0.15791629516167135335, 0.0, 0.18675894052400076496, 0.68056529530933458002, -0.27524053099500669833,
       0.25}},
     {0.15791629516167135335, 0.0, 0.18675894052400076496, 0.68056529530933458002, -0.27524053099500669833,
      0.25},
     {0.0, 0.5, 0.332, 0.62, 0.85, 1.0},
     {0.15471180076321217699, 0.0, 0.18920519166068022258, 0.70204537122892184844, -0.31918739906357912053,
      0.27322503541076487252},
     3},
};

const Tableau kExplicitTableaus[] = {
    {"forward-euler", "explicit, first order; gains energy at any step", 1, {{0.0}}, {1.0}, {0.0}},
    {"rk2",
     "explicit, second order: the force of the middle; needs short steps",
     2,
     {{0.0}, {0.5, 0.0}},
     {0.0, 1.0},
     {0.0, 0.5}},
    {"rk4",
     "explicit, fourth order in four stages; needs short steps",
     4,
     {{0.0}, {0.5, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.0, 1.0, 0.0}},
     {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0},
     {0.0, 0.5, 0.5, 1.0}},
};

using Numbers = std::vector<double>;

Numbers times(const Tableau& t, const Numbers& y) {
  Numbers product(t.stages(), 0.0);
  for (size_t i = 0; i < t.stages(); ++i)
    for (size_t j = 0; j <= i; ++j) product[i] += t.a[i][j] * y[j];
  return product;
}

Numbers times(const Numbers& x, const Numbers& y) {
  Numbers product(x.size());
  std::transform(x.begin(), x.end(), y.begin(), product.begin(), std::multiplies<>());
  return product;
}

int order_of(const Tableau& t) {
  const Numbers one(t.stages(), 1.0), &c = t.c, Ac = times(t, c), cc = times(c, c);
  struct Condition {
    int order;
    Numbers of;
    double must_be;
  };
  const Condition conditions[] = {{1, one, 1},
                                  {2, c, 1 / 2.0},
                                  {3, cc, 1 / 3.0},
                                  {3, Ac, 1 / 6.0},
                                  {4, times(c, cc), 1 / 4.0},
                                  {4, times(c, Ac), 1 / 8.0},
                                  {4, times(t, cc), 1 / 12.0},
                                  {4, times(t, Ac), 1 / 24.0}};
  int order = 4;
  for (const Condition& condition : conditions) {
    const Numbers weighted = times(t.b, condition.of);
    double sum = 0;
    for (const double term : weighted) sum += term;
    if (!(std::abs(sum - condition.must_be) < kCoefficientRoundoff))
      order = std::min(order, condition.order - 1);
  }
  return order;
}

/// R(z): what a step makes of 1 where y' = z y, z standing for rate times step.
std::complex<double> stability(const Tableau& t, std::complex<double> z) {
  std::vector<std::complex<double>> Y(t.stages());
  std::complex<double> end = 1;
  for (size_t i = 0; i < t.stages(); ++i) {
    std::complex<double> known = 1;
    for (size_t j = 0; j < i; ++j) known += z * t.a[i][j] * Y[j];
    Y[i] = known / (1.0 - z * t.diagonal(i));
    end += z * t.b[i] * Y[i];
  }
  return t.is_stiffly_accurate() ? Y.back() : end;
}

/// No growth along the imaginary axis, where undamped oscillations are, and no pole left of it.
bool is_a_stable(const Tableau& t) {
  for (size_t i = 0; i < t.stages(); ++i)
    if (t.diagonal(i) < 0) return false;
  constexpr double kRoundoff = 1e-9;
  constexpr int kSamples = 2000;
  for (int k = 0; k <= kSamples; ++k) {
    const double y = std::pow(10.0, -3 + 9.0 * k / kSamples);
    if (!(std::abs(stability(t, {0, y})) <= 1 + kRoundoff)) return false;
  }
  return true;
}

}  // namespace

bool Tableau::is_stiffly_accurate() const {
  return c.back() == 1 && a.back() == b && diagonal(stages() - 1) != 0;
}

std::span<const Tableau> tableaus() { return kTableaus; }
std::span<const Tableau> explicit_tableaus() { return kExplicitTableaus; }

const Tableau& find_tableau(std::string_view name) {
  for (const Tableau& tableau : kTableaus)
    if (tableau.name == name) return tableau;
  for (const Tableau& tableau : kExplicitTableaus)
    if (tableau.name == name) return tableau;
  throw InputError("no Runge-Kutta scheme is called '" + std::string(name) + "'");
}

TableauReport examine(const Tableau& tableau) {
  TableauReport report;
  for (size_t i = 0; i < tableau.stages(); ++i) {
    double sum = 0;
    for (const double entry : tableau.a[i]) sum += entry;
    report.row_error = std::max(report.row_error, std::abs(sum - tableau.c[i]));
  }
  report.order = order_of(tableau);
  report.a_stable = is_a_stable(tableau);
  constexpr double kInfinitelyStiff = 1e7, kVanishes = 1e-5;
  report.damping_at_infinity = std::abs(stability(tableau, -kInfinitelyStiff));
  report.l_stable = report.a_stable && report.damping_at_infinity < kVanishes;
  return report;
}

}  // namespace pliant
