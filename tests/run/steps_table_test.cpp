#include "pliant/run/steps_table.hpp"

namespace pliant::steps_table_test {
namespace {

TEST(StepsTable, LinearMomentumIsMassTimesVelocity) {
  const State state{0, Vector::Zero(6), (Vector(6) << 1, 2, 3, 4, 5, 6).finished(), {}};
  EXPECT_EQ(momenta(Eigen::Vector2d(2, 10), state).linear, Vec3(42, 54, 66));
}

TEST(StepsTable, AngularMomentumOfACircleIsAboutItsAxis) {
  const State state{0, Vec3(2, 0, 0), Vec3(0, 3, 0), {}};
  EXPECT_EQ(momenta(Vector::Constant(1, 5), state).angular, Vec3(0, 0, 30));
}

TEST(StepsTable, NumbersKeepAllTheirDigits) {
  StepRow row;
  row.time = 0.1 + 0.2;
  EXPECT_NE(steps_line(row).find(",0.30000000000000004,"), std::string::npos);
}

TEST(StepsTable, ColumnsStandUnderTheirNames) {
  StepRow row{3, 7, 0.5, {}, {}, 11, 0.25};
  row.report.outcome.status = Status::stalled;
  row.report.work.damping = 8;
  row.report.work.tear = 9;
  row.report.contacts.overlap = 0.125;
  const auto field = [](std::string text, const std::string& wanted, const std::string& line) {
    std::vector<std::string> names, values;
    for (auto [source, list] : {std::pair(text, &names), std::pair(line, &values)}) {
      source.back() = ',';
      for (size_t begin = 0, end; begin < source.size(); begin = end + 1) {
        end = source.find(',', begin);
        list->push_back(source.substr(begin, end - begin));
      }
    }
    const auto at = std::find(names.begin(), names.end(), wanted) - names.begin();
    return values.at(static_cast<size_t>(at));
  };
  const std::string line = steps_line(row);
  EXPECT_EQ(field(steps_header(), "frame", line), "3");
  EXPECT_EQ(field(steps_header(), "step", line), "7");
  EXPECT_EQ(field(steps_header(), "status", line), name(Status::stalled));
  EXPECT_EQ(field(steps_header(), "inverted", line), "11");
  EXPECT_EQ(field(steps_header(), "loss_damping", line), "8");
  EXPECT_EQ(field(steps_header(), "loss_tear", line), "9");
  EXPECT_EQ(field(steps_header(), "smallest_gap", line), "") << "without obstacles";
  EXPECT_EQ(field(steps_header(), "overlap", line), "0.125");
  EXPECT_EQ(field(steps_header(), "seconds_step", line), "0.25");
}

}  // namespace
}  // namespace pliant::steps_table_test
