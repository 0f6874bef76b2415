#include "pliant/view/server.hpp"

#include <cmath>

#include "errors.hpp"
#include "http.hpp"
#include "pliant/base/error.hpp"
#include "pliant/view/container.hpp"
#include "pliant/view/page.hpp"
#include "runs.hpp"

namespace pliant::server_test {
namespace {

namespace fs = std::filesystem;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    run_fake(folder_ / "out", 3);
    EXPECT_EQ(server_.add(folder_ / "out"), std::nullopt);
    server_.start();
  }

  std::string token() const { return token_line(server_.link()); }

  HttpAnswer get(const std::string& path, const std::string& more = "") const {
    return http_get(server_.port(), path, token() + more);
  }

  /// With a head of our own.
  HttpAnswer get_as(const std::string& head) const {
    return send_bytes(server_.port(),
                      "GET /api/session HTTP/1.1\r\n" + head + token() + "Connection: close\r\n\r\n");
  }

  TemporaryFolder folder_;
  LabServer server_;
};

TEST_F(ServerTest, SendsThePage) {
  const HttpAnswer answer = get("/");
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(holds(answer.head, "text/html"));
  EXPECT_TRUE(holds(answer.body, std::string(kDataMarker)));
}

TEST_F(ServerTest, SendsSafeHeadersWithEverything) {
  for (const char* path : {"/", "/api/session", "/api/runs/0/mesh", "/nothing"}) {
    const std::string head = get(path).head;
    for (const char* line : {"Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff",
                             "Cache-Control: no-store"})
      EXPECT_TRUE(holds(head, line)) << path << "\n" << head;
  }
}

