#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/padded_bytes.h"
#include "data/record.h"

namespace sosie {

// Extracts the elements of a set from a field. The result is a text with one element per line. Line
// feeds and backslashes inside an element are written as \n and \\, so that equal elements are
// equal lines in every input format. With a grid, the elements are points, "12.5,3" or [12.5, 3],
// and the lines are squares. Not thread-safe.
class ElementList {
 public:
  explicit ElementList(ElementRules rules);
  ~ElementList();

  // Elements separated by spaces or tabs; an element may consist of any other bytes. The view is
  // valid until the next call and followed by kPadding readable bytes.
  [[nodiscard]] std::string_view from_words(std::string_view text);

  // A JSON list of strings and whole numbers (5 and "5" are the same element), or a JSON object
  // that gives for each element how often it occurs (0 to kMostOften, all within kMostCountedBytes)
  // or, with ratings, its rating. `name`: name of the field in messages. Throws RowError.
  [[nodiscard]] std::string_view from_json(std::string_view json, std::string_view name);

  // A single element: with its `rating`, as in an object; without a rating, as in a list. `name`:
  // name of the rating field. Throws RowError.
  [[nodiscard]] std::string_view from_pair(std::string_view element, std::optional<double> rating,
                                           std::string_view name);

  static constexpr double kMostOften = 1'000'000;
  // Maximum size that the counted occurrences in a row would have if written out, including line
  // ends.
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
// origin, or "COLUMN,ROW,SECTOR" if the grid distinguishes directions. A point whose distance from
// an edge is at most the grid's border is also in the square across that edge, and near a corner in
// four squares; there is no square beyond the last column or row. `point`: "12.5,3" or "[12.5, 3]",
// possibly with an angle in degrees as third number. Throws RowError for other text, for a point
// outside the grid, and for a point without a required angle.
void append_squares(const Grid& grid, std::string_view point, std::string& lines);

// Number of squares of a bounded grid.
[[nodiscard]] std::uint64_t count_squares(const Grid& grid) noexcept;

// All squares of a bounded grid, one per line.
[[nodiscard]] std::string all_squares(const Grid& grid);

}  // namespace sosie
