// The HTTP server: listens, enforces time limits on connections, and stops.
#include "http.h"

#include <stdexcept>
#include <thread>

#include "http_session.h"

namespace sosie::server {
namespace {

constexpr std::uint64_t kRefusedAtOnce = 64;  // connections over the limit that still get a 503
constexpr std::chrono::milliseconds kSweepEvery{50};

}  // namespace

class HttpServer::Core : public std::enable_shared_from_this<Core> {
 public:
  Core(const HttpSettings& settings, Application& application)
      : all_(std::make_shared<Connections>(settings, application)),
        io_(static_cast<int>(settings.threads)),
        acceptor_(io_),
        retry_(io_),
        sweep_(io_) {
    const tcp::endpoint endpoint(asio::ip::make_address(settings.address), settings.port);
    try {
      acceptor_.open(endpoint.protocol());
      acceptor_.set_option(tcp::acceptor::reuse_address(true));
      acceptor_.bind(endpoint);
      acceptor_.listen(asio::socket_base::max_listen_connections);
    } catch (const boost::system::system_error& failed) {
      // what() would also contain the place in Boost that threw it.
      throw std::runtime_error(failed.code().message());
    }
  }

  void start() {
    accept();
    sweep();
    for (unsigned i = 0; i < all_->settings.threads; ++i) {
      threads_.emplace_back([this] { io_.run(); });
    }
  }

  bool stop(std::chrono::milliseconds within) {
    const auto end = Clock::now() + within;
    all_->is_stopping = true;
    asio::post(io_, [self = shared_from_this()] {
      error_code none;
      self->acceptor_.close(none);
      self->retry_.cancel();
    });
    for (const auto& session : all_->sessions()) session->end();
    while (all_->busy > 0 && Clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    const bool all = all_->busy == 0;
    io_.stop();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    if (all) let_go();
    return all;
  }

  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  [[nodiscard]] HttpCounts counts() const { return {all_->open.load(), all_->waiting.load()}; }

 private:
  void accept() {
    acceptor_.async_accept(asio::make_strand(io_),
                           [self = shared_from_this()](error_code error, tcp::socket socket) {
                             if (self->all_->is_stopping) return;
                             if (error)
                               return self->accept_later();  // no descriptor is free, for example
                             self->take(std::move(socket));
                             self->accept();
                           });
  }

  void accept_later() {
    retry_.expires_after(kSweepEvery);
    retry_.async_wait([self = shared_from_this()](error_code stopped) {
      if (!stopped) self->accept();
    });
  }

  void take(tcp::socket socket) {
    const std::uint64_t most = all_->settings.max_connections;
    const std::uint64_t open = all_->open;
    if (open >= most + kRefusedAtOnce) return;
    const auto session = std::make_shared<Session>(std::move(socket), all_, open >= most);
    all_->add(session);
    session->start();
  }

  void sweep() {
    sweep_.expires_after(kSweepEvery);
    sweep_.async_wait([self = shared_from_this()](error_code stopped) {
      if (stopped || self->has_ended_) return;  // it may be due when it is cancelled
      const auto now = Clock::now();
      for (const auto& session : self->all_->sessions()) session->inspect_clock(now);
      self->sweep();
    });
  }

  // Frees what handlers own, after the last thread has ended.
  void let_go() {
    all_->work.join();
    has_ended_ = true;
    for (const auto& session : all_->sessions()) session->abandon();
    sweep_.cancel();
    io_.restart();
    io_.poll();
  }

  std::shared_ptr<Connections> all_;
  asio::io_context io_;
  tcp::acceptor acceptor_;
  asio::steady_timer retry_;
  asio::steady_timer sweep_;
  std::vector<std::thread> threads_;
  bool has_ended_ = false;
};

HttpServer::HttpServer(const HttpSettings& settings, Application& application)
    : core_(std::make_shared<Core>(settings, application)) {}
HttpServer::~HttpServer() = default;
std::uint16_t HttpServer::port() const { return core_->port(); }
HttpCounts HttpServer::counts() const { return core_->counts(); }
void HttpServer::start() { core_->start(); }
bool HttpServer::stop(std::chrono::milliseconds within) { return core_->stop(within); }

}  // namespace sosie::server
