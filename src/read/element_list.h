#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/padded_bytes.h"
#include "data/record.h"

namespace sosie {

// Extracts the elements of a set from a field. The result is a text with one element per line, with
// line feeds and backslashes inside an element written as \n and \\: equal elements are equal lines
// in every input format. With a grid, the elements are points, "12.5,3" or [12.5, 3], and the lines
// are squares. Not thread-safe.
class ElementList {
 public:
  explicit ElementList(ElementRules rules);
  ~ElementList();

  // Elements separated by spaces or tabs, of any other bytes. The view lives until the next call
  // and is followed by kPadding readable bytes.
  [[nodiscard]] std::string_view from_words(std::string_view text);

  // A JSON list of strings and whole numbers (5 and "5" are the same element), or an object that
  // gives for each element its number of occurrences (0 to kMostOften, all within
  // kMostCountedBytes) or, with ratings, its rating. `name`: name of the field, for messages.
  // Throws RowError.
  [[nodiscard]] std::string_view from_json(std::string_view json, std::string_view name);

  // A single element, as in an object that gives its `rating`, or without a rating as in a list.
  // `name`: name of the rating field. Throws RowError.
  [[nodiscard]] std::string_view from_pair(std::string_view element, std::optional<double> rating,
                                           std::string_view name);

  static constexpr double kMostOften = 1'000'000;
  // Maximum size of counted occurrences (not written out) in a row, line ends included.
  static constexpr double kMostCountedBytes = 64 << 20;

 private:
  struct Json;  // the parser, and what it knows of values

  void add(std::string_view element, std::string_view mark = {});
  void add_rated(std::string_view element, double rating, std::string_view name);
  [[nodiscard]] std::string_view finish();

  ElementRules rules_;
  std::string lines_;
  PaddedBytes padded_;
  std::unique_ptr<Json> json_;
};

// Appends the squares that contain a point, one per line: "COLUMN,ROW", counted from 0 at the
// origin, or "COLUMN,ROW,SECTOR" if the grid distinguishes directions. A point whose distance to an
// edge is at most the grid's border is also in the square across that edge (near a corner: in four
// squares); there is no square after the last column and row. `point`: "12.5,3", "[12.5, 3]", or
// with an angle in degrees as third number. Throws RowError for other text, for a point outside the
// grid, and for a point without a required angle.
void append_squares(const Grid& grid, std::string_view point, std::string& lines);

// Number of squares of a bounded grid.
[[nodiscard]] std::uint64_t count_squares(const Grid& grid) noexcept;

// All squares of a bounded grid, one per line.
[[nodiscard]] std::string all_squares(const Grid& grid);

}  // namespace sosie
