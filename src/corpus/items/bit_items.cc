// Reads bit strings.
#include "corpus/items/bit_items.h"

#include <fmt/format.h>

#include <algorithm>

#include "read/vector_files.h"
#include "sosie/error.h"

namespace sosie {

namespace {

// The position of a bit in its row, in the order of the hexadecimal digits of numpy.packbits(row):
// the first of four bits is the highest.
std::size_t place_of_bit(std::size_t bit, std::size_t bits) {
  const std::size_t digit = bit & ~std::size_t{3};
  return digit + 4 > bits ? bit : digit + 3 - (bit & 3);
}

// Converts truth values, or uint8 values of 0 and 1, to bits.
BitColumn bits_of(const VectorColumn& vectors, const std::string& name) {
  const auto* bytes = std::get_if<std::vector<std::uint8_t>>(&vectors.components);
  BitColumn column;
  column.rows = vectors.rows;
  if (column.rows > 0 &&
      (bytes == nullptr || *std::max_element(bytes->begin(), bytes->end()) > 1)) {
    throw Error(ErrorKind::malformed_input, BadPlace{name},
                "bits are booleans, or uint8 values of 0 and 1",
                "save a.astype(bool), or use --kind vectors");
  }
  column.bits = vectors.dimension;
  column.words = (column.bits + 63) / 64;
  column.data.resize(column.rows * column.words);
  for (std::size_t i = 0; column.rows > 0 && i < bytes->size(); ++i) {
    const std::size_t place = place_of_bit(i % column.bits, column.bits);
    const std::size_t word = i / column.bits * column.words + place / 64;
    column.data[word] |= std::uint64_t{(*bytes)[i]} << (place % 64);
  }
  return column;
}

// Appends bit strings as they arrive.
class BitCollector {
 public:
  BitCollector(bool zeros_are_empty, BitItems& items)
      : zeros_are_empty_(zeros_are_empty), items_(items), column_(items.column) {}

  [[nodiscard]] ItemRowSteps steps() {
    return {[this](std::string_view text, std::string_view what) {
              found_ += append_bits(text, what, column_.data);
            },
            [this] { return end_row(); }, [this] { leave_out(); },
            [this](const Inputs& inputs, std::uint32_t file, PlaceWriter& places) {
              add_file(inputs, file, places);
            }};
  }

  void finish() {
    if (column_.bits == 0 && column_.rows > 0) take_length({1, 1});
  }

 private:
  bool end_row() {
    const BitLength length{found_, column_.data.size() - column_.rows * column_.words};
    if (found_ == 0) {
      leave_out();
      return false;
    }
    check_bits(length, column_.bits == 0 ? length : BitLength{column_.bits, column_.words},
               "the first row has");
    if (column_.bits == 0) take_length(length);
    found_ = 0;
    ++column_.rows;
    return !leave_out_if_empty(column_.rows - 1);
  }

  // Returns true if the row is empty and was left out.
  bool leave_out_if_empty(std::size_t row) {
    if (!zeros_are_empty_ || has_a_bit(column_.row(row), column_.words)) return false;
    items_.left_out.push_back(static_cast<RowId>(row));
    return true;
  }

  // Adopts the length of the first good row, also for the rows left out before it.
  void take_length(const BitLength& length) {
    column_.bits = length.bits;
    column_.words = length.words;
    column_.data.insert(column_.data.begin(), column_.rows * length.words, 0);
  }

  void add_file(const Inputs& inputs, std::uint32_t file, PlaceWriter& places) {
    const InputFile& input = inputs.list[file];
    const VectorRows lie = input.format->vector_rows(inputs.files[file]);
    const BitColumn column = bits_of(input.format->read_vectors(inputs.files[file], 0), input.name);
    if (column.rows == 0) return;
    if (column_.bits == 0) take_length({column.bits, column.words});
    if (column_.bits != column.bits || column_.words != column.words) {
      throw Error(ErrorKind::malformed_input, BadPlace{input.name},
                  fmt::format("has strings of {} bits, but {} has strings of {}", column.bits,
                              inputs.list[0].name, column_.bits));
    }
    column_.data.insert(column_.data.end(), column.data.begin(), column.data.end());
    for (std::size_t row = 0; row < column.rows; ++row, ++column_.rows) {
      const bool is_empty = leave_out_if_empty(column_.rows);
      places.add({lie.begin + row * lie.row_bytes, static_cast<std::uint32_t>(lie.row_bytes), file},
                 is_empty ? RowState::empty : RowState::normal);
    }
  }

  void leave_out() {
    column_.data.resize(column_.rows * column_.words);
    items_.left_out.push_back(static_cast<RowId>(column_.rows));
    column_.data.resize(++column_.rows * column_.words);
    found_ = 0;
  }

  bool zeros_are_empty_;
  BitItems& items_;
  BitColumn& column_;
  std::size_t found_ = 0;  // bits of the row, as far as its fields are read
};

}  // namespace

BitItems read_bits(const ItemReading& reading, const std::vector<std::string>& inputs) {
  BitItems items;
  BitCollector collector(reading.zeros_are_empty, items);
  collect_items(reading, inputs, collector, items);
  return items;
}

void erase_rows(BitColumn& column, std::span<const RowId> rows) {
  erase_rows(column.data, column.words, rows);
  column.rows -= rows.size();
}

bool has_a_bit(const std::uint64_t* row, std::size_t words) noexcept {
  return std::any_of(row, row + words, [](std::uint64_t word) { return word != 0; });
}

std::size_t append_bits(std::string_view text, std::string_view what,
                        std::vector<std::uint64_t>& words) {
  if (const auto bits = append_hex_bits(text, words)) return *bits;
  throw RowError(fmt::format("{} is not a string of hexadecimal digits", what));
}

void check_bits(const BitLength& found, const BitLength& length, std::string_view those) {
  if (found.bits == 0) throw RowError("the bit string is empty");
  if (found.bits > kMostBits) {
    throw RowError(fmt::format("{} bits; the maximum is {}", found.bits, kMostBits));
  }
  if (found.bits != length.bits) {
    throw RowError(fmt::format("{} bits, {} {}", found.bits, those, length.bits));
  }
  // Each field starts a new word.
  if (found.words == length.words) return;
  throw RowError(fmt::format("{} bits in fields of other lengths than {}", found.bits, those));
}

void require_one_length(const BitItems& left, const BitItems& right) {
  const BitColumn& ours = left.column;
  const BitColumn& theirs = right.column;
  if (ours.rows == 0 || theirs.rows == 0 || ours.bits == theirs.bits) return;
  throw Error(ErrorKind::malformed_input, BadPlace{left.paths.front()},
              fmt::format("has strings of {} bits, but {} has strings of {}", ours.bits,
                          right.paths.front(), theirs.bits));
}

}  // namespace sosie
