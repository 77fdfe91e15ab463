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

// Code points of a run as symbols: from 1 on, in the order in which they come. 0 stands for all
// code points that the column does not have, so that others can be looked up in it.
class SymbolTable {
 public:
  // The symbol of a code point, which is made if there is none.
  [[nodiscard]] std::uint32_t add(char32_t code_point);
  // The symbol that there is, or 0.
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

// Appends a string to a column, whose symbols become wider when they must.
void append_string(std::span<const char32_t> code_points, SymbolTable& symbols,
                   StringColumn& column);
// Appends a string with the symbols that there are.
void append_known(std::span<const char32_t> code_points, const SymbolTable& symbols,
                  StringColumn& column);

// A string of a column as the code points, and the text, that are compared.
[[nodiscard]] std::vector<char32_t> code_points_of(const StringColumn& column,
                                                   const SymbolTable& symbols, std::size_t row);
[[nodiscard]] std::string text_of(const StringColumn& column, const SymbolTable& symbols,
                                  std::size_t row);

// Takes rows, ascending, out of a column.
void erase_strings(StringColumn& column, std::span<const RowId> rows);

// Throws Error{limit_exceeded}, saying what would be enough, unless the memory holds a column with
// its copies and so many bytes a row.
void require_memory(const StringColumn& column, std::uint64_t copies, std::uint64_t row_bytes,
                    std::uint64_t memory_bytes);

// One collection of strings, OTHER's in front.
struct StringItems {
  StringColumn column;
  SymbolTable symbols;
  std::uint64_t bytes = 0;
  std::vector<RowId> left_out;  // rows that take no part (see ItemPlaces): blank ones, and bad
                                // ones, whose strings are empty
};

// Reads the text of each row as texts are read: options.column of rows with fields, of which
// several are joined, else the line. Bad rows: as for read_item_rows(). Throws
// Error{limit_exceeded}, saying what would be enough, for strings that outgrow the memory.
[[nodiscard]] StringItems read_strings(const ItemReading& reading, StringForm form,
                                       const std::vector<std::string>& inputs);

}  // namespace sosie
