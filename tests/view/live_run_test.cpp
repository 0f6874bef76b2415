#include "pliant/view/live_run.hpp"

#include <chrono>
#include <future>
#include <thread>

#include "http.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/json.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/view/server.hpp"
#include "runs.hpp"

namespace pliant::live_run_test {
namespace {

/// A run of many short steps in a thread of its own, with a server beside it.
class LiveTest : public ::testing::Test {
 protected:
  /// Whatever came of the test: a run that is paused would be waited for without end.
  void TearDown() override {
    try {
      hand_.command("stop");
    } catch (const InputError&) {  // it has ended
    }
    if (result_.valid()) result_.wait();
  }

  void begin(int frames) {
    simulation_ = fake_simulation(frames);
    fake_scheme(simulation_).on_step = [](int) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
    result_ = std::async(std::launch::async, [this, frames] {
      RunObserver* observers[] = {&hand_};
      return run(simulation_, {.folder = folder_ / "out", .frames = frames}, observers);
    });
    ASSERT_EQ(ready_.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready)
        << "the run did not begin";
  }

  HttpAnswer get(const std::string& path) const {
    return http_get(server_.port(), path, token_line(server_.link()));
  }

  HttpAnswer command(const std::string& what) const {
    return http_post(server_.port(), "/api/command", R"({"run":0,"command":")" + what + "\"}",
                     token_line(server_.link()));
  }

  bool comes_to(LiveRun::State state) const {
    for (int i = 0; i < 2000 && hand_.state() != state; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return hand_.state() == state;
  }

  /// From the status that a page gets.
  int steps() const {
    const std::string status = get("/api/status").body;
    return std::atoi(status.c_str() + status.find("\"steps\":") + 8);
  }

  TemporaryFolder folder_;
  Simulation simulation_;
  std::promise<void> ready_;
  LiveRun hand_{[this] {
    server_.add(folder_ / "out", &hand_);
    server_.start();
    ready_.set_value();
  }};
  LabServer server_;
  std::future<RunResult> result_;
};

TEST_F(LiveTest, PausesGoesOnAndStops) {
  ASSERT_NO_FATAL_FAILURE(begin(5000));
  EXPECT_NE(get("/api/session").body.find(R"("live":true)"), std::string::npos);
  EXPECT_EQ(command("pause").status, 200);
  ASSERT_TRUE(comes_to(LiveRun::State::paused));
  const int paused_at = steps();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(steps(), paused_at);
  EXPECT_NE(get("/api/status").body.find(R"("state":"paused")"), std::string::npos);
  EXPECT_EQ(command("continue").status, 200);
  for (int i = 0; i < 2000 && steps() == paused_at; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_GT(steps(), paused_at);
  EXPECT_EQ(command("stop").status, 200);
  const RunResult result = result_.get();
  EXPECT_EQ(result.status, RunStatus::interrupted);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/checkpoint.bin"));
}

TEST_F(LiveTest, TimeInWhichItIsPausedDoesNotCount) {
  const Timer all;
  ASSERT_NO_FATAL_FAILURE(begin(5000));
  EXPECT_EQ(command("pause").status, 200);
  ASSERT_TRUE(comes_to(LiveRun::State::paused));
  const Timer paused;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const double seconds = paused.seconds();
  EXPECT_EQ(command("continue").status, 200);
  EXPECT_EQ(command("stop").status, 200);
  const RunResult result = result_.get();
  const double most = all.seconds() - seconds;
  EXPECT_LE(result.totals.seconds.total, most);
  const Json head = parse_json(get("/api/runs/0/head").body);
  EXPECT_LE(head.at("summary").at("seconds").at("total").get<double>(), most) << "as the page shows it";
}

TEST_F(LiveTest, APausedRunCanBeStopped) {
  ASSERT_NO_FATAL_FAILURE(begin(5000));
  EXPECT_EQ(command("pause").status, 200);
  ASSERT_TRUE(comes_to(LiveRun::State::paused));
  EXPECT_EQ(command("stop").status, 200);
  EXPECT_EQ(result_.get().status, RunStatus::interrupted);
}

TEST_F(LiveTest, AStoppedRunGoesOnToTheSameEnd) {
  ASSERT_NO_FATAL_FAILURE(begin(40));
  command("stop");
  result_.get();
  Simulation again = fake_simulation(40);
  EXPECT_EQ(run(again, {.folder = folder_ / "out", .frames = 40, .resume = true}).exit_code(), 0);
  run_fake(folder_ / "whole", 40);
  EXPECT_EQ(lasting_files(folder_ / "out"), lasting_files(folder_ / "whole"));
}

TEST_F(LiveTest, ConnectionsThatBreakOffDoNotDisturbIt) {
  ASSERT_NO_FATAL_FAILURE(begin(30));
  for (int i = 0; i < 30; ++i) {
    const HttpConnection connection(server_.port());
    connection.send("GET /api/runs/0/mesh HTTP/1.1\r\nHost: " + own_host(server_.port()) + "\r\n" +
                    token_line(server_.link()) + "\r\n");
  }
  {
    const HttpConnection half(server_.port());
    half.send("GET /api/ru");
  }
  EXPECT_EQ(result_.get().status, RunStatus::completed);
  run_fake(folder_ / "whole", 30);
  EXPECT_EQ(lasting_files(folder_ / "out"), lasting_files(folder_ / "whole"));
}

TEST_F(LiveTest, ShowsFramesWhileTheyCome) {
  ASSERT_NO_FATAL_FAILURE(begin(400));
  for (int i = 0; i < 5000 && steps() < 20; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_GE(steps(), 20);
  EXPECT_EQ(get("/api/runs/0/frames/5").status, 200);
  command("stop");
  result_.get();
  hand_.ended(LiveRun::State::stopped, "stopped");
  EXPECT_NE(get("/api/status").body.find(R"("state":"stopped","message":"stopped")"), std::string::npos);
  EXPECT_EQ(command("pause").status, 409);
}

TEST_F(LiveTest, KnowsThreeCommands) {
  ASSERT_NO_FATAL_FAILURE(begin(2000));
  EXPECT_EQ(command("explode").status, 409);
  command("stop");
  result_.get();
}

}  // namespace
}  // namespace pliant::live_run_test
