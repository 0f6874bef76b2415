#include "pliant/integrate/energies.hpp"

#include "integrate/scenes.hpp"
#include "pliant/integrate/account.hpp"
#include "pliant/integrate/schemes.hpp"
#include "pliant/integrate/side_by_side.hpp"

namespace pliant::energies_test {
namespace {

TEST(Energies, HoldTheUsualNamesFirstAndOthersAsTheyCome) {
  Energies energies;
  energies.kinetic = 1;
  energies.add("pressure", 2);
  energies.add("contact", 4);
  energies.add("load", 8);
  energies.add("pressure", 16);
  std::vector<std::string> names;
  for (const Energies::Entry& entry : energies.potentials) names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string>{"elastic", "gravitational", "attachment", "contact", "pressure",
                                             "load"}));
  EXPECT_EQ(energies.of("pressure"), 18);
  EXPECT_EQ(energies.of("elastic"), 0);
  EXPECT_EQ(energies.of("unheard of"), 0);
  EXPECT_EQ(energies.potential(), 30);
  EXPECT_EQ(energies.total(), 31);

  Energies more;
  more.add("wind", 32);
  energies.add(more);
  EXPECT_EQ(energies.of("wind"), 32);
  EXPECT_EQ(energies.total(), 63);
}

/// A constant force on all vertices, as a term of the stage, under a name of its own.
class Push final : public StageTerm {
 public:
  explicit Push(double force) : force_(force) {}
  Index contributions() const override { return 1; }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override {
    energies[0] = stored(x, 0);
    for (Index d = 0; gradient && d < x.size(); d += 3) (*gradient)[d] -= force_;
  }
  void add_hessian(const Vector&, Definiteness, BlockMatrix&) const override {}
  std::unique_ptr<StageTerm> clone() const override { return std::make_unique<Push>(*this); }
  std::unique_ptr<StageTerm> stage_sub_model(const SubModel&) const override { return clone(); }
  void begin_stage(const Stage&) override {}
  double stiffness() const override { return 0; }
  std::string_view energy() const override { return "push"; }
  double stored(const Vector& x, double) const override {
    double sum = 0;
    for (Index d = 0; d < x.size(); d += 3) sum -= force_ * x[d];
    return sum;
  }
  Power power(const Vector&, const Vector&, const Interval&) const override { return {}; }

 private:
  double force_;
};

/// Twins that fall apart, pushed and loaded sideways.
struct Loaded : testing::Twins {
  State state;
  const Vec3 load{3, 0, 1};
  static constexpr double kPush = 5;

  Loaded() {
    model.scripts.clear();
    model.terms.push_back(
        {"", kGravitationalEnergy, std::make_unique<Gravity>(model.mass, Vec3(0, -9.81, 0))});
    model.terms.push_back({"", "load", std::make_unique<Gravity>(model.mass, load)});
    model.stage_terms.push_back(std::make_unique<Push>(kPush));
    state.x =
        testing::positions(model.bodies[0].rest) + 0.01 * testing::random_vector(3 * model.mass.size(), 5);
    state.v = Vector::Zero(state.x.size());
  }
};

void expect_all_booked(const Loaded& s, const StepReport& report, const Energies& before) {
  EXPECT_TRUE(is_converged(report.outcome.status));
  double load = 0, push = 0;
  for (Index i = 0; i < s.model.mass.size(); ++i) {
    load -= s.model.mass[i] * s.load.dot(s.state.x.segment<3>(3 * i));
    push -= s.kPush * s.state.x[3 * i];
  }
  EXPECT_GT(std::abs(load), 1);
  EXPECT_NEAR(report.energies.of("load"), load, 1e-12 * std::abs(load));
  EXPECT_NEAR(report.energies.of("push"), push, 1e-12 * std::abs(push) + 1e-12);
  EXPECT_EQ(report.energies.of("attachment"), 0);
  EXPECT_NEAR(report.energies.total() - before.total(), -report.work.scheme, 1e-8 * std::abs(before.total()));
}

TEST(Energies, OfTermsWithNamesOfTheirOwnAreBookedByTheseAndBalance) {
  for (const char* scheme : {"backward-euler", "sdirk2", "newmark"}) {
    Loaded s;
    const Energies before = energies_of(s.model, s.state);
    const auto made = make_joint_scheme({.name = scheme}, s.model, {.tolerance = 1e-11});
    const StepReport report = made->step(s.state, 0.02);
    SCOPED_TRACE(scheme);
    expect_all_booked(s, report, before);
  }
}

TEST(Energies, OfBodiesThatStepSideBySideAreSumsByName) {
  Loaded s;
  const Energies before = energies_of(s.model, s.state);
  const auto made = step_components(s.model, [](const Model& part) -> std::unique_ptr<Scheme> {
    return std::make_unique<BackwardEuler>(part, SolverOptions{.tolerance = 1e-11});
  });
  expect_all_booked(s, made->step(s.state, 0.02), before);
}

TEST(Energies, StayThoseOfTheStartWhereAStepIsPutBack) {
  Loaded s;
  StepReport report;
  State after = s.state;
  after.x *= 2;
  put_back(s.model, s.state, after, report);
  EXPECT_EQ(report.energies.of("load"), energies_of(s.model, s.state).of("load"));
  EXPECT_NE(report.energies.of("load"), 0);
}

}  // namespace
}  // namespace pliant::energies_test
