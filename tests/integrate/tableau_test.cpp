#include "pliant/integrate/tableau.hpp"

#include "errors.hpp"
#include "pliant/base/error.hpp"
#include "pliant/integrate/rosenbrock.hpp"
#include "test_names.hpp"

namespace pliant::tableau_test {
namespace {

struct Promise {
  const char* name;
  int order;
  bool l_stable, stiffly_accurate;
  double at_infinity;
};

class Promised : public ::testing::TestWithParam<Promise> {};

TEST_P(Promised, IsKeptByTheCoefficients) {
  const Tableau& tableau = find_tableau(GetParam().name);
  const TableauReport report = examine(tableau);
  EXPECT_LT(report.row_error, 1e-14);
  EXPECT_EQ(report.order, GetParam().order);
  EXPECT_EQ(tableau.order, GetParam().order);
  EXPECT_TRUE(report.a_stable);
  EXPECT_EQ(report.l_stable, GetParam().l_stable);
  EXPECT_EQ(tableau.is_stiffly_accurate(), GetParam().stiffly_accurate);
  EXPECT_NEAR(report.damping_at_infinity, std::abs(GetParam().at_infinity), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, Promised,
    ::testing::Values(Promise{"backward-euler", 1, true, true, 0},
                      Promise{"implicit-midpoint", 2, false, false, -1},
                      Promise{"trapezoidal", 2, false, true, -1}, Promise{"sdirk2", 2, true, true, 0},
                      Promise{"sdirk3", 3, true, true, 0}, Promise{"tr-bdf2", 2, true, true, 0},
                      Promise{"tr-bdf2-b", 2, true, true, 0},
                      Promise{"sdirk-ncs23", 3, false, false, -0.73205080756887729353},
                      Promise{"sdirk-nc34", 4, false, false, -0.6304149381918092546},
                      Promise{"sdirk-3345", 3, false, false, -0.6304149381918092546},
                      Promise{"sdirk-4347", 3, false, false, -0.59615402595854453969},
                      Promise{"esdirk-324", 3, true, true, 0}, Promise{"esdirk-436", 4, true, true, 0}),
    [](const auto& parameter) { return testing::as_test_name(parameter.param.name); });

TEST(Tableau, AllSchemesArePromisedSomething) { EXPECT_EQ(tableaus().size(), 13u); }

TEST(Tableau, EmbeddedWeightsAreOfTheOrderTheyClaim) {
  int count = 0;
  for (Tableau tableau : tableaus()) {
    if (tableau.embedded.empty()) continue;
    ++count;
    tableau.b = tableau.embedded;
    EXPECT_EQ(examine(tableau).order, tableau.embedded_order) << tableau.name;
    EXPECT_NE(tableau.order, tableau.embedded_order) << tableau.name;
  }
  EXPECT_EQ(count, 4);
}

TEST(Tableau, AnExplicitOneIsNotStable) {
  const Tableau heun{"heun", "", 2, {{0}, {1, 0}}, {0.5, 0.5}, {0, 1}};
  const TableauReport report = examine(heun);
  EXPECT_EQ(report.order, 2);
  EXPECT_FALSE(report.a_stable);
  EXPECT_FALSE(report.l_stable);
}

TEST(Tableau, WrongRowsAndWeightsAreSeen) {
  Tableau wrong = find_tableau("sdirk2");
  wrong.c[0] += 0.1;
  EXPECT_NEAR(examine(wrong).row_error, 0.1, 1e-12);
  wrong = find_tableau("sdirk2");
  wrong.b = {0.5, 0.5};
  EXPECT_EQ(examine(wrong).order, 1);
}

TEST(Tableau, UnknownNamesAreRefused) {
  EXPECT_ERROR(InputError, "no Runge-Kutta scheme is called 'sdirk5'", find_tableau("sdirk5"));
}

TEST(RosenbrockTableau, WeightsOfTheEmbeddedAnswersAddUpAsThoseOfTheScheme) {
  // Both are consistent: for y' = 1, U_i = gamma h (1 + sum_j c_ij U_j / h), and the weighted sum is h.
  for (const RosenbrockTableau& t : rosenbrock_tableaus()) {
    std::vector<double> U(t.stages());
    double sum = 0, embedded = 0;
    for (size_t i = 0; i < t.stages(); ++i) {
      U[i] = 1;
      for (size_t j = 0; j < i; ++j) U[i] += t.c[i][j] * U[j];
      U[i] *= t.gamma;
      sum += t.m[i] * U[i];
      embedded += t.embedded[i] * U[i];
    }
    EXPECT_NEAR(sum, 1, 1e-12) << t.name;
    EXPECT_NEAR(embedded, 1, 1e-12) << t.name;
  }
}

}  // namespace
}  // namespace pliant::tableau_test
