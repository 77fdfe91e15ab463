#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sosie {

// A rule that determines one field of the row that represents a group (--golden).
struct GoldenRule {
  enum class By : std::uint8_t {
    first,
    longest,
    shortest,
    newest,  // the latest date or largest number
    oldest,
    most_frequent,
    source,  // the first of `sources` that has a value
  } by = By::first;
  std::string field;
  // The field that determines the age or the source of a row. Empty: the value itself, or the input
  // file.
  std::string other = {};
  std::vector<std::string> sources = {};
};

// Parses FIELD=RULE. The rules are first, longest, shortest, most-frequent, newest, newest:OTHER,
// oldest, oldest:OTHER, source:FILE|FILE and source:OTHER=VALUE|VALUE. A backslash before "=" makes
// the "=" part of the name. Returns nullopt for any other text.
[[nodiscard]] std::optional<GoldenRule> parse_golden(std::string_view text);

// The rules as listed in messages.
inline constexpr std::string_view kGoldenRules =
    "first, longest, shortest, most-frequent, newest[:OTHER], oldest[:OTHER], source:FILE|..., "
    "source:OTHER=VALUE|...";

}  // namespace sosie
