#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// HTTP/1.1 without any names from a library: only http.cc includes Boost.Beast.
namespace sosie::server {

// Part of a request that is known before its body.
struct RequestHead {
  std::string id;                  // by which logs and answers name it
  std::string method;              // "POST"
  std::string path;                // unchanged, without the query
  std::string query;               // behind '?'
  std::vector<std::string> hosts;  // values of the header Host
  std::optional<std::string> origin;
  std::string authorization;
  std::string content_type;
  std::string accept;
  std::string local_address;  // address that the connection came in at
  std::string preflight;      // Access-Control-Request-Method
};

struct Route;  // routes.h

struct Request {
  RequestHead head = {};
  std::string body = {};
  const Route* route = nullptr;  // the row of the table that answers, set before it does
  // Values of the {names} in the route's path.
  std::vector<std::string> parameters = {};
};

struct Response {
  int status = 200;
  std::string body = {};
  std::string type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// An answered request, for logs and counts. It contains nothing from the body.
struct Exchange {
  std::string id;
  std::string method;
  std::string path;  // empty: the request was refused before it was known
  std::string peer;
  int status = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::chrono::microseconds took{};
};

// The program that produces the server's responses. All functions are called concurrently by many
// threads and must not throw.
class Application {
 public:
  Application() = default;
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;
  virtual ~Application() = default;

  // The response to a request that should not be read further; empty if it should be read.
  [[nodiscard]] virtual std::optional<Response> refuse(const RequestHead& head) const = 0;
  // True for a request that can be answered in well under a millisecond, concurrently with others.
  [[nodiscard]] virtual bool is_quick(const Request& request) const = 0;
  [[nodiscard]] virtual Response answer(Request& request) = 0;
  // A response for a status that does not involve the application: 400, 408, 413, ...
  [[nodiscard]] virtual Response error(int status, std::string_view reason) const = 0;
  virtual void note(const Exchange& exchange) noexcept = 0;
};

struct HttpSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any that is free
  unsigned threads = 1;    // for I/O and quick answers; the same number for slow answers
  std::uint64_t max_body_bytes = std::uint64_t{8} << 20;
  std::chrono::seconds timeout{30};
  std::uint64_t max_connections = 1200;
  std::uint64_t max_waiting = 64;  // requests that wait for a thread; more get 429
};

struct HttpCounts {
  std::uint64_t connections = 0;
  std::uint64_t waiting = 0;
};

// A listening server. An idle connection does not occupy a thread.
class HttpServer {
 public:
  // Throws std::runtime_error with the reason if the server cannot listen on the address.
  HttpServer(const HttpSettings& settings, Application& application);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] HttpCounts counts() const;
  void start();
  // Closes idle and incomplete connections immediately, and returns when all other requests have
  // been answered or when `within` has elapsed. Returns true if all were answered.
  bool stop(std::chrono::milliseconds within);

 private:
  class Core;
  std::shared_ptr<Core> core_;
};

}  // namespace sosie::server
