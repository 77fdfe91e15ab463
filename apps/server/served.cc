// Turns the options of `sosie serve` into a service.
#include "served.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <thread>

#include "sosie/error.h"

namespace sosie::server {
namespace {

[[noreturn]] void refuse_address(const std::string& value) {
  throw Error(ErrorKind::invalid_option, RefusedOption{"listen", value},
              "is not an address with a port, such as 127.0.0.1:7860 or [::1]:7860");
}

bool is_address(const std::string& text) {
  std::array<unsigned char, sizeof(struct in6_addr)> bytes{};
  return ::inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

// The first line of the file.
std::string token_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string token;
  if (!file || !std::getline(file, token)) {
    throw Error(ErrorKind::io, path + ": cannot be read, or is empty");
  }
  while (!token.empty() && (token.back() == '\r' || token.back() == ' ')) token.pop_back();
  if (token.empty()) {
    throw Error(ErrorKind::malformed_input,
                path + ": its first line is empty, so there is no token",
                "head -c 24 /dev/urandom | base64 > FILE creates one");
  }
  return token;
}

}  // namespace

HttpSettings http_settings(const Options& options) {
  HttpSettings settings;
  const std::string& listen = options.listen;
  const std::size_t colon = listen.rfind(':');
  if (colon == std::string::npos) refuse_address(listen);
  settings.address = listen.substr(0, colon);
  if (settings.address.size() > 2 && settings.address.front() == '[' &&
      settings.address.back() == ']') {
    settings.address = settings.address.substr(1, settings.address.size() - 2);
  }
  if (settings.address == "localhost") settings.address = "127.0.0.1";
  if (settings.address.empty() || !is_address(settings.address)) refuse_address(listen);
  const char* const end = listen.data() + listen.size();
  const auto [stop, fault] = std::from_chars(listen.data() + colon + 1, end, settings.port);
  if (fault != std::errc{} || stop != end) refuse_address(listen);
  settings.threads =
      options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  settings.max_body_bytes = options.max_body_bytes;
  settings.timeout = std::chrono::seconds(options.timeout_seconds);
  settings.max_connections = options.max_connections;
  return settings;
}

AdmissionRules admission_rules(const Options& options, const HttpSettings& settings) {
  AdmissionRules rules{options.allow_hosts, options.allow_origins, {}};
  if (!options.token_file.empty()) {
    rules.token = token_in(options.token_file);
  } else if (!is_loopback(settings.address)) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"listen", options.listen},
                "other machines can reach this address, so a token is required",
                "--token-file FILE names a file that contains one");
  }
  return rules;
}

namespace {

// The user may have meant a run or an index, but the error from opening the folder would mention
// only an index.
void refuse_unknown_folder(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error) || fs::exists(path + "/MANIFEST", error)) return;
  throw Error(ErrorKind::malformed_input, path + ": neither an index nor a saved run",
              "sosie index build INDEX INPUT... creates an index, dedup or link INPUT... --save "
              "RUN/ saves a run");
}

}  // namespace

void open_served(Service& service) {
  const std::vector<std::string>& inputs = service.options.inputs;
  const auto run = std::find_if(inputs.begin(), inputs.end(),
                                [](const std::string& path) { return is_saved_run(path); });
  if (inputs.empty() || (run != inputs.end() && inputs.size() > 1)) {
    throw Error(ErrorKind::invalid_option, "serve: expected indexes, or one run",
                "sosie serve INDEX..., or RUN of --save RUN");
  }
  if (run != inputs.end()) {
    service.run.emplace(*run, service.options.read_only);
    return;
  }
  for (const std::string& path : inputs) refuse_unknown_folder(path);
  Options options;
  options.threads = 1;  // requests share out the cores
  options.memory_bytes = service.options.memory_bytes;
  options.scratch = service.options.scratch;
  options.scratch_limit_bytes = service.options.scratch_limit_bytes;
  service.index.emplace(StoredIndex::open(inputs, service.options.read_only, options));
  service.built = service.index->facts();
}

std::unique_ptr<HttpServer> listen_at(const HttpSettings& settings, Application& application) {
  try {
    return std::make_unique<HttpServer>(settings, application);
  } catch (const std::exception& failed) {
    throw Error(ErrorKind::io,
                fmt::format("{}:{}: {}", settings.address, settings.port, failed.what()),
                "--listen 127.0.0.1:0 picks any free port");
  }
}

std::string address_line(const HttpSettings& settings, std::uint16_t port) {
  const bool has_colons = settings.address.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}/\n", has_colons ? "[" : "", settings.address,
                     has_colons ? "]" : "", port);
}

}  // namespace sosie::server
