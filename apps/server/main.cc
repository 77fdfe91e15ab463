// Main function of `sosie-server`, which `sosie serve` starts.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <new>
#include <thread>

#include "application.h"
#include "arguments.h"
#include "command.h"
#include "served.h"
#include "signals.h"
#include "sosie/error.h"
#include "streams.h"

namespace sosie::server {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 4;
constexpr std::chrono::milliseconds kLookEvery{50};
constexpr std::chrono::milliseconds kToEnd{4000};  // then work that goes on is cancelled
constexpr std::chrono::milliseconds kToGiveUp{700};

const Verb& serve_verb() {
  const auto verbs = verb_table();
  return *std::find_if(verbs.begin(), verbs.end(),
                       [](const Verb& verb) { return verb.bit == kServe; });
}

// Each connection needs a descriptor.
void raise_descriptor_limit() noexcept {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Finishes requests within five seconds; everything that was acknowledged is already on disk.
int end(Service& service, HttpServer& http) {
  service.is_ending = true;
  if (http.stop(kToEnd)) return kDone;
  service.cancel = true;
  std::this_thread::sleep_for(kToGiveUp);
  ::_exit(kDone);
}

Logged logged_by(const Options& options) {
  const auto told = std::find_if(options.given.begin(), options.given.end(),
                                 [](const auto& given) { return given.first == "log"; });
  const std::string log = told == options.given.end() ? "auto" : told->second;
  if (options.quiet || log == "off") return Logged::nothing;
  if (log == "json") return Logged::everything;
  return ::isatty(STDERR_FILENO) == 1 ? Logged::failures : Logged::everything;
}

int run(std::span<char* const> arguments) {
  Options options = cli::read_arguments(serve_verb(), arguments);
  if (const char* folder = std::getenv("TMPDIR"); options.scratch.empty() && folder != nullptr) {
    options.scratch = folder;
  }
  raise_descriptor_limit();
  const HttpSettings settings = http_settings(options);
  AdmissionRules rules = admission_rules(options, settings);
  Service service;
  service.options = options;
  open_served(service);
  ServerApplication application(service, std::move(rules), logged_by(options));
  const auto http = listen_at(settings, application);
  service.http = http.get();
  http->start();
  cli::write_result(address_line(settings, http->port()));
  while (!cli::interrupted()) std::this_thread::sleep_for(kLookEvery);
  return end(service, *http);
}

}  // namespace
}  // namespace sosie::server

int main(int argc, char** argv) {
  sosie::cli::reserve_standard_streams();
  sosie::cli::handle_signals();
  try {
    return sosie::server::run({argv + 1, argv + std::max(1, argc)});
  } catch (const sosie::Error& error) {
    return sosie::cli::report_error(error);
  } catch (const std::bad_alloc&) {
    sosie::cli::write_message("sosie: out of memory\n");
  } catch (const std::exception& error) {
    sosie::cli::write_message("sosie: internal error: " + std::string(error.what()) + "\n");
  } catch (...) {
    return sosie::server::kDone;  // the reader of standard output has gone
  }
  return sosie::server::kFailed;
}
