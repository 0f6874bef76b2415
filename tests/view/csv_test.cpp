#include "pliant/view/csv.hpp"

#include <cmath>

namespace pliant::csv_test {
namespace {

TEST(Csv, FieldsAreTakenOffARow) {
  std::string_view row = "a,,b";
  EXPECT_EQ(take_field(row), "a");
  EXPECT_EQ(take_field(row), "");
  EXPECT_EQ(take_field(row), "b");
  EXPECT_TRUE(row.empty());
  EXPECT_EQ(take_field(row), "");
}

TEST(Csv, NumbersAreWholeFields) {
  EXPECT_EQ(number_in("-1.5e3"), -1500);
  for (const char* none : {"one", "1 ", " 1", "1x", "-"}) EXPECT_FALSE(number_in(none)) << none;
  for (const char* unknown : {"", "nan", "1e999"})
    EXPECT_TRUE(std::isnan(number_in(unknown).value())) << unknown;
}

}  // namespace
}  // namespace pliant::csv_test
