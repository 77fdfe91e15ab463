#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/columns.h"
#include "data/format.h"
#include "data/kinds.h"
#include "io/file.h"
#include "sosie/error.h"
#include "sosie/item_array.h"

namespace sosie {

// Vector files. Errors: malformed_input with the file and, if known, the row (from 0) and
// component, for a wrong format, an unsupported type of number, rows of different lengths, fewer or
// more bytes than announced, and dimensions above kMaxDimension. Components may be infinite or NaN;
// callers check this with not_finite(). `spare`: number of components to reserve in the column.

// numpy's .npy, versions 1 to 3: two dimensions in C or Fortran order, in either byte order.
// float32, float64, int8 and uint8 keep their types; float16, int16 and uint16 become float32;
// wider integers become float64 (beyond 2^53: an error); booleans become uint8.
[[nodiscard]] VectorColumn read_npy(const File& file, std::size_t spare = 0);
[[nodiscard]] VectorRows npy_rows(const File& file);
[[nodiscard]] KindBit npy_kind(const File& file);  // bits for an array of booleans
// Header of version 1, as numpy.save() writes it.
[[nodiscard]] std::string npy_header(const File& file, std::uint64_t rows);
// Header for vectors stored row by row in this machine's byte order.
[[nodiscard]] std::string npy_header(ItemArray::Type type, std::uint64_t rows,
                                     std::uint64_t dimension);

// Rows that consist of a 32-bit dimension and as many float32, uint8, or int32 (converted to
// float64), little-endian (corpus-texmex.irisa.fr).
[[nodiscard]] VectorColumn read_fvecs(const File& file, std::size_t spare = 0);
[[nodiscard]] VectorColumn read_bvecs(const File& file, std::size_t spare = 0);
[[nodiscard]] VectorColumn read_ivecs(const File& file, std::size_t spare = 0);
[[nodiscard]] VectorRows rows_of_words(const File& file);  // .fvecs and .ivecs
[[nodiscard]] VectorRows rows_of_bytes(const File& file);  // .bvecs

// A component for which measures have no value.
struct NotFinite {
  std::uint64_t row = 0;
  std::uint64_t component = 0;
  bool is_nan = false;  // else infinite
};
// The first such component in row `first_row` or a later row.
[[nodiscard]] std::optional<NotFinite> not_finite(const VectorColumn& column,
                                                  std::uint64_t first_row);

// Appends the numbers in a list, which is either JSON ("[1, 2.5, -3e-2]") or plain text: separated
// by spaces, commas or semicolons, with or without brackets. Returns false if it contains anything
// else, an empty place, a number that is not finite, or mixed separators.
[[nodiscard]] bool append_numbers(std::string_view text, std::vector<double>& out);

// True for a list in which a comma or a semicolon separates some numbers and another separator
// separates others: "1,5 2,0" may be two numbers with decimal commas, or four numbers.
[[nodiscard]] bool mixes_separators(std::string_view text);

// Appends a string of hexadecimal digits as bits, four per digit, in whole 64-bit words (zeros fill
// up the last word); returns the number of bits. Surrounding spaces and a leading "0x" are ignored.
// If it contains anything else, appends nothing and returns nullopt.
[[nodiscard]] std::optional<std::size_t> append_hex_bits(std::string_view text,
                                                         std::vector<std::uint64_t>& words);

[[noreturn]] inline void refuse_vectors(const File& file, const std::string& why,
                                        std::string hint = {}) {
  throw Error(ErrorKind::malformed_input, BadPlace{file.name()}, why, std::move(hint));
}

}  // namespace sosie
