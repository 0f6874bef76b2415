#include "pliant/run/steps_table.hpp"

#include "errors.hpp"
#include "pliant/base/error.hpp"

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
  EXPECT_NE(StepsTable({}).line(row).find(",0.30000000000000004,"), std::string::npos);
}

std::string field(std::string text, const std::string& wanted, const std::string& line) {
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
}

TEST(StepsTable, ColumnsStandUnderTheirNames) {
  StepRow row{3, 7, 0.5, {}, {}, 11, 0.25};
  row.report.outcome.status = Status::stalled;
  row.report.work.damping = 8;
  row.report.work.tear = 9;
  row.report.contacts.overlap = 0.125;
  const StepsTable table({});
  const std::string line = table.line(row);
  EXPECT_EQ(field(table.header(), "frame", line), "3");
  EXPECT_EQ(field(table.header(), "step", line), "7");
  EXPECT_EQ(field(table.header(), "status", line), name(Status::stalled));
  EXPECT_EQ(field(table.header(), "inverted", line), "11");
  EXPECT_EQ(field(table.header(), "loss_damping", line), "8");
  EXPECT_EQ(field(table.header(), "loss_tear", line), "9");
  EXPECT_EQ(field(table.header(), "smallest_gap", line), "") << "without obstacles";
  EXPECT_EQ(field(table.header(), "overlap", line), "0.125");
  EXPECT_EQ(field(table.header(), "seconds_step", line), "0.25");
}

TEST(StepsTable, EnergiesThatAreNotUsualHaveColumnsAfterThoseThatAre) {
  EXPECT_NE(StepsTable({}).header().find(",kinetic,elastic,gravitational,attachment,contact,total,"),
            std::string::npos);
  Energies start;
  start.add("load", 0);
  start.add("pressure", 0);
  const StepsTable table(start);
  EXPECT_NE(table.header().find(",contact,load,pressure,total,work_script,"), std::string::npos);
  StepRow row;
  row.report.energies.kinetic = 1;
  row.report.energies.add("pressure", 8);  // in another order
  row.report.energies.add("elastic", 2);
  row.report.energies.add("load", 4);
  const std::string line = table.line(row);
  EXPECT_EQ(field(table.header(), "elastic", line), "2");
  EXPECT_EQ(field(table.header(), "contact", line), "0");
  EXPECT_EQ(field(table.header(), "load", line), "4");
  EXPECT_EQ(field(table.header(), "pressure", line), "8");
  EXPECT_EQ(field(table.header(), "total", line), "15");
  EXPECT_EQ(field(table.header(), "seconds_step", line), "0");
}

TEST(StepsTable, RefusesAnEnergyThatIsCalledLikeAnotherColumn) {
  for (const char* name : {"kinetic", "total", "frame", "seconds_step\n", "a,b", ""}) {
    Energies start;
    start.add(name, 0);
    EXPECT_ERROR(InputError, "that is no name of a column of its own", StepsTable{start});
  }
}

}  // namespace
}  // namespace pliant::steps_table_test
