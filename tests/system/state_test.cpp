#include "pliant/system/state.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "pliant/potential/sub_model.hpp"

namespace pliant::state_test {
namespace {

/// Four vertices, with something kept of each kind.
State sample() {
  State state{.time = 0.25, .x = Vector::LinSpaced(12, 0, 1), .v = Vector::LinSpaced(12, 5, 7), .arrays = {}};
  state.keep("places", 2 * state.x);
  state.keep_number("length", 0.1);
  state.arrays["of particles"] = {
      .of = EntryOf::particle, .width = 9, .values = Vector::Ones(18), .holds = {1, 1}, .ids = {}};
  state.arrays["of stencils"] = {
      .of = EntryOf::stencil, .width = 1, .values = Vector::Ones(3), .holds = {1, 1, 1}, .ids = {}};
  return state;
}

TEST(State, GivesBackWhatWasKeptAndHolds) {
  State state = sample();
  EXPECT_EQ(*state.kept("places"), Vector(2 * state.x));
  EXPECT_EQ(state.kept_number("length"), 0.1);
  EXPECT_EQ(state.kept("length"), nullptr);
  EXPECT_EQ(state.kept_number("places"), std::nullopt);
  EXPECT_EQ(state.kept("unknown"), nullptr);
  state.forget("places");
  state.forget("length");
  EXPECT_EQ(state.kept("places"), nullptr);
  EXPECT_EQ(state.kept_number("length"), std::nullopt);
}

TEST(State, ForgetsVerticesAndNothingElse) {
  State state = sample();
  state.forget_vertices(std::vector{1, 3});
  EXPECT_EQ(state.arrays["places"].holds, (std::vector<char>{1, 0, 1, 0}));
  EXPECT_EQ(state.arrays["places"].values.segment<3>(3), Vec3::Zero());
  EXPECT_EQ(state.arrays["places"].values.segment<3>(6), Vec3(2 * state.x.segment<3>(6)));
  EXPECT_EQ(state.arrays["of stencils"], sample().arrays["of stencils"]);
  EXPECT_EQ(state.kept_number("length"), 0.1);
}

TEST(State, IsTheSameTakenApartAndPutTogether) {
  State state = sample();
  state.forget_vertices(std::vector{2});
  const SubModel sub_models[] = {{{0, 2}, {1, 1}}, {{1, 3}, {1, 1}}};
  State again = sample();
  again.x.setZero();
  again.v.setZero();
  again.arrays.erase("places");
  for (const SubModel& sub_model : sub_models) {
    const State part = state.taken(sub_model);
    EXPECT_TRUE(part.is_sound());
    EXPECT_EQ(part.time, 0.25);
    EXPECT_EQ(part.x.segment<3>(3), state.x.segment<3>(3 * Index{sub_model.vertices[1]}));
    again.put(part, sub_model);
  }
  EXPECT_EQ(again, state);
}

TEST(State, HoldsWhereAnyPartHoldsWhatIsOfTheWhole) {
  State state = sample();
  const SubModel sub_models[] = {{{0, 2}, {1, 1}}, {{1, 3}, {1, 1}}};
  State forgetful = state.taken(sub_models[0]), other = state.taken(sub_models[1]);
  forgetful.forget("length");
  for (const bool forgetful_first : {false, true}) {
    state.arrays.clear();
    if (forgetful_first) state.put(forgetful, sub_models[0]);
    state.put(other, sub_models[1]);
    if (!forgetful_first) state.put(forgetful, sub_models[0]);
    EXPECT_EQ(state.kept_number("length"), 0.1);
  }
}

TEST(State, RefusesWhatAPartCannotKeep) {
  State state = sample();
  const SubModel sub_model{{0, 2}, {1, 1}};
  State part = state.taken(sub_model);
  part.arrays["of stencils"] = state.arrays["of stencils"];
  try {
    state.put(part, sub_model);
    FAIL();
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(),
                 "'of stencils' is neither of vertices nor of the whole: components cannot keep it");
  }
}

TEST(State, LeavesOutWhatIsOfVerticesAndStencilsWhereTheyAreOthers) {
  const State state = sample(), now = state.renumbered({0, 1, 1, 3, 2});
  EXPECT_EQ(now.vertices(), 5);
  EXPECT_EQ(now.x.segment<3>(6), state.x.segment<3>(3));
  EXPECT_EQ(now.v.segment<3>(12), state.v.segment<3>(6));
  EXPECT_EQ(now.time, state.time);
  EXPECT_EQ(now.kept_number("length"), 0.1);
  EXPECT_TRUE(now.arrays.contains("of particles"));
  EXPECT_FALSE(now.arrays.contains("places"));
  EXPECT_FALSE(now.arrays.contains("of stencils"));
}

TEST(State, IsComparedToTheBit) {
  State a = sample(), b = sample();
  EXPECT_EQ(a, b);
  a.v[3] = 0.0, b.v[3] = -0.0;
  EXPECT_NE(a, b);
  a.v[3] = b.v[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(a, b);
  b.x.conservativeResize(9);
  EXPECT_NE(a, b);
  b = a;
  b.arrays["places"].holds[0] = 0;
  EXPECT_NE(a, b);
}

TEST(State, IsSoundWhereSizesFitWhatArraysBelongTo) {
  EXPECT_TRUE(sample().is_sound());
  State state = sample();
  state.arrays["places"].holds.pop_back();
  EXPECT_FALSE(state.is_sound());
  state = sample();
  state.arrays["of particles"].width = 8;
  EXPECT_FALSE(state.is_sound());
  state = sample();
  state.arrays["of stencils"].of = EntryOf::list;
  EXPECT_FALSE(state.is_sound()) << "a list without numbers";
  state.arrays["of stencils"].ids = {1, 2, 5};
  EXPECT_TRUE(state.is_sound());
  state.arrays["of stencils"].of = static_cast<EntryOf>(7);
  EXPECT_FALSE(state.is_sound());
}

}  // namespace
}  // namespace pliant::state_test
