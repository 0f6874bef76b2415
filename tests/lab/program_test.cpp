// pliant view, report and run --view as they are typed.
#include "program.hpp"

#include <chrono>
#include <thread>

#include "http.hpp"
#include "runs.hpp"

namespace pliant {
namespace {

class ViewProgram : public ProgramTest {
 protected:
  /// Starts the program and goes on; its words go to NAME.log, its exit code to NAME.code.
  void start(const std::string& name, const std::string& arguments) const {
    shell("(" PLIANT_PROGRAM " " + arguments + " >" + name + ".log 2>&1; echo $? >" + name +
          ".code) </dev/null >/dev/null 2>&1 & true");
  }

  std::string text_of(const std::string& file) const {
    return std::filesystem::exists(folder_ / file) ? read_file(folder_ / file) : "";
  }

  /// Waits until a file holds a text.
  bool comes(const std::string& file, const std::string& text) const {
    for (int i = 0; i < 500; ++i) {
      if (contains(text_of(file), text)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }

  /// Port and token of the link in a log.
  int port(const std::string& log) const {
    const std::string text = text_of(log);
    return std::atoi(text.c_str() + text.find("127.0.0.1:") + 10);
  }
  std::string token(const std::string& log) const {
    const std::string text = text_of(log);
    return text.substr(text.find("#token=") + 7, 32);
  }
};

TEST_F(ViewProgram, RunIsFollowedAndStoppedWithACheckpoint) {
  write("scene.toml", kSolidScene);
  start("run", "run scene.toml -o out --frames 100000 --view --no-browser --threads 1");
  ASSERT_TRUE(comes("run.log", "#token=")) << text_of("run.log");
  EXPECT_EQ(http_get(port("run.log"), "/api/runs/0/frames/0").status, 200);
  const std::string head = "X-Pliant-Token: " + token("run.log") + "\r\n";
  EXPECT_EQ(http_post(port("run.log"), "/api/command", R"({"run":0,"command":"stop"})", head).status, 200);
  ASSERT_TRUE(comes("run.code", "\n")) << text_of("run.log");
  EXPECT_EQ(text_of("run.code"), "130\n");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out/checkpoint.bin"));
  EXPECT_TRUE(contains(text_of("out/summary.json"), "\"status\": \"interrupted\""));
  EXPECT_EQ(run("run scene.toml -o out --frames 3 --resume").exit_code, 0);
}

TEST_F(ViewProgram, RunThatNobodyLooksAtEndsAtOnce) {
  write("scene.toml", kSolidScene);
  const Ending ending = run("run scene.toml -o out --frames 1 --view --no-browser");
  EXPECT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_TRUE(contains(ending.said, "http://127.0.0.1:")) << ending.said;
}

TEST_F(ViewProgram, ViewServesUntilItIsInterrupted) {
  run_fake(folder_ / "out", 2);
  shell("(" PLIANT_PROGRAM
        " view out --no-browser >view.log 2>&1 & echo $! >pid; wait $!; echo $? >view.code) "
        "</dev/null >/dev/null 2>&1 & true");
  ASSERT_TRUE(comes("view.log", "#token=")) << text_of("view.log");
  EXPECT_EQ(http_get(port("view.log"), "/").status, 200);
  const Ending second = run("view out --no-browser --port " + std::to_string(port("view.log")));
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_TRUE(contains(second.said, "--port")) << second.said;
  shell("kill -TERM $(cat pid)");
  ASSERT_TRUE(comes("view.code", "\n"));
  EXPECT_EQ(text_of("view.code"), "0\n");
}

TEST_F(ViewProgram, MistakesAreSaidWithExitCodeTwo) {
  write("scene.toml", kSolidScene);
  std::filesystem::create_directory(folder_ / "empty");
  for (const char* line : {"view nowhere", "view empty", "view", "report nowhere -o r.html", "report empty",
                           "report empty -o r.html", "run scene.toml --port 80", "view empty --port 0"}) {
    const Ending ending = run(line);
    EXPECT_EQ(ending.exit_code, 2) << line << "\n" << ending.said;
    EXPECT_TRUE(ending.said.starts_with("error: ")) << ending.said;
  }
}

TEST_F(ViewProgram, ReportIsOneFile) {
  run_fake(folder_ / "out", 2);
  const Ending ending = run("report out -o deep/er/report.html");
  EXPECT_EQ(ending.exit_code, 0) << ending.said;
  EXPECT_TRUE(contains(text_of("deep/er/report.html"), "id=\"pliant-data\">"));
  EXPECT_EQ(run("report out -o /dev/full/report.html").exit_code, 4);
}

}  // namespace
}  // namespace pliant
