#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/items/item_rows.h"
#include "data/columns.h"
#include "represent/strings.h"
#include "sosie/join.h"

namespace sosie {

// The code points of a run as symbols, numbered from 1 in the order of first occurrence. 0 stands
// for every code point that does not occur in the column, so that other strings can be looked up in
// it.
class SymbolTable {
 public:
  // Returns the symbol of a code point; adds the code point to the table if necessary.
  [[nodiscard]] std::uint32_t add(char32_t code_point);
  // The symbol of a code point if the table contains it, otherwise 0.
  [[nodiscard]] std::uint32_t find(char32_t code_point) const noexcept;
  [[nodiscard]] char32_t code_point(std::uint32_t symbol) const noexcept {
    return code_points_[symbol];
  }
  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(code_points_.size());
  }

 private:
  static constexpr std::size_t kPage = 256;
  using Page = std::array<std::uint32_t, kPage>;

  std::array<std::unique_ptr<Page>, 0x110000 / kPage> pages_;  // null: no symbol in it
  std::vector<char32_t> code_points_ = {0};                    // by symbol
};

// Appends a string to a column and widens the column's symbols if necessary.
void append_string(std::span<const char32_t> code_points, SymbolTable& symbols,
                   StringColumn& column);
// Appends a string without adding symbols.
void append_known(std::span<const char32_t> code_points, const SymbolTable& symbols,
                  StringColumn& column);

// A string of a column, as code points and as text, in the form in which strings are compared.
[[nodiscard]] std::vector<char32_t> code_points_of(const StringColumn& column,
                                                   const SymbolTable& symbols, std::size_t row);
[[nodiscard]] std::string text_of(const StringColumn& column, const SymbolTable& symbols,
                                  std::size_t row);

// Removes rows (ascending) from a column.
void erase_strings(StringColumn& column, std::span<const RowId> rows);

// Throws Error{limit_exceeded}, naming a sufficient limit, if a column, its copies and this many
// bytes per row do not fit in the memory.
void require_memory(const StringColumn& column, std::uint64_t copies, std::uint64_t row_bytes,
                    std::uint64_t memory_bytes);

// A collection of strings; the strings of OTHER come first.
struct StringItems {
  StringColumn column;
  SymbolTable symbols;
  std::uint64_t bytes = 0;
  std::vector<RowId> left_out;  // rows that take no part (see ItemPlaces): blank ones, and bad
                                // ones, whose strings are empty
};

// Reads the text of each row in the same way as other texts: options.column (possibly several
// joined columns) if rows have fields, otherwise the line. Bad rows: as for read_item_rows().
// Throws Error{limit_exceeded}, naming a sufficient limit, if the strings do not fit in the memory.
[[nodiscard]] StringItems read_strings(const ItemReading& reading, StringForm form,
                                       const std::vector<std::string>& inputs);

}  // namespace sosie
