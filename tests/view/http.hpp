#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace pliant {

/// What a server says, taken apart.
struct HttpAnswer {
  int status = 0;
  std::string head, body;
};

/// A connection to 127.0.0.1.
class HttpConnection {
 public:
  explicit HttpConnection(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("nobody listens");
  }
  ~HttpConnection() { ::close(socket_); }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void send(const std::string& bytes) const {
    static_cast<void>(!::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
  }

  /// Waits for what comes next, of which this is some.
  std::string receive_some() const {
    char buffer[1 << 16];
    const ssize_t count = ::recv(socket_, buffer, sizeof buffer, 0);
    return {buffer, static_cast<size_t>(std::max<ssize_t>(count, 0))};
  }

  /// Until the other side closes.
  std::string receive_all() const {
    std::string bytes;
    char buffer[1 << 16];
    for (ssize_t count; (count = ::recv(socket_, buffer, sizeof buffer, 0)) > 0;)
      bytes.append(buffer, static_cast<size_t>(count));
    return bytes;
  }

 private:
  int socket_;
};

/// Sends bytes as they are.
inline HttpAnswer send_bytes(int port, const std::string& request) {
  const HttpConnection connection(port);
  connection.send(request);
  const std::string bytes = connection.receive_all();
  const size_t end = std::min(bytes.find("\r\n\r\n"), bytes.size());
  HttpAnswer answer{0, bytes.substr(0, end), bytes.substr(std::min(end + 4, bytes.size()))};
  if (bytes.size() > 12) answer.status = std::atoi(bytes.c_str() + 9);
  return answer;
}

inline std::string own_host(int port) { return "127.0.0.1:" + std::to_string(port); }

/// `more` are lines of the head, each with its end.
inline HttpAnswer http_get(int port, const std::string& path, const std::string& more = "") {
  return send_bytes(port, "GET " + path + " HTTP/1.1\r\nHost: " + own_host(port) + "\r\n" + more +
                              "Connection: close\r\n\r\n");
}

inline HttpAnswer http_post(int port, const std::string& path, const std::string& body,
                            const std::string& more = "") {
  return send_bytes(port, "POST " + path + " HTTP/1.1\r\nHost: " + own_host(port) + "\r\n" + more +
                              "Content-Length: " + std::to_string(body.size()) +
                              "\r\nConnection: close\r\n\r\n" + body);
}

/// The word that a link holds, as a line of the head: what allows to look and to command.
inline std::string token_line(const std::string& link) {
  const std::string open = "#token=";
  return "X-Pliant-Token: " + link.substr(link.find(open) + open.size(), 32) + "\r\n";
}

}  // namespace pliant
