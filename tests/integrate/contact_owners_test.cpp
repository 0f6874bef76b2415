// What a model, its objective and those who step owe a contact, whatever it is.
#include <atomic>
#include <mutex>

#include "errors.hpp"
#include "integrate/contact_scenes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/integrate/schemes.hpp"
#include "pliant/integrate/side_by_side.hpp"
#include "pliant/integrate/step_control.hpp"
#include "pliant/integrate/step_end.hpp"

namespace pliant::contact_owners_test {
namespace {

using testing::at;
using testing::contact_solver;
using testing::ContactScene;
using testing::cube;
using testing::half_space;

/// A term k/2 |y - place|^2 of the heights of all vertices, or k / (2 y^2), which pushes away from the ground
/// and knows not from which side.
class Heights : public ContactTerm {
 public:
  Heights(Index vertices, double k) : vertices_(vertices), k_(k) {}

  Index contributions() const override { return vertices_; }
  void evaluate(const Vector& x, std::span<double> energies, Vector* gradient) const override {
    for (Index i = 0; i < vertices_; ++i) {
      const double y = x[3 * i + 1];
      energies[i] = energy(y);
      if (gradient) (*gradient)[3 * i + 1] += slope(y);
    }
  }
  void add_hessian(const Vector& x, Definiteness, BlockMatrix& hessian) const override {
    for (Index i = 0; i < vertices_; ++i)
      hessian.add_diagonal_block(static_cast<int>(i), curvature(x[3 * i + 1]) * Vec3::UnitY().asDiagonal());
  }
  std::unique_ptr<ContactTerm> term_sub_model(const SubModel&) const override { return nullptr; }
  Couples couples() const override { return Couples::bodies_in_the_solve; }
  void begin_stage(const Stage&) override {}
  double stored(const Vector& x, double) const override {
    double sum = 0;
    for (Index i = 0; i < vertices_; ++i) sum += energy(x[3 * i + 1]);
    return sum;
  }
  Power power(const Vector&, const Vector&, const Interval&) const override { return {}; }

 protected:
  virtual double energy(double y) const = 0;
  virtual double slope(double y) const = 0;
  virtual double curvature(double y) const = 0;
  Index vertices_;
  double k_;
};

class Repelled final : public Heights, public StepLimit {
 public:
  Repelled(Index vertices, bool limits) : Heights(vertices, 1e-3), limits_(limits) {}
  std::unique_ptr<ContactTerm> clone_term() const override { return std::make_unique<Repelled>(*this); }
  StepLimit* step_limit() override { return limits_ ? this : nullptr; }
  /// No vertex goes further than nine tenths of its way to the ground.
  double limit(const Vector& x, Vector& step, const Interval&) override {
    double share = std::numeric_limits<double>::infinity();
    for (Index i = 1; i < x.size(); i += 3)
      if (step[i] < 0) share = std::min(share, 0.9 * x[i] / -step[i]);
    return share;
  }

 private:
  double energy(double y) const override { return 0.5 * k_ / (y * y); }
  double slope(double y) const override { return -k_ / (y * y * y); }
  double curvature(double y) const override { return 3 * k_ / (y * y * y * y); }
  bool limits_;
};

void add_fast_fall(ContactScene& scene, bool limits) {
  scene.add(cube(1), at({0, 0.7, 0}), {.velocity = {0, -20, 0}});
  scene.finish({});
  scene.model.contacts.push_back(std::make_unique<Repelled>(scene.model.mass.size(), limits));
}

TEST(ContactOwners, LimitHowFarSolversGo) {
  for (const SolverMethod& method : solver_methods()) {
    if (method.name == "local-global") continue;  // for springs
    ContactScene limited, unlimited;
    add_fast_fall(limited, true);
    add_fast_fall(unlimited, false);
    const auto lowest_after_a_step = [&](ContactScene& scene) {
      make_joint_scheme({}, scene.model, contact_solver(1e-6, std::string(method.name)))
          ->step(scene.state, 0.05);
      return scene.lowest();
    };
    EXPECT_LT(lowest_after_a_step(unlimited), 0) << method.name;
    EXPECT_GT(lowest_after_a_step(limited), 0) << method.name;
  }
}

/// Notes on which ways obstacles move.
class Noting final : public Heights, public StepLimit {
 public:
  Noting(Index vertices, std::vector<Interval>* asked) : Heights(vertices, 1), asked_(asked) {}
  std::unique_ptr<ContactTerm> clone_term() const override { return std::make_unique<Noting>(*this); }
  StepLimit* step_limit() override { return this; }
  /// Half of the way of all, and no part of it sideways.
  double limit(const Vector&, Vector& step, const Interval& of_obstacles) override {
    asked_->push_back(of_obstacles);
    for (Index i = 0; i < step.size(); i += 3) step[i] = 0;
    return std::numeric_limits<double>::infinity();
  }

