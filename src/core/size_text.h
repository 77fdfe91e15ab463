#pragma once

#include <cstdint>
#include <string>

namespace sosie {

// A size as --memory and other options take it: "4G", "256M", "100".
[[nodiscard]] std::string size_text(std::uint64_t bytes);

}  // namespace sosie
