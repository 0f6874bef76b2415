// pliant view, report and run --view as they are typed.
#include "program.hpp"

#include <chrono>
#include <thread>

#include "http.hpp"
#include "runs.hpp"

namespace pliant::program_test {
namespace {

class ViewProgram : public ProgramTest {
 protected:
  /// What a failed test leaves running would run on.
  void TearDown() override {
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      if (entry.path().extension() == ".pid" &&
          !contains(text_of(entry.path().stem().string() + ".code"), "\n"))
        shell("kill -KILL $(cat " + entry.path().filename().string() + ")");
    ProgramTest::TearDown();
  }

  /// Starts the program and goes on; its words go to NAME.log, its number to NAME.pid, its exit code to
  /// NAME.code. `before` is what the shell puts before it.
  void start(const std::string& name, const std::string& arguments, const std::string& before = "") const {
    shell("(" + before + " " PLIANT_PROGRAM " " + arguments + " >" + name + ".log 2>&1 & echo $! >" + name +
          ".pid; wait $!; echo $? >" + name + ".code) </dev/null >/dev/null 2>&1 & true");
  }

  std::string text_of(const std::string& file) const {
    return std::filesystem::exists(folder_ / file) ? read_file(folder_ / file) : "";
  }

  /// Waits until a file holds a text.
  bool comes(const std::string& file, const std::string& text) const {
    for (int i = 0; i < 3000; ++i) {
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
  std::string token(const std::string& log) const { return token_line(text_of(log)); }
};

TEST_F(ViewProgram, RunIsFollowedAndStoppedWithACheckpoint) {
  write("scene.toml", kSolidScene);
  start("run", "run scene.toml -o out --frames 100000 --view --no-browser --threads 1");
  ASSERT_TRUE(comes("run.log", "#token=")) << text_of("run.log");
  const std::string head = token("run.log");
  EXPECT_EQ(http_get(port("run.log"), "/api/runs/0/frames/0", head).status, 200);
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
  EXPECT_FALSE(contains(ending.said, "the page stays")) << ending.said;
}

TEST_F(ViewProgram, PageOfARunThatHasEndedStaysWhileItIsOpen) {
  write("scene.toml", kSolidScene);
  start("run", "run scene.toml -o out --frames 100000 --view --no-browser --threads 1");
  ASSERT_TRUE(comes("run.log", "#token=")) << text_of("run.log");
  const std::string head = token("run.log");
  EXPECT_EQ(http_get(port("run.log"), "/api/session", head).status, 200);
  EXPECT_EQ(http_post(port("run.log"), "/api/command", R"({"run":0,"command":"stop"})", head).status, 200);
  ASSERT_TRUE(comes("run.log", "the page stays as long as it is open; Ctrl-C ends it")) << text_of("run.log");
  EXPECT_EQ(http_get(port("run.log"), "/api/runs/0/mesh", head).status, 200);
  EXPECT_EQ(text_of("run.code"), "");
  shell("kill -INT $(cat run.pid)");
  ASSERT_TRUE(comes("run.code", "\n")) << text_of("run.log");
  EXPECT_EQ(text_of("run.code"), "130\n") << "as the run that was stopped";
}

TEST_F(ViewProgram, PageIsWaitedForWhereSomebodySitsAtTheTerminal) {
  write("scene.toml", kSolidScene);
  // A terminal turns the byte of Ctrl-C into the signal. `exec`: a shell between would say 130 itself.
  shell(
      "touch run.log; (for i in $(seq 3000); do grep -q 'Ctrl-C ends it' run.log && break; sleep 0.02; done; "
      "printf '\\003'; sleep 1) | SHELL=/bin/sh script -qec 'exec " PLIANT_PROGRAM
      " run scene.toml -o out --frames 1 --view --no-browser' /dev/null >run.log 2>&1; echo $? >run.code");
  EXPECT_TRUE(contains(text_of("run.log"), "the page stays")) << text_of("run.log");
  ASSERT_TRUE(comes("run.code", "\n")) << text_of("run.log");
  EXPECT_EQ(text_of("run.code"), "0\n") << "as the run, which was done";
}

TEST_F(ViewProgram, ARunThatFailsIsSaidToOnce) {
  write("scene.toml", kSolidScene);
  EXPECT_EQ(run("run scene.toml -o out --frames 1").exit_code, 0);
  const Ending ending = run("run scene.toml -o out --frames 1 --view --no-browser");
  EXPECT_EQ(ending.exit_code, 2) << ending.said;
  const size_t first = ending.said.find("error: ");
  ASSERT_NE(first, std::string::npos) << ending.said;
  EXPECT_EQ(ending.said.find("error: ", first + 1), std::string::npos) << ending.said;
}

TEST_F(ViewProgram, BrowserIsGivenAFileThatOnlyItsOwnerReads) {
  run_fake(folder_ / "out", 2);
  std::filesystem::create_directory(folder_ / "bin");
  std::filesystem::create_directory(folder_ / "own");
  write("bin/xdg-open",
        "#!/bin/sh\necho \"$@\" >given; stat -c %a \"$1\" >mode; cat \"$1\" >copy; echo >opened\n");
  shell("chmod +x bin/xdg-open");
  start("view", "view out", "env DISPLAY=:9 XDG_RUNTIME_DIR=\"$PWD/own\" PATH=\"$PWD/bin:$PATH\"");
  ASSERT_TRUE(comes("opened", "\n")) << text_of("view.log");
  const std::string word = token("view.log").substr(16, 32);
  EXPECT_FALSE(contains(text_of("given"), word)) << text_of("given");
  EXPECT_TRUE(text_of("given").starts_with((folder_ / "own/pliant-").string())) << text_of("given");
  EXPECT_EQ(text_of("mode"), "600\n");
  EXPECT_TRUE(contains(text_of("copy"), "url=http://127.0.0.1:")) << text_of("copy");
  EXPECT_TRUE(contains(text_of("copy"), word)) << text_of("copy");
  shell("kill -TERM $(cat view.pid)");
  ASSERT_TRUE(comes("view.code", "\n"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "own"));
}

TEST_F(ViewProgram, ViewServesUntilItIsInterrupted) {
  run_fake(folder_ / "out", 2);
  start("view", "view out --no-browser");
  ASSERT_TRUE(comes("view.log", "#token=")) << text_of("view.log");
  EXPECT_EQ(http_get(port("view.log"), "/").status, 200);
  const Ending second = run("view out --no-browser --port " + std::to_string(port("view.log")));
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_TRUE(contains(second.said, "--port")) << second.said;
  shell("kill -TERM $(cat view.pid)");
  ASSERT_TRUE(comes("view.code", "\n"));
  EXPECT_EQ(text_of("view.code"), "0\n");
}

TEST_F(ViewProgram, ViewWaitsForAnAnswerUnderWayButNotAfterASecondSignal) {
  run_fake(folder_ / "out", 2);
  start("view", "view out --no-browser");
  ASSERT_TRUE(comes("view.log", "#token=")) << text_of("view.log");
  const int port = this->port("view.log");
  const std::string head = token("view.log");
  // The body of a request that comes without haste.
  const HttpConnection slow(port);
  slow.send("POST /api/command HTTP/1.1\r\nHost: " + own_host(port) + "\r\n" + head +
            "Content-Length: 4000\r\n\r\n");
  const std::jthread sender([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      slow.send(" ");
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  EXPECT_EQ(http_get(port, "/api/session", head).status, 200);
  shell("kill -TERM $(cat view.pid)");
  const auto listens = [&] {
    try {
      return static_cast<void>(HttpConnection(port)), true;
    } catch (const std::runtime_error&) {
      return false;
    }
  };
  for (int i = 0; i < 3000 && listens(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(text_of("view.code"), "");
  shell("kill -TERM $(cat view.pid)");
  ASSERT_TRUE(comes("view.code", "\n"));
  EXPECT_EQ(text_of("view.code"), "143\n") << "as the signal says";
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
}  // namespace pliant::program_test