 private:
  double energy(double) const override { return 0; }
  double slope(double) const override { return 0; }
  double curvature(double) const override { return 0; }
  std::vector<Interval>* asked_;
};

TEST(ContactOwners, KnowOnWhichWayObstaclesMoveAndHoldBackPartsOfAStep) {
  ContactScene scene;
  scene.add(cube(1), at({0, 2, 0}), {.velocity = {3, 1, 0}});
  scene.finish({});
  std::vector<Interval> asked;
  scene.model.contacts.push_back(std::make_unique<Noting>(scene.model.mass.size(), &asked));
  const double x = scene.center().x(), y = scene.center().y();
  make_joint_scheme({.name = "sdirk2"}, scene.model, contact_solver(1e-6))->step(scene.state, 0.1);
  EXPECT_NEAR(scene.center().x(), x, 1e-12);
  EXPECT_NEAR(scene.center().y(), y + 0.1, 1e-6);
  ASSERT_GT(asked.size(), 3u);
  EXPECT_EQ(asked[0].from, 0);
  EXPECT_GT(asked[0].to, 0);
  EXPECT_TRUE(
      std::any_of(asked.begin(), asked.end(), [](const Interval& way) { return way.from == way.to; }));
}

TEST(ContactOwners, ThatLimitAreRefusedBySchemesThatGoWhereNoSolverSearches) {
  ContactScene scene;
  add_fast_fall(scene, true);
  int refused = 0;
  for (const SchemeKind& kind : scheme_kinds()) {
    const SchemeOptions options{.name = std::string(kind.name)};
    if (kind.name == "runge-kutta" || moves_springs(options)) continue;
    if (solves_every_stage(options) && ends_with_a_stage(options)) {
      make_joint_scheme(options, scene.model, {});
      continue;
    }
    ++refused;
    EXPECT_ERROR(InputError, options.name + " goes to places that no solver has searched for",
                 make_joint_scheme(options, scene.model, {}));
  }
  EXPECT_GT(refused, 3);
}

/// Pulls all vertices to a height, of which it only learns where a descent has ended.
class Lagging final : public Heights {
 public:
  explicit Lagging(Index vertices) : Heights(vertices, 1e7) {}
  std::unique_ptr<ContactTerm> clone_term() const override { return std::make_unique<Lagging>(*this); }
  bool renew(const Vector&) override { return std::exchange(height_, 2) != 2; }

 private:
  double energy(double y) const override { return 0.5 * k_ * (y - height_) * (y - height_); }
  double slope(double y) const override { return k_ * (y - height_); }
  double curvature(double) const override { return k_; }
  double height_ = 1;
};

TEST(ContactOwners, SayThatADescentHasToGoOn) {
  ContactScene scene;
  scene.add(make_box({Vec3(1, 1e-3, 1), {1, 1, 1}, 5}), at({0, 1, 0}), {.young = 1});
  scene.finish({});
  scene.model.contacts.push_back(std::make_unique<Lagging>(scene.model.mass.size()));
  const auto scheme = make_joint_scheme({}, scene.model, contact_solver(1e-8));
  EXPECT_TRUE(is_converged(scheme->step(scene.state, 0.1).outcome.status));
  EXPECT_NEAR(scene.center().y(), 2, 1e-2);
}

/// Does nothing but judge.
class Judge final : public Contact {
 public:
  using Opinion = std::function<Verdict(const StepEnd&)>;
  Judge(Opinion opinion, Couples couples) : opinion_(std::move(opinion)), couples_(couples) {}
  std::unique_ptr<Contact> clone_contact() const override { return std::make_unique<Judge>(*this); }
  std::unique_ptr<Contact> contact_sub_model(const SubModel&) const override { return nullptr; }
  std::unique_ptr<Contact> contact_component(const SubModel&) const override { return clone_contact(); }
  Couples couples() const override { return couples_; }
  Verdict judge(const StepEnd& end) const override { return opinion_(end); }

