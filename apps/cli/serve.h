#pragma once

#include <span>

namespace sosie::cli {

// `sosie serve`: this process becomes the program sosie-server, which lies in libexec/sosie beside
// this program or its folder. Throws Error{invalid_option} for options that are none, and
// Error{unsupported} where that program is not installed.
void become_server(std::span<char* const> arguments);

}  // namespace sosie::cli
