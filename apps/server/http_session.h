#pragma once

#include <array>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <limits>
#include <mutex>
#include <unordered_map>

#include "http.h"
#include "http_text.h"

// A connection. Only http.cc includes this file, because its libraries take half a minute to
// compile.
namespace sosie::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kHeaderBytes = 16 << 10;
constexpr std::size_t kBufferBytes = 64 << 10;
constexpr std::uint64_t kMostDrained = 64 << 20;
constexpr std::chrono::seconds kDrainTime{2};

inline std::string_view text_of(boost::string_view text) { return {text.data(), text.size()}; }

inline int status_of(error_code error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) return 431;
  if (error == http::error::body_limit) return 413;
  if (error == http::error::bad_version) return 505;
  return 400;
}

class Session;

// State shared by all connections.
class Connections {
 public:
  Connections(const HttpSettings& asked, Application& answers)
      : settings(asked), application(answers), work(std::max(1U, asked.threads)) {}

  void add(const std::shared_ptr<Session>& session) {
    const std::lock_guard lock(mutex_);
    sessions_.emplace(session.get(), session);
  }
  void remove(const Session* session) noexcept {
    const std::lock_guard lock(mutex_);
    sessions_.erase(session);
  }
  [[nodiscard]] std::vector<std::shared_ptr<Session>> sessions() {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Session>> all;
    all.reserve(sessions_.size());
    for (const auto& [key, weak] : sessions_) {
      if (auto session = weak.lock()) all.push_back(std::move(session));
    }
    return all;
  }

  const HttpSettings settings;
  Application& application;
  asio::thread_pool work;  // gives the answers that are not quick
  std::atomic<std::uint64_t> open{0};
  std::atomic<std::uint64_t> waiting{0};
  std::atomic<std::uint64_t> busy{0};  // requests being answered
  std::atomic<bool> is_stopping{false};

 private:
  std::mutex mutex_;
  std::unordered_map<const Session*, std::weak_ptr<Session>> sessions_;
};

