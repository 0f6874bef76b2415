// What a report keeps of a run of very many steps.
#include "errors.hpp"
#include "pliant/base/error.hpp"
#include "pliant/view/container.hpp"
#include "pliant/view/report_steps.hpp"

namespace pliant::compare_steps_test {
namespace {

const std::vector<double> kTimes = {1, 2, 3, 4, 5, 6, 7};
const std::vector<double> kIterations = {1, 9, 2, 8, 3, 3, 3};

std::string steps() {
  ContainerWriter writer;
  writer.add("time", std::span<const double>(kTimes));
  writer.add("iterations", std::span<const double>(kIterations));
  return writer.finish(R"({"from": 0, "rows": 7, "columns": ["time", "iterations"], "failed": [2],
                           "statuses": {"2": "stalled"}})");
}

TEST(FewerSteps, KeepsFailuresPeaksAndTheLast) {
  const std::string bytes = fewer_steps(steps(), 4);
  const ContainerReader reader(bytes, "fewer");
  EXPECT_EQ(reader.f64("time"), (std::vector<double>{2, 3, 5, 7}));
  EXPECT_EQ(reader.f64("iterations"), (std::vector<double>{9, 2, 3, 3}));
  EXPECT_NE(reader.members().find(R"("rows":4)"), std::string::npos) << reader.members();
  EXPECT_NE(reader.members().find(R"("failed":[1])"), std::string::npos) << reader.members();
  EXPECT_NE(reader.members().find(R"("statuses":{"1":"stalled"})"), std::string::npos) << reader.members();
}

TEST(FewerSteps, LeavesFewAsTheyAre) { EXPECT_EQ(fewer_steps(steps(), 7), steps()); }

TEST(FewerSteps, NeverKeepsMoreThanAsked) {
  for (size_t most = 1; most < 7; ++most) {
    const std::string bytes = fewer_steps(steps(), most);
    EXPECT_LE(ContainerReader(bytes, "fewer").f64("time").size(), most);
  }
}

TEST(FewerSteps, RefusesOtherBytes) {
  EXPECT_ERROR(InputError, "7 bytes are too few for a container", fewer_steps("nothing", 3));
}

}  // namespace
}  // namespace pliant::compare_steps_test
