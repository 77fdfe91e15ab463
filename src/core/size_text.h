#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sosie {

// A size in the form that --memory and other options accept: "4G", "256M", "100".
[[nodiscard]] std::string size_text(std::uint64_t bytes);

// The limit that an option such as --memory set, for messages: in the form that the option accepts,
// or rounded ("13.4 GB") if nobody would type that.
[[nodiscard]] std::string limit_text(std::uint64_t bytes);

// A round size above `bytes`, for hints such as "--memory 5G is enough": of two digits below 1000M,
// then a whole number of gigabytes if it is at most an eighth larger, else hundreds of megabytes.
[[nodiscard]] std::string round_size_text(std::uint64_t bytes);

// Parses "250000", "1e10" or "2.5e9"; nullopt unless it is a whole number from 1 to 10^12.
[[nodiscard]] std::optional<std::uint64_t> parse_count(std::string_view text) noexcept;

}  // namespace sosie
