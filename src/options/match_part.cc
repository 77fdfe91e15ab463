// Parses and formats the values of --part.
#include "options/match_part.h"

#include <fmt/format.h>

#include <charconv>

namespace sosie {
namespace {

std::optional<std::uint32_t> parse_number_of_part(std::string_view text) {
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || at != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<MatchPart> parse_part(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = parse_number_of_part(text.substr(0, slash));
  const auto count = parse_number_of_part(text.substr(slash + 1));
  if (!number || !count || *number == 0 || *number > *count || *count > kMostParts) {
    return std::nullopt;
  }
  return MatchPart{*number - 1, *count};
}

std::string part_text(const MatchPart& part) {
  return fmt::format("{}/{}", part.index + 1, part.count);
}

}  // namespace sosie
