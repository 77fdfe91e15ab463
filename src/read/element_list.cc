// Elements of sets and bags from words, JSON lists, objects and pairs, or squares of points.
#include "read/element_list.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "data/format.h"
#include "read/quote_large_integers.h"
#include "read/vector_files.h"

namespace sosie {
namespace {

namespace dom = simdjson::dom;

bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
bool is_escaped(char c) noexcept { return c == '\n' || c == '\\'; }

constexpr double kFarthest = 1 << 30;  // columns and rows of an unbounded grid

// Columns or rows, from `first` to `last`, to which a coordinate belongs.
struct Lanes {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

std::int64_t count_lanes(double extent, double cell) noexcept {
  return static_cast<std::int64_t>(std::ceil(extent / cell));
}

// `extent`: extent of the grid along this axis; 0 if it is unlimited.
Lanes lanes_of(double at, const Grid& grid, double extent, std::string_view point) {
  const double lane = std::floor(at / grid.cell);
  if (std::abs(lane) > kFarthest || (extent > 0 && (at < 0 || at >= extent))) {
    throw RowError(fmt::format("the point {} lies outside the grid", point));
  }
  Lanes lanes{static_cast<std::int64_t>(lane), static_cast<std::int64_t>(lane)};
  if (grid.border == 0) return lanes;
  const double inside = at - lane * grid.cell;
  if (inside <= grid.border && (extent == 0 || lanes.first > 0)) --lanes.first;
  if (grid.cell - inside <= grid.border &&
      (extent == 0 || lanes.last + 1 < count_lanes(extent, grid.cell))) {
    ++lanes.last;
  }
  return lanes;
}

// The sector of an angle in degrees; sector 0 begins at 0 degrees.
unsigned sector_of(double degrees, unsigned directions) noexcept {
  const double turn = degrees / 360 - std::floor(degrees / 360);
  return std::min(static_cast<unsigned>(turn * directions), directions - 1);
}

}  // namespace

struct ElementList::Json {
  dom::parser parser;

  static void add_object(const dom::object& object, std::string_view name, ElementList& out);
  static void add_list(const dom::array& list, std::string_view name, ElementList& out);
};

ElementList::ElementList(ElementRules rules) : rules_(rules), json_(std::make_unique<Json>()) {}

ElementList::~ElementList() = default;

std::string_view ElementList::from_words(std::string_view text) {
  lines_.clear();
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && !is_blank(text[end])) ++end;
    if (end > at) add(text.substr(at, end - at));
    at = end + 1;
  }
  return finish();
}

std::string_view ElementList::from_json(std::string_view json, std::string_view name) {
  lines_.clear();
  dom::element root;
  const auto is_read = [&](std::string_view text) {
    padded_.assign(text);
    return json_->parser.parse(padded_.data(), padded_.size(), /*realloc_if_needed=*/false)
               .get(root) == simdjson::SUCCESS;
  };
  // Elements are the same with and without quotes.
  if (!is_read(json) && !is_read(quote_large_integers(json))) {
    const bool has_large = is_read(with_numbers_in_64_bits(json));
    throw RowError(fmt::format("field '{}' {}", name,
                               has_large ? "holds a number that is too large" : "is broken JSON"));
  }
  dom::object object;
  dom::array list;
  if (root.get_object().get(object) == simdjson::SUCCESS) {
    Json::add_object(object, name, *this);
  } else if (root.get_array().get(list) == simdjson::SUCCESS) {
    Json::add_list(list, name, *this);
  } else {
    throw RowError(fmt::format("field '{}' is not a list of elements", name));
  }
  return finish();
}

std::string_view ElementList::from_pair(std::string_view element, std::optional<double> rating,
                                        std::string_view name) {
  lines_.clear();
  if (rating) {
    add_rated(element, *rating, name);
  } else {
    add(element);
  }
  return finish();
}

void ElementList::Json::add_list(const dom::array& list, std::string_view name, ElementList& out) {
  if (out.rules_.ratings.rule != Ratings::Rule::none) {
    throw RowError(fmt::format("field '{}' is a list; --ratings needs an object of ratings", name));
  }
  for (const dom::element element : list) {
    std::string_view text;
    if (element.get_string().get(text) == simdjson::SUCCESS) {
      out.add(text);
    } else if (element.is_int64() || element.is_uint64() ||
               (element.is_array() && out.rules_.grid.cell > 0)) {
      out.add(simdjson::minify(element));
    } else {
      throw RowError(fmt::format("field '{}' holds {}; an element is a string or a whole number",
                                 name, static_cast<std::string>(simdjson::minify(element))));
    }
  }
}

