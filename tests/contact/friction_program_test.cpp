#include "pliant/contact/friction_program.hpp"

#include <numbers>

#include "pliant/base/random.hpp"

namespace pliant::friction_program_test {
namespace {

/// Contacts of a body that couples them all, with speeds into the obstacle and along it.
FrictionProgram random_contacts(Index count, double friction, unsigned seed) {
  Random random(seed);
  const auto number = [&] { return 2 * random.uniform() - 1; };
  const Index rows = 3 * count, dofs = 2 * rows;
  Eigen::MatrixXd moves(rows, dofs);
  for (Index i = 0; i < moves.size(); ++i) moves.data()[i] = number();
  FrictionProgram program;
  program.A = moves * moves.transpose() / static_cast<double>(dofs);
  program.free.resize(rows);
  program.least = Vector::Zero(rows);
  for (Index r = 0; r < rows; ++r) program.free[r] = r < count ? number() - 0.5 : 2 * number();
  program.friction.assign(static_cast<size_t>(count), friction);
  return program;
}

Eigen::Vector2d friction_at(const FrictionProgram& program, const Vector& rows, Index k) {
  return rows.segment<2>(std::ssize(program.friction) + 2 * k);
}

TEST(FrictionProgram, NeverHasMoreFrictionThanCoulombAllows) {
  Index sliding = 0, sticking = 0;
  for (unsigned seed = 0; seed < 60; ++seed)
    for (const int rounds : {2, 4, 20}) {
      const FrictionProgram program = random_contacts(1 + seed % 12, 0.1 + 0.02 * seed, seed);
      Vector impulses;
      const ProgramReport report = program.solve({.rounds = rounds}, impulses);
      if (rounds == 20) {
        EXPECT_EQ(report.status, ProgramReport::Status::solved) << seed;
      }
      for (Index k = 0; k < std::ssize(program.friction); ++k) {
        EXPECT_GE(impulses[k], 0);
        const double limit = program.friction[static_cast<size_t>(k)] * impulses[k],
                     length = friction_at(program, impulses, k).norm();
        EXPECT_LE(length, (1 + 1e-12) * limit)
            << "seed " << seed << ", " << rounds << " rounds, contact " << k;
        if (limit > 0) ++(length > 0.999 * limit ? sliding : sticking);
      }
    }
  EXPECT_GT(sliding, 50);
  EXPECT_GT(sticking, 50);
}

TEST(FrictionProgram, OfNumbersThatAreNoneIsNotSolved) {
  for (const int where : {0, 1, 2}) {
    FrictionProgram program = random_contacts(3, 0.3, 1);
    double& number = where == 0 ? program.A(4, 4) : where == 1 ? program.free[1] : program.least[5];
    number = std::numeric_limits<double>::quiet_NaN();
    Vector impulses;
    const ProgramReport report = program.solve({}, impulses);
    EXPECT_EQ(report.status, ProgramReport::Status::inaccurate) << where;
    EXPECT_FALSE(std::isfinite(report.error)) << where;
    EXPECT_TRUE(impulses.isZero()) << where;
  }
}

TEST(FrictionProgram, ComesToCoulombsConditionsRoundByRound) {
  // Along the normal as without friction; where it slides, friction is as much as it may be and opposes it.
  double worst_of_few = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const FrictionProgram program = random_contacts(1 + seed % 12, 0.3, seed);
    Vector impulses, few;
    worst_of_few = std::max(worst_of_few, program.solve({.rounds = 2, .sweeps = 0}, few).error);
    const ProgramReport report = program.solve({.rounds = 100, .tolerance = 1e-6}, impulses);
    ASSERT_LE(report.error, 1e-6) << seed;
    const Vector w = program.free + program.A * impulses;
    for (Index k = 0; k < std::ssize(program.friction); ++k) {
      EXPECT_GT(w[k], -1e-5) << seed;
      EXPECT_LT(std::abs(w[k] * impulses[k]), 1e-5) << seed;
      const Eigen::Vector2d slip = friction_at(program, w, k), force = friction_at(program, impulses, k);
      const double limit = 0.3 * impulses[k];
      if (slip.norm() < 1e-4 || limit < 1e-4) continue;
      EXPECT_NEAR(force.norm(), limit, 1e-3) << seed;
      EXPECT_NEAR(force.dot(slip) / slip.norm(), -limit, 1e-3) << "friction is not against the sliding";
    }
  }
  EXPECT_GT(worst_of_few, 1e-3) << "nothing was left to do";
}

TEST(FrictionProgram, IsTheSameInWhateverDirectionItsTangentsPoint) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const FrictionProgram given = random_contacts(4, 0.4, seed);
    FrictionProgram turned = given;
    const double angle = 0.1 + 0.3 * seed;
    Eigen::MatrixXd turn = Eigen::MatrixXd::Identity(12, 12);
    for (Index t = 4; t < 12; t += 2) turn.block<2, 2>(t, t) = Eigen::Rotation2Dd(angle).toRotationMatrix();
    turned.A = turn * given.A * turn.transpose();
    turned.free = turn * given.free;
    Vector one, other;
    const FrictionProgram::Options exactly{.rounds = 200, .tolerance = 1e-6};
    EXPECT_LE(given.solve(exactly, one).error, 1e-6) << seed;
    EXPECT_LE(turned.solve(exactly, other).error, 1e-6) << seed;
    EXPECT_LT((turn * one - other).norm(), 1e-4 * one.norm()) << seed;
  }
}

