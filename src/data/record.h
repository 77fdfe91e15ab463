#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sosie/columns.h"

namespace sosie {

// Characters that cut a file of CSV or TSV into rows and fields.
struct Dialect {
  char separator = '\0';  // between fields; '\0': rows have no fields
  char quote = '"';       // around a field; '\0': none, quotes are text
  char escape = '\0';     // inside quotes: the next character is text; '\0': quotes are doubled

  friend constexpr auto operator<=>(const Dialect&, const Dialect&) = default;
};

// Part of a text that its reader needs. A parser may always give more.
enum class TextForm : std::uint8_t {
  exact,
  words,       // the words in their order: what stands between them may be another separator
  characters,  // for fold_chars(): white space may be other white space
  elements,    // elements of a set, one a line (read/element_list.h)
};

// Rule by which ratings become elements of a set (MMDS 3.1.3).
struct Ratings {
  enum class Rule : std::uint8_t {
    none,
    drop,         // elements rated below `least` are left out
    liked_hated,  // two elements for each thing rated: liked from `least` on, else hated
    bag,          // each element occurs as often as the rating says
  } rule = Rule::none;
  double least = 0;
};

// Squares that the points of an item lie in (--represent; MMDS 3.8.3).
struct Grid {
  double cell = 0;    // side of a square; 0: elements are no points
  double border = 0;  // a point so near to a border belongs to both squares; half a cell at most
  double width = 0;   // x and y are from 0 up to, not including, these; 0: anything
  double height = 0;
  unsigned directions = 0;  // the angles of points are told apart by as many sectors; 0: not at all

  [[nodiscard]] bool is_bounded() const noexcept { return width > 0; }
};

// Rules by which listed elements become the elements of an item.
struct ElementRules {
  Ratings ratings = {};
  Grid grid = {};
};

// Which fields a reader looks for in a row.
struct FieldRequest {
  std::string column;               // the text; empty: none is asked for
  std::string id;                   // empty: rows are numbered
  std::vector<std::string> others;  // for --keep and --show, behind the items that are no text
  TextForm form = TextForm::exact;
  ElementRules elements = {};
  Dialect dialect = {};   // dialect of the rows; without a separator the format's usual one
  std::size_t items = 0;  // so many of `others` hold the item; column names them
};

// One row as a reader hands it over. Views live until the parser's next row; text is followed by
// kPadding readable bytes.
struct Record {
  std::string_view text;
  std::string_view id;             // empty when FieldRequest::id is
  bool id_is_integer = false;      // written without quotes in JSON
  std::vector<FieldValue> others;  // one for each of FieldRequest::others
};

}  // namespace sosie