void ElementList::Json::add_object(const dom::object& object, std::string_view name,
                                   ElementList& out) {
  for (const dom::key_value_pair field : object) {
    double number = 0;
    if (field.value.get_double().get(number) != simdjson::SUCCESS) {
      throw RowError(fmt::format("field '{}': '{}' has no number", name, field.key));
    }
    out.add_rated(field.key, number, name);
  }
}

void ElementList::add_rated(std::string_view element, double rating, std::string_view name) {
  const bool counted =
      rules_.ratings.rule == Ratings::Rule::none || rules_.ratings.rule == Ratings::Rule::bag;
  if (!(rating >= 0) || (counted && (rating > kMostOften || rating != std::floor(rating)))) {
    throw RowError(fmt::format("field '{}': {} for '{}' is not {}", name, rating, element,
                               counted ? "a whole number from 0 to 1000000" : "a rating"));
  }
  if (counted) {
    const double bytes = rating * static_cast<double>(element.size() + 1);
    if (static_cast<double>(lines_.size()) + bytes > kMostCountedBytes) {
      throw RowError(
          fmt::format("field '{}': with {} for '{}', the row's occurrences take more than 64 MiB",
                      name, rating, element));
    }
    for (auto left = static_cast<std::uint64_t>(rating); left > 0; --left) add(element);
  } else if (rules_.ratings.rule == Ratings::Rule::drop) {
    if (rating >= rules_.ratings.least) add(element);
  } else {
    add(element, rating >= rules_.ratings.least ? "+" : "-");
  }
}

void ElementList::add(std::string_view element, std::string_view mark) {
  if (rules_.grid.cell > 0) {
    append_squares(rules_.grid, element, lines_);
    return;
  }
  if (!mark.empty()) lines_ += mark;
  if (std::none_of(element.begin(), element.end(), is_escaped)) {
    lines_ += element;
  } else {
    for (const char c : element) {
      if (is_escaped(c)) lines_ += '\\';
      lines_ += c == '\n' ? 'n' : c;
    }
  }
  lines_ += '\n';
}

std::string_view ElementList::finish() {
  padded_.assign(lines_);
  return padded_.view();
}

void append_squares(const Grid& grid, std::string_view point, std::string& lines) {
  std::vector<double> numbers;
  if (!append_numbers(point, numbers) || numbers.size() < 2 || numbers.size() > 3) {
    throw RowError(fmt::format("'{}' is not a point: X,Y or X,Y,ANGLE", point));
  }
  if (grid.directions > 0 && numbers.size() < 3) {
    throw RowError(
        fmt::format("the point {} has no angle, but --represent distinguishes directions", point));
  }
  const Lanes columns = lanes_of(numbers[0], grid, grid.width, point);
  const Lanes rows = lanes_of(numbers[1], grid, grid.height, point);
  for (std::int64_t column = columns.first; column <= columns.last; ++column) {
    for (std::int64_t row = rows.first; row <= rows.last; ++row) {
      lines += fmt::format("{},{}", column, row);
      if (grid.directions > 0) {
        lines += fmt::format(",{}", sector_of(numbers[2], grid.directions));
      }
      lines += '\n';
    }
  }
}

std::uint64_t count_squares(const Grid& grid) noexcept {
  return static_cast<std::uint64_t>(count_lanes(grid.width, grid.cell)) *
         static_cast<std::uint64_t>(count_lanes(grid.height, grid.cell)) *
         std::max(1U, grid.directions);
}

std::string all_squares(const Grid& grid) {
  std::string lines;
  const std::int64_t columns = count_lanes(grid.width, grid.cell);
  const std::int64_t rows = count_lanes(grid.height, grid.cell);
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = 0; row < rows; ++row) {
      for (unsigned sector = 0; sector < std::max(1U, grid.directions); ++sector) {
        lines += fmt::format("{},{}", column, row);
        if (grid.directions > 0) lines += fmt::format(",{}", sector);
        lines += '\n';
      }
    }
  }
  return lines;
}

}  // namespace sosie
