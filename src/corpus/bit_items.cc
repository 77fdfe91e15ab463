#include "corpus/bit_items.h"

#include <fmt/format.h>

#include "options/input_list.h"
#include "read/hex_bits.h"
#include "sosie/error.h"

namespace sosie {

BitItems read_bits(const ItemReading& reading, const std::vector<std::string>& inputs) {
  BitItems items;
  BitColumn& column = items.column;
  std::size_t found = 0;
  ItemRowSteps steps;
  steps.add = [&](std::string_view text, std::string_view what) {
    found += append_bits(text, what, column.data);
  };
  steps.end_row = [&] {
    const BitLength length{found, column.data.size() - column.rows * column.words};
    check_bits(length, column.rows == 0 ? length : BitLength{column.bits, column.words},
               "the first row has");
    column.bits = length.bits;
    column.words = length.words;
    found = 0;
    ++column.rows;
  };
  ItemRows rows = read_item_rows(reading, inputs, steps);
  items.ids = std::move(rows.ids);
  items.against_ids = std::move(rows.against_ids);
  items.bytes = rows.own_bytes;
  const std::uint64_t against =
      reading.places == nullptr ? 0 : reading.places->corpus.first_own_row;
  give_ids(reading, column.rows - against, items.ids, against, items.against_ids);
  for (const InputFile& file : list_inputs(inputs, input_rules(reading.options)).files) {
    items.paths.push_back(file.path);
  }
  return items;
}

std::size_t append_bits(std::string_view text, std::string_view what,
                        std::vector<std::uint64_t>& words) {
  if (const auto bits = append_hex_bits(text, words)) return *bits;
  throw RowError(fmt::format("{} is not a string of hexadecimal digits", what));
}

void check_bits(const BitLength& found, const BitLength& length, std::string_view those) {
  if (found.bits == 0) throw RowError("the bit string is empty");
  if (found.bits > kMostBits) {
    throw RowError(fmt::format("{} bits, at most {} are read", found.bits, kMostBits));
  }
  if (found.bits != length.bits) {
    throw RowError(fmt::format("{} bits, {} {}", found.bits, those, length.bits));
  }
  // Each field begins a word.
  if (found.words == length.words) return;
  throw RowError(fmt::format("{} bits in fields of other lengths than {}", found.bits, those));
}

void require_one_length(const BitItems& left, const BitItems& right) {
  const BitColumn& ours = left.column;
  const BitColumn& theirs = right.column;
  if (ours.rows == 0 || theirs.rows == 0 || ours.bits == theirs.bits) return;
  throw Error(ErrorKind::malformed_input,
              fmt::format("{}: has strings of {} bits, {} of {}", left.paths.front(), ours.bits,
                          right.paths.front(), theirs.bits));
}

}  // namespace sosie
