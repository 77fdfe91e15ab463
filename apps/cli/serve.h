#pragma once

#include <span>

namespace sosie::cli {

// `sosie serve`: this process becomes the program sosie-server, which is in libexec/sosie, next to
// this program or its folder. Throws Error{invalid_option} for invalid options, and
// Error{unsupported} if sosie-server is not installed.
void become_server(std::span<char* const> arguments);

}  // namespace sosie::cli
