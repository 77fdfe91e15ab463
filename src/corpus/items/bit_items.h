#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/items/item_rows.h"
#include "data/columns.h"
#include "options/settings.h"
#include "sosie/join.h"

namespace sosie {

// A collection of bit strings.
struct BitItems {
  BitColumn column;
  ItemIds ids;
  ItemIds against_ids;  // ids of the rows that come first, see ItemReading
  std::uint64_t bytes = 0;
  std::vector<std::string> paths;
  std::vector<RowId> left_out;  // rows that take no part (see ItemPlaces): their bits are 0
};

// Reads rows with a bit string in options.column, written in hexadecimal digits (upper or lower
// case, optional leading "0x"), four bits per digit; all strings have the same length. Rows without
// a digit are left out. Bad rows: as for read_item_rows(), and rows that contain other characters
// or differ in length from the first good row.
[[nodiscard]] BitItems read_bits(const ItemReading& reading,
                                 const std::vector<std::string>& inputs);

// True if at least one bit of the row is 1.
[[nodiscard]] bool has_a_bit(const std::uint64_t* row, std::size_t words) noexcept;

// Removes the given rows.
void erase_rows(BitColumn& column, std::span<const RowId> rows);

// Appends the bits in a field of a row (`what` names the field) and returns their number. Throws
// RowError.
[[nodiscard]] std::size_t append_bits(std::string_view text, std::string_view what,
                                      std::vector<std::uint64_t>& words);

// Length of a row's bit string, as given by the row's fields.
struct BitLength {
  std::size_t bits = 0;
  std::size_t words = 0;
};
// Throws RowError if the lengths differ. `those` describes the rows that have `length`.
void check_bits(const BitLength& found, const BitLength& length, std::string_view those);

// Throws Error{malformed_input} if both collections have rows and these differ in length.
void require_one_length(const BitItems& left, const BitItems& right);

}  // namespace sosie
