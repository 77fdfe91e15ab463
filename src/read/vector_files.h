#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/columns.h"
#include "data/format.h"
#include "io/file.h"
#include "sosie/error.h"
#include "sosie/item_array.h"

namespace sosie {

// Vector files. Errors: malformed_input with the file, and the row (from 0) and component if known:
// wrong format, an unsupported type of number, rows of different lengths, fewer or more bytes than
// announced, dimensions above kMaxDimension. Components may be infinite or NaN: callers check with
// not_finite(). `spare`: components to reserve in the column.

// numpy's .npy, versions 1 to 3: two dimensions in C or Fortran order, of either byte order.
// float32, float64, int8 and uint8 are kept as they are, float16, int16 and uint16 become float32,
// wider integers float64 (beyond 2^53: an error), booleans uint8.
[[nodiscard]] VectorColumn read_npy(const File& file, std::size_t spare = 0);
[[nodiscard]] VectorRows npy_rows(const File& file);
[[nodiscard]] std::string_view npy_kind(const File& file);  // "bits" for an array of booleans
// Header of version 1, as numpy.save() writes it.
[[nodiscard]] std::string npy_header(const File& file, std::uint64_t rows);
// Header for vectors stored row by row in this machine's byte order.
[[nodiscard]] std::string npy_header(ItemArray::Type type, std::uint64_t rows,
                                     std::uint64_t dimension);

// Rows of a 32-bit dimension and that number of float32, uint8, or int32 (kept as float64),
// little-endian (corpus-texmex.irisa.fr).
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
// The first such component in the rows from `first_row`.
[[nodiscard]] std::optional<NotFinite> not_finite(const VectorColumn& column,
                                                  std::uint64_t first_row);

// Appends the numbers of a list in JSON ("[1, 2.5, -3e-2]") or in plain text: separated by spaces,
// commas or semicolons, with or without brackets. Returns false if it contains anything else, an
// empty place, a number that is not finite, or mixed separators.
[[nodiscard]] bool append_numbers(std::string_view text, std::vector<double>& out);

// True for a list in which some numbers are separated by a comma or a semicolon and others by
// another separator: "1,5 2,0" may be two numbers with decimal commas, or four.
[[nodiscard]] bool mixes_separators(std::string_view text);

// Appends a string of hexadecimal digits as bits, four per digit, to whole 64-bit words (the last
// one padded with zeros); returns the number of bits. Surrounding spaces and a leading "0x" are
// ignored. Returns nullopt and appends nothing if it contains anything else.
[[nodiscard]] std::optional<std::size_t> append_hex_bits(std::string_view text,
                                                         std::vector<std::uint64_t>& words);

[[noreturn]] inline void refuse_vectors(const File& file, const std::string& why,
                                        std::string hint = {}) {
  throw Error(ErrorKind::malformed_input, BadPlace{file.name()}, why, std::move(hint));
}

}  // namespace sosie
