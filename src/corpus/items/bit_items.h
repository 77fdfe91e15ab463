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

// One collection of bit strings.
struct BitItems {
  BitColumn column;
  ItemIds ids;
  ItemIds against_ids;  // ids of the rows in front, see ItemReading
  std::uint64_t bytes = 0;
  std::vector<std::string> paths;
  std::vector<RowId> left_out;  // rows that take no part (see ItemPlaces): their bits are 0
};

// Reads rows with a bit string in hexadecimal digits (either case, "0x" in front if wanted) in
// options.column: four bits a digit, all of one length. Rows without a digit are left out. Bad are
// the bad rows of read_item_rows(), and rows with other characters or of another length than the
// first good row.
[[nodiscard]] BitItems read_bits(const ItemReading& reading,
                                 const std::vector<std::string>& inputs);

// True if some bit of a row is set.
[[nodiscard]] bool has_a_bit(const std::uint64_t* row, std::size_t words) noexcept;

// Takes rows out.
void erase_rows(BitColumn& column, std::span<const RowId> rows);

// Appends what a field of a row holds (`what` names it); returns how many bits. Throws RowError.
[[nodiscard]] std::size_t append_bits(std::string_view text, std::string_view what,
                                      std::vector<std::uint64_t>& words);

// Bits of one row, as its fields give them.
struct BitLength {
  std::size_t bits = 0;
  std::size_t words = 0;
};
// Throws RowError unless a row may be so long where `those` have the length `length` each.
void check_bits(const BitLength& found, const BitLength& length, std::string_view those);

// Throws Error{malformed_input} when both have rows, of different lengths.
void require_one_length(const BitItems& left, const BitItems& right);

}  // namespace sosie