// One connection; its handlers run one after another, on its strand.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, std::shared_ptr<Connections> all, bool is_refused)
      : socket_(std::move(socket)),
        all_(std::move(all)),
        buffer_(kBufferBytes),
        is_refused_(is_refused) {
    error_code none;
    const tcp::endpoint peer = socket_.remote_endpoint(none);
    peer_ = peer.address().to_string();
    const tcp::endpoint local = socket_.local_endpoint(none);
    local_ = local.address().to_string();
    socket_.set_option(tcp::no_delay(true), none);
    ++all_->open;
  }
  ~Session() {
    set_busy(false);
    all_->remove(this);
    --all_->open;
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start() {
    asio::dispatch(socket_.get_executor(), [self = shared_from_this()] { self->wait(); });
  }

  // Called from time to time, by another thread.
  void inspect_clock(Clock::time_point now) {
    if (now.time_since_epoch().count() < deadline_.load()) return;
    asio::post(socket_.get_executor(), [self = shared_from_this()] { self->expire(); });
  }

  void end() {
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
      if (self->phase_ == Phase::answering) return;  // the last one
      self->close();
    });
  }

  // Called when no threads are left.
  void abandon() { close(); }

 private:
  enum class Phase { idle, reading, answering, draining };

  // True while a request is being answered; stop() waits for it.
  void set_busy(bool is_busy) {
    if (is_busy && !is_busy_) ++all_->busy;
    if (!is_busy && is_busy_) --all_->busy;
    is_busy_ = is_busy;
  }

  void set_deadline(std::chrono::milliseconds time) {
    deadline_ = (Clock::now() + time).time_since_epoch().count();
  }

  // Waits for a request without holding a buffer.
  void wait() {
    if (all_->is_stopping) return close();
    phase_ = Phase::idle;
    set_deadline(all_->settings.timeout);
    if (buffer_.size() > 0) return read_head();
    socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code error) {
      if (!error) self->read_head();
    });
  }

  void read_head() {
    phase_ = Phase::reading;
    began_ = Clock::now();
    head_ = RequestHead{};
    set_deadline(all_->settings.timeout);
    parser_.emplace();
    parser_->header_limit(kHeaderBytes);
    parser_->body_limit(all_->settings.max_body_bytes);
    http::async_read_header(socket_, buffer_, *parser_,
                            [self = shared_from_this()](error_code error, std::size_t /*bytes*/) {
                              self->take_head(error);
                            });
  }

  // True if this error ends the request; it is then answered, or not worth an answer.
  bool ends_with(error_code error) {
    if (!error) return false;
    if (is_expired_) {
      refuse(408, "the request did not arrive in time");
    } else if (error == http::error::partial_message) {
      refuse(400, "the request is cut off");
    } else if (error == http::error::end_of_stream || error == asio::error::operation_aborted ||
               error.category() != make_error_code(http::error::bad_method).category()) {
      close();
    } else {
      refuse(status_of(error), error.message());
    }
    return true;
  }

  void take_head(error_code error) {
    if (ends_with(error)) return;
    const auto& message = parser_->get();
    read_fields(message);
    const char* const fault = framing_fault(framing_of(message));
    if (fault != nullptr) return refuse(400, fault);
    if (is_refused_) return refuse(503, "too many connections");
    if (auto refused = all_->application.refuse(head_)) {
      const bool has_body = !parser_->is_done();
      const bool may_go_on = !has_body && refused->status != 421 && parser_->keep_alive();
      return write(*refused, may_go_on);
    }
    const auto expected = message.find(http::field::expect);
    if (expected == message.end()) return read_body();
    if (!beast::iequals(expected->value(), "100-continue")) {
      return refuse(417, "Expect: only 100-continue is supported");
    }
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    asio::async_write(socket_, asio::buffer(kContinue),
                      [self = shared_from_this()](error_code failed, std::size_t /*bytes*/) {
                        if (!self->ends_with(failed)) self->read_body();
                      });
  }

  void read_fields(const http::request<http::string_body>& message) {
    head_.id = request_id(text_of(message["X-Request-Id"]));
    head_.method = std::string(message.method_string());
    const std::string target(message.target());
    const std::size_t mark = target.find('?');
    head_.path = target.substr(0, mark);
    if (mark != std::string::npos) head_.query = target.substr(mark + 1);
    for (const auto& field : message) {
      const std::string value(field.value());
      if (field.name() == http::field::host) head_.hosts.push_back(value);
      if (field.name() == http::field::origin) head_.origin = value;
      if (field.name() == http::field::authorization) head_.authorization = value;
      if (field.name() == http::field::content_type) head_.content_type = value;
      if (field.name() == http::field::accept) head_.accept = value;
      if (field.name() == http::field::access_control_request_method) head_.preflight = value;
    }
    head_.local_address = local_;
  }

  [[nodiscard]] Framing framing_of(const http::request<http::string_body>& message) const {
    return {message.version() < 11, parser_->chunked(),
            message.count(http::field::transfer_encoding),
            message.count(http::field::content_length), head_.hosts.size()};
  }

  void read_body() {
    if (parser_->is_done()) return answer();
    http::async_read(socket_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t /*bytes*/) {
                       if (!self->ends_with(error)) self->answer();
                     });
  }

  void answer() {
    phase_ = Phase::answering;
    set_busy(true);
    set_deadline(std::chrono::hours(24));
    request_ = Request{head_, std::move(parser_->get().body())};
    bytes_in_ = request_.body.size();
    if (all_->application.is_quick(request_)) {
      return write(all_->application.answer(request_), parser_->keep_alive());
    }
    if (all_->waiting.fetch_add(1) >= all_->settings.max_waiting) {
      --all_->waiting;
      Response busy = all_->application.error(429, "too many requests are waiting for an answer");
      busy.headers.emplace_back("Retry-After", "1");
      return write(busy, parser_->keep_alive());
    }
    asio::post(all_->work, [self = shared_from_this()] {
      Response response = self->all_->application.answer(self->request_);
      --self->all_->waiting;
      asio::post(self->socket_.get_executor(), [self, response = std::move(response)] {
        self->write(response, self->parser_->keep_alive());
      });
    });
  }

  void refuse(int status, std::string_view reason) {
    Response response = all_->application.error(status, reason);
    if (status == 503) response.headers.emplace_back("Retry-After", "1");
    if (head_.id.empty()) head_.id = request_id({});
    write(response, false);
  }

  void write(const Response& response, bool keeps_alive) {
    phase_ = Phase::answering;
    is_expired_ = false;
    set_deadline(all_->settings.timeout);
    keeps_alive_ = keeps_alive && !all_->is_stopping;
    set_busy(true);
    const auto reason =
        http::obsolete_reason(http::int_to_status(static_cast<unsigned>(response.status)));
    out_ = response_head(response, text_of(reason), head_.id, keeps_alive_);
    if (head_.method != "HEAD") out_ += response.body;
    note(response);
    asio::async_write(socket_, asio::buffer(out_),
                      [self = shared_from_this()](error_code error, std::size_t /*bytes*/) {
                        self->set_busy(false);
                        if (error) return self->close();
                        if (self->keeps_alive_) return self->wait();
                        self->drain();
                      });
  }

  void note(const Response& response) {
    Exchange exchange;
    exchange.id = head_.id;
    exchange.method = head_.method;
    exchange.path = head_.path;
    exchange.peer = peer_;
    exchange.status = response.status;
    exchange.bytes_in = bytes_in_;
    exchange.bytes_out = head_.method == "HEAD" ? 0 : response.body.size();
    exchange.took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began_);
    all_->application.note(exchange);
  }

  // Reads what the client is still sending, because closing first would discard the response.
  void drain() {
    if (phase_ != Phase::draining) {
      phase_ = Phase::draining;
      set_deadline(kDrainTime);
      error_code none;
      socket_.shutdown(tcp::socket::shutdown_send, none);
      buffer_.clear();
    }
    if (all_->is_stopping) return close();
    socket_.async_read_some(buffer_.prepare(kBufferBytes),
                            [self = shared_from_this()](error_code error, std::size_t bytes) {
                              self->drained_ += bytes;
                              const bool enough = self->drained_ > kMostDrained;
                              if (error || enough) return self->close();
                              self->drain();
                            });
  }

  void expire() {
    if (Clock::now().time_since_epoch().count() < deadline_.load() || !socket_.is_open()) return;
    if (phase_ == Phase::reading && !is_expired_) {
      is_expired_ = true;
      set_deadline(kDrainTime);
      socket_.cancel();  // the reading ends, and is answered
      return;
    }
    close();
  }

  void close() {
    error_code none;
    socket_.close(none);
  }

  tcp::socket socket_;
  std::shared_ptr<Connections> all_;
  std::atomic<Clock::rep> deadline_{std::numeric_limits<Clock::rep>::max()};
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  RequestHead head_;
  Request request_;
  std::string out_;
  std::string peer_;
  std::string local_;
  Clock::time_point began_ = Clock::now();
  Phase phase_ = Phase::idle;
  bool is_refused_;
  bool is_expired_ = false;
  bool is_busy_ = false;
  bool keeps_alive_ = false;
  std::uint64_t bytes_in_ = 0;
  std::uint64_t drained_ = 0;
};

}  // namespace sosie::server
