// Parses --represent.
#include "options/parse_grid.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "read/element_list.h"

namespace sosie {
namespace {

std::optional<double> parse_length(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || !std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

// Splits a text at the first `mark`; if there is none, the second part is empty.
std::pair<std::string_view, std::string_view> parted(std::string_view text, char mark) {
  const auto at =
      static_cast<std::size_t>(std::find(text.begin(), text.end(), mark) - text.begin());
  return {text.substr(0, at), text.substr(std::min(at + 1, text.size()))};
}

// Parses "name:value"; false if it is invalid or was given before.
bool take_part(std::string_view part, Grid& grid) {
  const auto [name, value] = parted(part, ':');
  if (name == "size") {
    const auto sides = parted(value, 'x');
    const auto width = parse_length(sides.first);
    const auto height = parse_length(sides.second);
    if (!width || !height || grid.is_bounded()) return false;
    grid.width = *width;
    grid.height = *height;
    return true;
  }
  const auto number = parse_length(value);
  if (!number) return false;
  if (name == "border" && grid.border == 0) {
    grid.border = *number;
  } else if (name == "directions" && grid.directions == 0 && *number >= 2 && *number <= 360 &&
             *number == std::floor(*number)) {
    grid.directions = static_cast<unsigned>(*number);
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::optional<Grid> parse_grid(std::string_view text) {
  constexpr std::string_view kBegin = "grid:";
  if (!text.starts_with(kBegin)) return std::nullopt;
  text.remove_prefix(kBegin.size());
  std::size_t comma = std::min(text.find(','), text.size());
  const auto cell = parse_length(text.substr(0, comma));
  if (!cell) return std::nullopt;
  Grid grid{.cell = *cell};
  while (comma < text.size()) {
    text.remove_prefix(comma + 1);
    comma = std::min(text.find(','), text.size());
    if (!take_part(text.substr(0, comma), grid)) return std::nullopt;
  }
  if (grid.border > grid.cell / 2) return std::nullopt;
  const double most = kMostSquaresOfGrid;
  if (grid.is_bounded() && (grid.width / grid.cell > most || grid.height / grid.cell > most ||
                            count_squares(grid) > kMostSquaresOfGrid)) {
    return std::nullopt;
  }
  return grid;
}

}  // namespace sosie
