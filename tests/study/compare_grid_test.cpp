#include "errors.hpp"
#include "pliant/base/error.hpp"
#include "pliant/study/grid.hpp"

namespace pliant::compare_grid_test {
namespace {

using Texts = std::vector<std::string>;

Texts names_of(const std::vector<VariedKey>& varied) {
  Texts names;
  for (const GridMember& member : make_grid(varied)) names.push_back(member.name);
  return names;
}

TEST(CompareGrid, SplitsValuesAtCommas) {
  const VariedKey varied = parse_varied("time.scheme=backward-euler, sdirk2");
  EXPECT_EQ(varied.key, "time.scheme");
  EXPECT_EQ(varied.values, (Texts{"backward-euler", "sdirk2"}));
}

TEST(CompareGrid, KeepsListsTablesAndTextsWhole) {
  EXPECT_EQ(parse_varied("gravity=[0, -9.81, 0],[0,0,0]").values, (Texts{"[0, -9.81, 0]", "[0,0,0]"}));
  EXPECT_EQ(parse_varied("name=\"a,\\\"b\",'c,d'").values, (Texts{"\"a,\\\"b\"", "'c,d'"}));
  EXPECT_EQ(parse_varied("time={scheme=\"bdf2\",rho=[1,2]},{}").values,
            (Texts{"{scheme=\"bdf2\",rho=[1,2]}", "{}"}));
}

TEST(CompareGrid, RefusesWhatIsNoListOfValues) {
  for (const auto& [text, part] : {std::pair{"time.scheme", "write it as KEY=A,B, for instance"},
                                   {"=a,b", "write it as KEY=A,B, for instance"},
                                   {"time.scheme=", "a value is missing"},
                                   {"time.scheme=a,,b", "a value is missing"},
                                   {"time.scheme=a,a", "the value a is given twice"}})
    EXPECT_ERROR(InputError, part, parse_varied(text)) << text;
}

TEST(CompareGrid, HasEveryCombinationWithTheLastKeyChangingFastest) {
  const auto grid = make_grid({{"a", {"x", "y"}}, {"b", {"1", "2", "3"}}});
  ASSERT_EQ(grid.size(), 6u);
  EXPECT_EQ(grid[0].values, (Texts{"x", "1"}));
  EXPECT_EQ(grid[1].values, (Texts{"x", "2"}));
  EXPECT_EQ(grid[3].values, (Texts{"y", "1"}));
  EXPECT_EQ(grid[5].values, (Texts{"y", "3"}));
}

TEST(CompareGrid, NamesMembersByTheirValues) {
  EXPECT_EQ(names_of({{"time.scheme", {"backward-euler", "sdirk2"}}, {"time.steps_per_frame", {"5"}}}),
            (Texts{"backward-euler_steps_per_frame=5", "sdirk2_steps_per_frame=5"}));
}

TEST(CompareGrid, TellsApartKeysThatEndAlike) {
  EXPECT_EQ(names_of({{"body.0.material.young", {"1e5"}}, {"body.1.material.young", {"1e6"}}}),
            Texts{"0.material.young=1e5_1.material.young=1e6"});
}

TEST(CompareGrid, MakesNamesThatAreSafeInFilesAndTheirOwn) {
  EXPECT_EQ(names_of({{"gravity", {"[0, -9.81, 0]", "[0; -9.81; 0]"}}}),
            (Texts{"gravity=0--9.81-0", "gravity=0--9.81-0-2"}));
  EXPECT_EQ(names_of({{"name", {"'../../etc'"}}}), Texts{"etc"});
  EXPECT_EQ(names_of({{"name", {"'é'"}}}), Texts{"member"});
}

TEST(CompareGrid, KeepsTheSignOfNumbers) {
  EXPECT_EQ(names_of({{"x", {"1", "-1"}}}), (Texts{"x=1", "x=-1"}));
}

TEST(CompareGrid, RefusesAKeyThatIsVariedTwice) {
  EXPECT_ERROR(InputError, "a is varied twice", make_grid({{"a", {"1"}}, {"a", {"2"}}}));
}

TEST(CompareGrid, RefusesMoreMembersThanAnyoneWaitsFor) {
  const Texts ten = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  EXPECT_EQ(make_grid({{"a", ten}, {"b", ten}, {"c", ten}}).size(), 1000u);
  EXPECT_ERROR(InputError, "the grid has more than",
               make_grid({{"a", ten}, {"b", ten}, {"c", ten}, {"d", ten}}));
}

TEST(CompareGrid, ReadsTheChoicesOfAReference) {
  EXPECT_EQ(parse_choices("time.scheme=sdirk3,gravity=[0,0,0]"),
            (Texts{"time.scheme=sdirk3", "gravity=[0,0,0]"}));
  EXPECT_ERROR(InputError, "write it as KEY=VALUE", parse_choices("sdirk3"));
}

}  // namespace
}  // namespace pliant::compare_grid_test
