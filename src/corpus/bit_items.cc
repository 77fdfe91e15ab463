#include "corpus/bit_items.h"

#include <fmt/format.h>

#include <algorithm>

#include "corpus/vector_items.h"
#include "options/input_list.h"
#include "read/hex_bits.h"
#include "sosie/error.h"

namespace sosie {

namespace {

// The place of a bit in its row: as in the hexadecimal digits of numpy.packbits(row), the first one
// of four being the highest.
std::size_t place_of_bit(std::size_t bit, std::size_t bits) {
  const std::size_t digit = bit & ~std::size_t{3};
  return digit + 4 > bits ? bit : digit + 3 - (bit & 3);
}

// Truth values, or uint8 that are 0 and 1, as bits.
BitItems bits_of(VectorItems vectors) {
  const auto* bytes = std::get_if<std::vector<std::uint8_t>>(&vectors.column.components);
  BitItems items;
  BitColumn& column = items.column;
  column.rows = vectors.column.rows;
  if (column.rows > 0 &&
      (bytes == nullptr || *std::max_element(bytes->begin(), bytes->end()) > 1)) {
    throw Error(ErrorKind::malformed_input,
                vectors.paths.front() + ": bits are truth values, or uint8 0 and 1",
                "save a.astype(bool), or say --kind vectors");
  }
  column.bits = vectors.column.dimension;
  column.words = (column.bits + 63) / 64;
  column.data.resize(column.rows * column.words);
  for (std::size_t i = 0; column.rows > 0 && i < bytes->size(); ++i) {
    const std::size_t place = place_of_bit(i % column.bits, column.bits);
    const std::size_t word = i / column.bits * column.words + place / 64;
    column.data[word] |= std::uint64_t{(*bytes)[i]} << (place % 64);
  }
  items.ids = std::move(vectors.ids);
  items.against_ids = std::move(vectors.against_ids);
  items.bytes = vectors.bytes;
  items.paths = std::move(vectors.paths);
  return items;
}

}  // namespace

BitItems read_bits(const ItemReading& reading, const std::vector<std::string>& inputs) {
  const std::vector<InputFile> files = list_inputs(inputs, input_rules(reading.options)).files;
  if (std::any_of(files.begin(), files.end(),
                  [](const InputFile& file) { return file.format->read_vectors != nullptr; })) {
    return bits_of(read_vectors(reading, inputs));
  }
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
  for (const InputFile& file : files) items.paths.push_back(file.path);
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
