// What is told apart here is who asks: requests for other hosts or from pages of other origins are refused
// before anything is looked up, so that a page elsewhere cannot reach in by a name that leads to this
// machine.

#include "pliant/view/server.hpp"

#include <httplib.h>
#include <sys/random.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "pliant/base/error.hpp"
#include "pliant/base/text.hpp"
#include "pliant/view/page.hpp"
#include "pliant/view/session.hpp"

namespace pliant {

namespace {

using HttpRequest = httplib::Request;
using HttpResponse = httplib::Response;
using Handled = httplib::Server::HandlerResponse;
using Clock = std::chrono::steady_clock;

constexpr const char* kLoopback = "127.0.0.1";
constexpr size_t kMostBytesOfCommand = 4096;
constexpr size_t kThreads = 24;        // one a connection; a browser keeps six
constexpr size_t kRequests = 100'000;  // of a connection

std::string random_word() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw IoError("this machine gives no random numbers");
  std::string word;
  for (const unsigned char byte : bytes) word += format("{:02x}", byte);
  return word;
}

/// Takes as long whatever the first difference.
bool equal_in_full(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

/// The page with a word on each of its scripts, the only ones that the browser is told to run.
std::string page_with_nonce(std::string_view page, const std::string& nonce) {
  constexpr std::string_view kOpen = "<script", kClose = "</script";
  std::string result;
  while (true) {
    const size_t at = page.find(kOpen);
    if (at == std::string_view::npos) return result.append(page);
    result.append(page.substr(0, at + kOpen.size())).append(format(" nonce=\"{}\"", nonce));
    page.remove_prefix(at + kOpen.size());
    const size_t end = std::min(page.find(kClose), page.size());
    result.append(page.substr(0, end));
    page.remove_prefix(end);
  }
}

httplib::Headers headers_for(const std::string& nonce) {
  return {
      {"Content-Security-Policy",
       format("default-src 'none'; script-src 'nonce-{}'; style-src 'unsafe-inline'; img-src data: blob:; "
              "media-src blob:; worker-src blob:; connect-src 'self'; base-uri 'none'; form-action "
              "'none'; frame-ancestors 'none'",
              nonce)},
      {"X-Content-Type-Options", "nosniff"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"}};
}

/// Of a length that is known, the library sends a body as it is instead of compressing it, which takes
/// longer than to send it through the loopback. A range that somebody asks for may lie outside of the body:
/// the library does not look. Where the last is said, the connection ends after it, which it does when a body
/// could not be sent.
void send(Reply reply, HttpResponse& response, bool is_last = false) {
  response.status = reply.status;
  if (reply.status == 503) response.set_header("Retry-After", "1");
  if (is_last) response.set_header("Connection", "close");
  const auto body = std::make_shared<const std::string>(std::move(reply.body));
  response.set_content_provider(body->size(), reply.type,
                                [body, is_last](size_t offset, size_t length, httplib::DataSink& sink) {
                                  if (offset > body->size() || length > body->size() - offset) return false;
                                  return sink.write(body->data() + offset, length) && !is_last;
                                });
}

/// Of a request that is refused the library reads no body, and would take what is in it for the next request,
/// one without the head that a browser has put before this one.
void refuse(int status, const std::string& why, HttpResponse& response) {
  send(Reply::complaint(status, why), response, true);
}

bool has_body(const HttpRequest& request) {
  return request.has_header("Transfer-Encoding") ||
         (request.has_header("Content-Length") && request.get_header_value("Content-Length") != "0");
}

}  // namespace

struct LabServer::Parts {
  httplib::Server http;
  int port = 0;
  std::string token = random_word(), key = random_word(), nonce = random_word();
  LabSession session{key};
  std::string page = page_with_nonce(viewer_page(), nonce);
  std::atomic<int> pages = 0;
  std::atomic<Clock::rep> last_request = -1;
  std::thread listener;

  bool is_ours(const std::string& host) const {
    return host == format("{}:{}", kLoopback, port) || host == format("localhost:{}", port);
  }

  /// Whether a request was meant for this server, by a page of it or by a person.
  bool is_meant_for_us(const HttpRequest& request) const {
    if (request.get_header_value_count("Host") != 1 || !is_ours(request.get_header_value("Host")))
      return false;
    if (!request.has_header("Origin")) return true;
    const std::string origin = request.get_header_value("Origin");
    constexpr std::string_view kScheme = "http://";
    return origin.starts_with(kScheme) && is_ours(origin.substr(kScheme.size()));
  }

  Handled route(const HttpRequest& request, HttpResponse& response) {
    if (!is_meant_for_us(request)) {
      refuse(421, "this server answers only to its own address; use the link it printed", response);
      return Handled::Handled;
    }
    if (request.method != "POST" && has_body(request)) {
      refuse(400, "only commands have a body", response);
      return Handled::Handled;
    }
    if (request.path == "/" && request.method == "GET") {  // the same for all runs
      send({200, "text/html; charset=utf-8", page}, response);
      return Handled::Handled;
    }
    if (!may_look(request)) {
      refuse(403, "this address alone shows nothing; open the link that the program printed", response);
      return Handled::Handled;
    }
    last_request = Clock::now().time_since_epoch().count();
    if (request.method != "GET") return Handled::Unhandled;
    // A page asks for it once, when it is opened.
    if (request.path == "/api/session") ++pages;
    send(session.get(request.path, request.has_param("from") ? request.get_param_value("from") : ""),
         response);
    return Handled::Handled;
  }

  bool may_command(const HttpRequest& request) const {
    return equal_in_full(request.get_header_value("X-Pliant-Token"), token);
  }
  bool may_look(const HttpRequest& request) const {
    return may_command(request) || equal_in_full(request.get_header_value("X-Pliant-Key"), key);
  }

  void take_command(const HttpRequest& request, HttpResponse& response) {
    if (!may_command(request))
      return send(Reply::complaint(403, "commands need the token of the link that the program printed"),
                  response);
    send(session.command(request.body), response);
  }

  void set_up() {
    http.set_default_headers(headers_for(nonce));
    http.set_keep_alive_max_count(kRequests);
    http.set_keep_alive_timeout(1);  // s; what is idle is waited for at the end
    http.set_read_timeout(2);
    http.set_tcp_nodelay(true);
    http.set_payload_max_length(kMostBytesOfCommand);
    http.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    // The library would share the port with other programs that ask for it.
    http.set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    http.set_pre_routing_handler(
        [this](const HttpRequest& request, HttpResponse& response) { return route(request, response); });
    http.Post("/api/command", [this](const HttpRequest& request, HttpResponse& response) {
      take_command(request, response);
    });
    http.Post("/api/left", [this](const HttpRequest&, HttpResponse& response) {
      // Anybody who may look can say so more often than pages were opened.
      for (int open = pages; open > 0 && !pages.compare_exchange_weak(open, open - 1);) continue;
      send({200, "application/json", "{}"}, response);
    });
    http.set_error_handler([](const HttpRequest&, HttpResponse& response) {
      // Of these, too, it is not known how much of them was read.
      if (response.body.empty() && response.content_length_ == 0)
        refuse(response.status, "this request is not understood", response);
    });
  }
};

LabServer::LabServer(int port) : parts_(std::make_unique<Parts>()) {
  parts_->set_up();
  if (port == 0)
    parts_->port = parts_->http.bind_to_any_port(kLoopback);
  else if (parts_->http.bind_to_port(kLoopback, port))
    parts_->port = port;
  if (parts_->port <= 0)
    throw InputError(
        format("port {} of 127.0.0.1 cannot be used: another program has it, or it needs rights; "
               "choose another with --port, or none to take any that is free",
               port));
}

LabServer::~LabServer() {
  if (!parts_->listener.joinable()) return;
  parts_->http.stop();
  parts_->listener.join();
}

std::optional<std::string> LabServer::add(const std::filesystem::path& folder, LiveRun* live) {
  return parts_->session.add(folder, live);
}

void LabServer::start() {
  parts_->listener = std::thread([this] { parts_->http.listen_after_bind(); });
  while (!parts_->http.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

int LabServer::port() const { return parts_->port; }

std::string LabServer::link() const {
  return format("http://{}:{}/#token={}", kLoopback, parts_->port, parts_->token);
}

Visits LabServer::visits() const {
  Visits visits{.pages = parts_->pages};
  const Clock::rep last = parts_->last_request;
  if (last >= 0)
    visits.since_request =
        std::chrono::duration<double>(Clock::now().time_since_epoch() - Clock::duration(last)).count();
  return visits;
}

}  // namespace pliant