TEST_F(ServerTest, SaysWhatThereIs) {
  const HttpAnswer answer = get("/api/session");
  EXPECT_EQ(answer.status, 200);
  for (const char* part :
       {R"("live":false)", R"("name":"Fake")", R"("frames":4)", R"("name":"two")",
        R"("name":"ball","unbounded":false)", R"(["time.scheme","fake"])", R"("errors":[])"})
    EXPECT_TRUE(holds(answer.body, part)) << part << "\n" << answer.body;
  const std::string status = get("/api/status").body;
  EXPECT_TRUE(holds(status, R"("id":0,"generation":0,"summary":")")) << status;
  EXPECT_TRUE(holds(status, R"("frames":4,"steps":6,"state":"recorded","message":""})")) << status;
  EXPECT_TRUE(get("/api/runs/0/head").body.starts_with(R"({"id":0,"generation":0,"name":"Fake")"));
}

TEST_F(ServerTest, SendsContainers) {
  for (const char* path :
       {"mesh", "frames/0", "frames/3", "fields/displacement/2", "fields/speed/0", "fields/stretch/1",
        "fields/inverted/3", "steps?from=0", "steps?from=4", "steps"}) {
    const HttpAnswer answer = get(std::string("/api/runs/0/") + path);
    EXPECT_EQ(answer.status, 200) << path;
    EXPECT_NO_THROW(ContainerReader(answer.body, path)) << path;
  }
}

TEST_F(ServerTest, AnswersOnlyToItsOwnName) {
  const std::string port = std::to_string(server_.port());
  for (const std::string& host : {"127.0.0.1:" + port, "localhost:" + port})
    EXPECT_EQ(get_as("Host: " + host + "\r\n").status, 200) << host;
  for (const std::string& host :
       {std::string("evil.example"), "evil.example:" + port, std::string("127.0.0.1"), "127.0.0.1:1" + port,
        std::string(""), "127.0.0.1:" + port + ".evil.example"})
    EXPECT_EQ(get_as("Host: " + host + "\r\n").status, 421) << host;
  EXPECT_EQ(get_as("").status, 421);
  EXPECT_EQ(get_as("Host: 127.0.0.1:" + port + "\r\nHost: evil.example\r\n").status, 421);
}

TEST_F(ServerTest, AnswersNoPageOfAnotherOrigin) {
  const std::string port = std::to_string(server_.port());
  EXPECT_EQ(get("/api/session", "Origin: http://127.0.0.1:" + port + "\r\n").status, 200);
  for (const std::string& origin : {std::string("http://evil.example"), std::string("null"),
                                    "https://127.0.0.1:" + port, std::string("http://127.0.0.1:1")})
    EXPECT_EQ(get("/api/session", "Origin: " + origin + "\r\n").status, 421) << origin;
}

/// What a server says until it ends the connection by itself; `then` follows when it has begun to answer.
std::string conversation(int port, const std::string& first, const std::string& then) {
  const HttpConnection connection(port);
  connection.send(first);
  const std::string begin = connection.receive_some();
  connection.send(then);
  return begin + connection.receive_all();
}

size_t count_answers(const std::string& said) {
  size_t count = 0;
  for (size_t at = said.find("HTTP/1.1 "); at != std::string::npos; at = said.find("HTTP/1.1 ", at + 1))
    ++count;
  return count;
}

TEST_F(ServerTest, TakesNoBodyOfARefusedRequestForARequest) {
  const int port = server_.port();
  const std::string host = "Host: " + own_host(port) + "\r\n";
  const std::string inner = "GET /api/session HTTP/1.1\r\n" + host + token() + "\r\n";
  const std::string length = "Content-Length: " + std::to_string(inner.size()) + "\r\n";
  const auto request = [&](const std::string& line, const std::string& lines) {
    return line + " HTTP/1.1\r\n" + lines + length + "\r\n";
  };
  for (const std::string& outer :
       {request("POST /api/command", "Host: evil.example\r\n"),
        request("POST /api/command", host + "Origin: http://evil.example\r\n"),
        request("POST /api/command", host), request("GET /", host),
        request("GET /api/session", host + token()), request("OPTIONS /api/session", host + token()),
        request("POST /api/command", host + token() + "Range: bytes=x\r\n"),
        request("POST /" + std::string(9000, 'a'), host + token()), request("NONSENSE /", host + token())}) {
    const std::string said = conversation(port, outer, inner);
    EXPECT_EQ(count_answers(said), 1U) << outer.substr(0, 80) << "\n" << said;
    EXPECT_FALSE(holds(said, "Fake")) << outer.substr(0, 80) << "\n" << said;
  }
  EXPECT_EQ(count_answers(conversation(port, inner, inner)), 2U) << "one connection carries many requests";
}

TEST_F(ServerTest, SendsNothingBesideWhatItSays) {
  for (const char* range : {"0-100000", "50-100000", "100000-", "100000-200000", "0-0,0-100000", "-100000"})
    for (const std::string& line : {std::string(), token()})
      for (const char* path : {"/", "/api/session", "/api/runs/0/mesh", "/api/runs/0/nothing"}) {
        const std::string head = line + "Range: bytes=" + range + "\r\n";
        const HttpAnswer answer = http_get(server_.port(), path, head);
        const std::string whole = http_get(server_.port(), path, line).body;
        EXPECT_LE(answer.body.size(), whole.size() + 1000) << path << " " << range;
      }
}

TEST_F(ServerTest, ShowsNothingWithoutTheWordOfItsLink) {
  const int port = server_.port();
  EXPECT_EQ(http_get(port, "/").status, 200) << "which is the same whatever runs there are";
  for (const char* path : {"/api/session", "/api/status", "/api/runs/0/mesh", "/api/runs/0/frames/0", "/no"})
    for (const std::string& line : {std::string(), std::string("X-Pliant-Token: \r\n"),
                                    "X-Pliant-Token: " + std::string(32, '0') + "\r\n",
                                    "X-Pliant-Key: " + std::string(32, '0') + "\r\n"}) {
      const HttpAnswer answer = http_get(port, path, line);
      EXPECT_EQ(answer.status, 403) << path << line;
      EXPECT_FALSE(holds(answer.body, "Fake")) << answer.body;
    }
}

TEST_F(ServerTest, TheKeyAllowsToLookAndNoMore) {
  const std::string session = get("/api/session").body;
  const size_t key = session.find(R"("key":")");
  ASSERT_NE(key, std::string::npos) << session;
  const std::string line = "X-Pliant-Key: " + session.substr(key + 7, 32) + "\r\n";
  EXPECT_EQ(http_get(server_.port(), "/api/runs/0/mesh", line).status, 200);
  EXPECT_EQ(http_post(server_.port(), "/api/command", R"({"run":0,"command":"stop"})", line).status, 403);
}

TEST_F(ServerTest, CountsThePagesThatAreOpen) {
  EXPECT_TRUE(std::isinf(server_.visits().since_request));
  http_get(server_.port(), "/api/session");
  EXPECT_TRUE(std::isinf(server_.visits().since_request)) << "who is refused does not count";
  get("/api/session");
  get("/api/session");
  get("/api/status");
  EXPECT_EQ(server_.visits().pages, 2);
  EXPECT_LT(server_.visits().since_request, 60);
  EXPECT_EQ(http_post(server_.port(), "/api/left", "").status, 403);
  EXPECT_EQ(http_post(server_.port(), "/api/left", "", token()).status, 200);
  EXPECT_EQ(server_.visits().pages, 1);
}

TEST_F(ServerTest, ServesNothingButTheRuns) {
  for (const char* path : {"/api/runs/0/../..",
                           "/api/runs/0/frames/../../../etc/passwd",
                           "/etc/passwd",
                           "//etc/passwd",
                           "/api/runs/0/frames/%2e%2e%2f%2e%2e%2fsummary.json",
                           "/api/runs/0/summary.json",
                           "/api/runs/1/mesh",
                           "/api/runs/-1/mesh",
                           "/api/runs/0x0/mesh",
                           "/api/runs/0/frames/4",
                           "/api/runs/0/frames/-1",
                           "/api/runs/0/frames/00000000000000000000001x",
                           "/api/runs/0/frames/",
                           "/api/runs/0/frames",
                           "/api/runs/0/fields/nothing/0",
                           "/api/runs/0/fields/../0",
                           "/api/runs/0/steps?from=-1",
                           "/api/runs/0/mesh/",
                           "/api/runs/0/%00",
                           "/api/runs/99999999999999999999/mesh",
                           "/..",
                           "/api/"}) {
    const HttpAnswer answer = get(path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_TRUE(holds(answer.body, R"({"message":)")) << path << answer.body;
  }
}

TEST_F(ServerTest, TakesNoOtherMethods) {
  for (const char* method : {"PUT", "DELETE", "PATCH", "OPTIONS"}) {
    const HttpAnswer answer = send_bytes(
        server_.port(), std::string(method) + " /api/session HTTP/1.1\r\nHost: " + own_host(server_.port()) +
                            "\r\n" + token() + "Content-Length: 0\r\nConnection: close\r\n\r\n");
    EXPECT_GE(answer.status, 400) << method;
  }
}

TEST_F(ServerTest, SurvivesWhatIsNotHttp) {
  for (const std::string& bytes :
       {std::string("\r\n\r\n"), std::string("hello\r\n\r\n"), std::string(20'000, 'A'),
        std::string("GET ") + std::string(20'000, '/') + " HTTP/1.1\r\n\r\n",
        std::string("GET / HTTP/9.9\r\n\r\n"), std::string(100, '\0')}) {
    const HttpConnection connection(server_.port());
    connection.send(bytes);
  }
  EXPECT_EQ(get("/api/session").status, 200);
}

TEST_F(ServerTest, GivesAMessageForADamagedFrame) {
  fs::resize_file(frame_path(folder_ / "out", 1), 100);
  const HttpAnswer answer = get("/api/runs/0/frames/1");
  EXPECT_EQ(answer.status, 422);
  EXPECT_TRUE(holds(answer.body, "cut off")) << answer.body;
  EXPECT_EQ(get("/api/runs/0/frames/2").status, 200);
}

TEST_F(ServerTest, GivesAMessageForAFrameThatLeadsOut) {
  fs::rename(frame_path(folder_ / "out", 1), folder_ / "elsewhere.npy");
  fs::create_symlink(folder_ / "elsewhere.npy", frame_path(folder_ / "out", 1));
  const HttpAnswer answer = get("/api/runs/0/frames/1");
  EXPECT_EQ(answer.status, 422);
  EXPECT_TRUE(holds(answer.body, "leads out of the run folder")) << answer.body;
}

TEST_F(ServerTest, TakesCommandsOnlyWithItsToken) {
  const std::string body = R"({"run":0,"command":"stop"})";
  const int port = server_.port();
  EXPECT_EQ(http_post(port, "/api/command", body).status, 403);
  EXPECT_EQ(http_post(port, "/api/command", body, "X-Pliant-Token: \r\n").status, 403);
  EXPECT_EQ(http_post(port, "/api/command", body, "X-Pliant-Token: " + std::string(32, '0') + "\r\n").status,
            403);
  const std::string token = this->token();
  EXPECT_EQ(http_post(port, "/api/command", body, token).status, 409) << "nothing computes here";
  EXPECT_EQ(http_post(port, "/api/command", "stop", token).status, 400);
  EXPECT_EQ(http_post(port, "/api/command", R"({"run":"0","command":7})", token).status, 400);
  EXPECT_EQ(http_post(port, "/api/command", R"({"run":3,"command":"stop"})", token).status, 404);
  EXPECT_EQ(http_post(port, "/api/command", body, token + "Origin: http://evil.example\r\n").status, 421);
  EXPECT_GE(http_post(port, "/api/command", std::string(100'000, ' '), token).status, 400);
}

TEST_F(ServerTest, TokensDiffer) { EXPECT_NE(token(), token_line(LabServer().link())); }

TEST_F(ServerTest, SaysThatAPortIsInUse) {
  try {
    const LabServer second(server_.port());
    FAIL() << "two servers at one port";
  } catch (const InputError& error) {
    EXPECT_TRUE(holds(error.what(), std::to_string(server_.port()))) << error.what();
  }
}

TEST(LabServer, RefusesWhatIsNoRun) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "empty");
  LabServer server;
  EXPECT_ERROR(InputError, "there is no such run folder", server.add(folder / "nowhere"));
  EXPECT_ERROR(InputError, "this is not a run folder", server.add(folder / "empty"));
}

TEST(LabServer, ShowsADamagedRunAsSuchBesideOthers) {
  const TemporaryFolder folder;
  run_fake(folder / "good", 1);
  run_fake(folder / "bad", 1);
  write_file_atomically(folder / "bad/bodies/two.vtu", "<VTKFile");
  LabServer server;
  EXPECT_TRUE(server.add(folder / "bad"));
  EXPECT_FALSE(server.add(folder / "good"));
  server.start();
  const std::string token = token_line(server.link());
  const std::string session = http_get(server.port(), "/api/session", token).body;
  EXPECT_TRUE(holds(session, R"("errors":[{"folder":)")) << session;
  EXPECT_TRUE(holds(session, "two.vtu")) << session;
  EXPECT_EQ(http_get(server.port(), "/api/runs/0/mesh", token).status, 200);
  EXPECT_EQ(http_get(server.port(), "/api/runs/1/mesh", token).status, 404);
}

TEST(LabServer, ShowsOthersWhereOneIsDamagedLater) {
  const TemporaryFolder folder;
  run_fake(folder / "good", 1);
  run_fake(folder / "bad", 1);
  LabServer server;
  EXPECT_FALSE(server.add(folder / "bad"));
  EXPECT_FALSE(server.add(folder / "good"));
  server.start();
  const std::string token = token_line(server.link());
  fs::remove_all(folder / "bad/frames");
  fs::create_symlink("frames", folder / "bad/frames");  // leads to itself
  fs::remove(folder / "bad/summary.json");
  fs::create_symlink("summary.json", folder / "bad/summary.json");
  for (const char* path : {"/api/session", "/api/status"}) {
    const HttpAnswer answer = http_get(server.port(), path, token);
    EXPECT_EQ(answer.status, 200) << path << answer.body;
    EXPECT_TRUE(holds(answer.body, R"("id":1)")) << answer.body;
  }
}

}  // namespace
}  // namespace pliant::server_test
