#pragma once

#include <memory>
#include <string>

#include "admission.h"
#include "http.h"
#include "service.h"

namespace sosie::server {

// The address and settings for listening. Throws Error{invalid_option} for an invalid address.
[[nodiscard]] HttpSettings http_settings(const Options& options);

// Reads the token. Throws Error{invalid_option} if one is required but not given, and Error{io}.
[[nodiscard]] AdmissionRules admission_rules(const Options& options, const HttpSettings& settings);

// Opens the index or run named by the command. Throws as StoredIndex::open() does.
void open_served(Service& service);

// Starts to listen. Throws Error{io} if the address is in use.
[[nodiscard]] std::unique_ptr<HttpServer> listen_at(const HttpSettings& settings,
                                                    Application& application);

// "http://127.0.0.1:7860/\n".
[[nodiscard]] std::string address_line(const HttpSettings& settings, std::uint16_t port);

}  // namespace sosie::server
