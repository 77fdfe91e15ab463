#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sosie {

// Rule by which one field of the row that stands for a group gets its value (--golden).
struct GoldenRule {
  enum class By : std::uint8_t {
    first,
    longest,
    shortest,
    newest,  // the greatest number or date
    oldest,
    most_frequent,
    source,  // the first of `sources` that has a value
  } by = By::first;
  std::string field;
  // Field that says how new a row is, or which source it comes from. Empty: the value itself, or
  // the input file.
  std::string other = {};
  std::vector<std::string> sources = {};
};

// FIELD=RULE, RULE being first, longest, shortest, most-frequent, newest, newest:OTHER, oldest,
// oldest:OTHER, source:FILE|FILE or source:OTHER=VALUE|VALUE. A backslash before "=" makes it a
// part of the name. Nothing for other texts.
[[nodiscard]] std::optional<GoldenRule> parse_golden(std::string_view text);

// The rules as messages list them.
inline constexpr std::string_view kGoldenRules =
    "first, longest, shortest, most-frequent, newest[:OTHER], oldest[:OTHER], source:FILE|..., "
    "source:OTHER=VALUE|...";

}  // namespace sosie
