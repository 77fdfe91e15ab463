#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/padded_bytes.h"
#include "data/record.h"

namespace sosie {

// Reads the elements of a set out of a field. What comes of it is a text with one element a line,
// line feeds and backslashes inside an element written as \n and \\: equal elements are equal lines
// in every input format. With a grid the elements are points, "12.5,3" or [12.5, 3], and the lines
// squares. Belongs to one thread.
class ElementList {
 public:
  explicit ElementList(ElementRules rules);
  ~ElementList();

  // Elements separated by blanks or tabs, any other bytes. The view lives until the next call and
  // is followed by kPadding readable bytes.
  [[nodiscard]] std::string_view from_words(std::string_view text);

  // A JSON list of strings and whole numbers (5 and "5" are one element), or an object that says of
  // each element how often it occurs (0 to kMostOften, all within kMostCountedBytes) or, with
  // ratings, how it is rated. `name`: the field's, for messages. Throws RowError.
  [[nodiscard]] std::string_view from_json(std::string_view json, std::string_view name);

  // One element, as an object that says `rating` of it has it; without a rating as a list has it.
  // `name`: that of the field of ratings. Throws RowError.
  [[nodiscard]] std::string_view from_pair(std::string_view element, std::optional<double> rating,
                                           std::string_view name);

  static constexpr double kMostOften = 1'000'000;
  // Most bytes of counted occurrences (not written out) in one row, line ends included.
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

// Appends the squares that a point belongs to, one a line: "COLUMN,ROW", counted from 0 at the
// origin, or "COLUMN,ROW,SECTOR" where the grid tells directions apart. A point that is no farther
// than the grid's border from an edge belongs to the square behind it too, near a corner to four;
// behind the last column and row there is none. `point`: "12.5,3", "[12.5, 3]", or with an angle in
// degrees as third number. Throws RowError for other text, for a point outside the grid, and for a
// point without an angle where one is needed.
void append_squares(const Grid& grid, std::string_view point, std::string& lines);

// Squares of a bounded grid.
[[nodiscard]] std::uint64_t count_squares(const Grid& grid) noexcept;

// All squares of a bounded grid, one a line.
[[nodiscard]] std::string all_squares(const Grid& grid);

}  // namespace sosie