 private:
  Opinion opinion_;
  Couples couples_;
};

class Judged : public ::testing::TestWithParam<Couples> {
 protected:
  /// A step of two bodies in the air, of 0.1 s.
  State after_a_step(const Judge::Opinion& opinion, const std::string& scheme_name = "sdirk2") {
    ContactScene scene;
    scene.add(cube(1), at({0, 2, 0}), {.velocity = {0, 3, 1}});
    scene.add(cube(2), at({3, 2, 0}, {0.1, 0.2, 0.3}), {.velocity = {1, 3, 0}});
    scene.finish({.gravity = Vec3(0, -9.81, 0)});
    if (opinion) scene.model.contacts.push_back(std::make_unique<Judge>(opinion, GetParam()));
    const auto make = [&](const std::string& name) {
      return step_components(scene.model, [&](const Model& part) {
        return make_joint_scheme({.name = name}, part, contact_solver());
      });
    };
    const auto scheme = make(scheme_name);
    StepControl control(scene.model, *scheme, {.backward_euler = [&] { return make("backward-euler"); }});
    report_ = control.step(scene.state, 0.1);
    return scene.state;
  }
  StepReport report_;
};

INSTANTIATE_TEST_SUITE_P(Couples, Judged, ::testing::Values(Couples::nothing, Couples::bodies_after_the_step),
                         [](const auto& parameter) {
                           return parameter.param == Couples::nothing ? "OfEachPart" : "OfTheWhole";
                         });

TEST_P(Judged, StepsThatAreTooLongAreTakenInParts) {
  std::vector<double> kept;
  std::mutex of_parts_at_once;
  const State state = after_a_step([&](const StepEnd& end) {
    const std::lock_guard lock(of_parts_at_once);
    if (end.length() > 0.03) return Verdict::shorter;
    if (kept.empty() || kept.back() != end.after.time) kept.push_back(end.after.time);
    return Verdict::keep;
  });
  EXPECT_TRUE(is_converged(report_.outcome.status));
  EXPECT_NEAR(state.time, 0.1, 1e-15);
  ASSERT_EQ(kept.size(), 4);
  EXPECT_NEAR(kept[0], 0.025, 1e-15);
  const State whole = after_a_step({});
  EXPECT_NE(state.x, whole.x);
  EXPECT_LT((state.x - whole.x).norm(), 0.05);
}

TEST_P(Judged, StepsThatNoLengthCuresHaveFailed) {
  after_a_step([](const StepEnd& end) { return end.before.time > 0 ? Verdict::keep : Verdict::shorter; });
  EXPECT_EQ(name(report_.outcome.status), "iteration-limit");
}

TEST_P(Judged, StepsThatAreAlwaysTooLongEndSoon) {
  std::atomic<int> judged = 0;
  const State state = after_a_step([&](const StepEnd&) {
    ++judged;
    return Verdict::shorter;
  });
  EXPECT_EQ(name(report_.outcome.status), "iteration-limit");
  EXPECT_NEAR(state.time, 0.1, 1e-12);
  EXPECT_LT(judged, 100);
}

TEST_P(Judged, StepsAreTakenAgainByBackwardEulerAndLeaveNoHistoryOfTheirOwn) {
  int times = 0;
  std::mutex of_parts_at_once;
  const State state = after_a_step(
      [&](const StepEnd&) {
        const std::lock_guard lock(of_parts_at_once);
        return times++ == 0 ? Verdict::backward_euler : Verdict::keep;
      },
      "newmark");
  for (const auto& [name, array] : state.arrays)
    EXPECT_TRUE(std::none_of(array.holds.begin(), array.holds.end(), [](char holds) { return holds; }))
        << name;
}

TEST_P(Judged, StepsAreTakenAgainByBackwardEuler) {
  const State before = after_a_step({});
  const State state = after_a_step([&](const StepEnd& end) {
    // It loses energy by itself, sdirk2 hardly does.
    return end.report.work.scheme < 0.01 * end.report.energies.kinetic ? Verdict::backward_euler
                                                                       : Verdict::keep;
  });
  EXPECT_NE(state.x, before.x);
  EXPECT_EQ(state.x, after_a_step({}, "backward-euler").x);
}

TEST(Models, RefuseObstaclesThatNoContactKeepsBodiesOutOf) {
  for (const ContactWay way : {ContactWay::constraint, ContactWay::penalty, ContactWay::springs,
                               ContactWay::post_process, ContactWay::program}) {
    Model model;
    model.mass = Vector::Constant(1, 1);
    model.bodies.push_back({"point", TetMesh{{Vec3::Zero()}, {}}, 0});
    model.obstacles.push_back(half_space(Vec3::UnitY()));
    model.obstacles[0].way = way;
    EXPECT_ERROR(std::invalid_argument,
                 "no contact of the model keeps bodies out of obstacle plane, which is to be met by " +
                     std::string(name(way)),
                 model.finish());
    testing::add_contacts(model);
    model.finish();
    EXPECT_EQ(model.contacts.size(), 1) << name(way);
  }
}

TEST(Models, RefuseFrictionThatNothingSeesTo) {
  Model model;
  model.mass = Vector::Constant(1, 1);
  model.bodies.push_back({"point", TetMesh{{Vec3::Zero()}, {}}, 0});
  model.obstacles.push_back(half_space(Vec3::UnitY()));
  model.obstacles[0].friction = 0.1;
  model.contacts.push_back(std::make_unique<Constraints>(model.obstacles));
  EXPECT_ERROR(std::invalid_argument, "have friction that nothing sees to; add a FrictionAfterStep",
               model.finish());
  model.contacts.push_back(std::make_unique<FrictionAfterStep>());
  model.finish();
}

}  // namespace
}  // namespace pliant::contact_owners_test
