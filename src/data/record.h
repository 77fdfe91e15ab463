#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sosie/columns.h"

namespace sosie {

// Characters that divide a CSV or TSV file into rows and fields.
struct Dialect {
  char separator = '\0';  // between fields; '\0': rows have no fields
  char quote = '"';       // around a field; '\0': none, quotes are text
  char escape = '\0';     // inside quotes: the next character is text; '\0': quotes are doubled

  friend constexpr auto operator<=>(const Dialect&, const Dialect&) = default;
};

// The form in which a text is needed. A parser may deliver more than requested.
enum class TextForm : std::uint8_t {
  exact,
  words,       // the words in order, with any separators between them
  characters,  // for fold_chars(): white space may be other white space
  elements,    // elements of a set, one per line (read/element_list.h)
};

// Rule that turns ratings into elements of a set (MMDS 3.1.3).
struct Ratings {
  enum class Rule : std::uint8_t {
    none,
    drop,         // leaves out elements with ratings below `least`
    liked_hated,  // each rated thing is liked (`least` or more) or hated (less)
    bag,          // each element occurs as often as its rating
  } rule = Rule::none;
  double least = 0;
};

// Grid of squares that contain the points of an item (--represent; MMDS 3.8.3).
struct Grid {
  double cell = 0;    // side of a square; 0: elements are not points
  double border = 0;  // points this near a border are in both squares; at most half a cell
  double width = 0;   // 0 <= x < width and 0 <= y < height; 0: unbounded
  double height = 0;
  unsigned directions = 0;  // number of sectors that distinguish the angles of points; 0: none

  [[nodiscard]] bool is_bounded() const noexcept { return width > 0; }
};

// Rules that turn listed elements into the elements of an item.
struct ElementRules {
  Ratings ratings = {};
  Grid grid = {};
};

// Fields that a reader extracts from a row.
struct FieldRequest {
  std::string column;               // the text; empty: not needed
  std::string id;                   // empty: rows are numbered
  std::vector<std::string> others;  // for --keep and --show, after items that are not text
  TextForm form = TextForm::exact;
  ElementRules elements = {};
  Dialect dialect = {};   // dialect of the rows; without a separator, the format's default
  std::size_t items = 0;  // number of `others`, at the front, that hold the item; column names them
};

// A row as delivered by a reader. Views are valid until the parser reads its next row; the text is
// followed by kPadding readable bytes.
struct Record {
  std::string_view text;
  std::string_view id;             // empty if FieldRequest::id is empty
  bool id_is_integer = false;      // written without quotes in JSON
  std::vector<FieldValue> others;  // one for each of FieldRequest::others
};

}  // namespace sosie