TEST(FrictionProgram, IsNoWorseForMoreRounds) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const FrictionProgram program = random_contacts(3, 1.5, seed);
    double last = std::numeric_limits<double>::infinity();
    for (int rounds = 1; rounds < 25; ++rounds) {
      Vector impulses;
      const double error = program.solve({.rounds = rounds, .sweeps = 0}, impulses).error;
      EXPECT_LE(error, last) << "seed " << seed << ", " << rounds << " rounds";
      last = error;
    }
    EXPECT_LT(last, 1e-2) << seed;
  }
}

TEST(FrictionProgram, SettlesWhereFrictionLiftsWhatItSlowsDown) {
  // The more friction, the less it is pressed: with the limit of the round before, all or nothing by turns.
  FrictionProgram program{Eigen::MatrixXd::Identity(3, 3), Vec3(-1, -3, 0), Vec3::Zero(), {2}};
  program.A(0, 1) = program.A(1, 0) = 0.9;
  Vector impulses;
  const ProgramReport report = program.solve({.rounds = 60, .tolerance = 1e-8}, impulses);
  EXPECT_EQ(report.status, ProgramReport::Status::solved);
  EXPECT_NEAR(impulses[0], 1 / 2.8, 1e-7);
  EXPECT_NEAR(impulses[1], 2 / 2.8, 1e-7);
  EXPECT_EQ(impulses[2], 0);
}

TEST(FrictionProgram, IsSolvedBySweepsOverItsContactsWhereRoundsDoNotSettle) {
  double of_rounds = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const FrictionProgram program = random_contacts(2 + seed % 8, 0.5, seed);
    Vector few, exact, impulses;
    of_rounds = std::max(of_rounds, program.solve({.rounds = 1, .sweeps = 0}, few).error);
    EXPECT_LE(program.solve({.rounds = 200, .tolerance = 1e-7}, exact).error, 1e-7) << seed;
    const ProgramReport report =
        program.solve({.rounds = 1, .sweeps = 5000, .tolerance = 1e-6, .enough = 1e-6}, impulses);
    EXPECT_EQ(report.status, ProgramReport::Status::solved) << seed;
    EXPECT_LE(report.error, 1e-6) << seed;
    EXPECT_LT((impulses - exact).norm(), 1e-4 * exact.norm()) << seed;
  }
  EXPECT_GT(of_rounds, 1e-2) << "nothing was left to do";
}

TEST(FrictionProgram, SaysThatItIsInaccurateWhereItsRoundsAreTooFew) {
  FrictionProgram program{Eigen::MatrixXd::Identity(3, 3), Vec3(-1, -3, 0), Vec3::Zero(), {2}};
  program.A(0, 1) = program.A(1, 0) = 0.9;
  Vector impulses;
  const ProgramReport report = program.solve({.rounds = 3, .sweeps = 0}, impulses);
  EXPECT_EQ(report.status, ProgramReport::Status::inaccurate);
  EXPECT_GT(report.error, 1e-2);
  EXPECT_LE(impulses.tail(2).norm(), 2 * impulses[0]);
}

TEST(FrictionProgram, AndTheNormalImpulsesTogetherTakeEnergyOut) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const FrictionProgram program = random_contacts(1 + seed % 12, 0.5, seed);
    Vector impulses;
    program.solve({}, impulses);
    const Vector mean = program.free + 0.5 * program.A * impulses;
    EXPECT_LE(impulses.dot(mean), 0) << seed;
  }
}

TEST(FrictionProgram, WithoutFrictionIsThatOfTheNormalsAlone) {
  FrictionProgram program = random_contacts(6, 0, 3), normals = program;
  Vector with, without;
  program.solve({}, with);
  normals.A = program.A.topLeftCorner(6, 6).eval();
  normals.free = program.free.head(6).eval();
  normals.least = program.least.head(6).eval();
  EXPECT_FALSE(normals.rubs());
  EXPECT_EQ(normals.solve({}, without).status, ProgramReport::Status::solved);
  EXPECT_LT((with.head(6) - without).norm(), 1e-9);
  EXPECT_EQ(with.tail(12).norm(), 0);
}

}  // namespace
}  // namespace pliant::friction_program_test
