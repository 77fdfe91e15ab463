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

// Files of vectors. Errors: malformed_input naming the file, and the row (from 0) and component
// where there is one: not the format, a kind of number that is not read, rows of different lengths,
// fewer or more bytes than announced, dimensions above kMaxDimension. Components may be infinite or
// no numbers: the caller asks not_finite(). `spare`: components for which the column leaves room.

// numpy's .npy, versions 1 to 3: two dimensions in C or Fortran order, of either byte order.
// float32, float64, int8 and uint8 are kept as they are, float16, int16 and uint16 as float32,
// wider integers as float64 (beyond 2^53: refused), truth values as uint8.
[[nodiscard]] VectorColumn read_npy(const File& file, std::size_t spare = 0);
[[nodiscard]] VectorRows npy_rows(const File& file);
[[nodiscard]] std::string_view npy_kind(const File& file);  // "bits" for an array of truth values
// Header of version 1, as numpy.save() writes it.
[[nodiscard]] std::string npy_header(const File& file, std::uint64_t rows);
// Header for vectors that lie row by row in this machine's byte order.
[[nodiscard]] std::string npy_header(ItemArray::Type type, std::uint64_t rows,
                                     std::uint64_t dimension);

// Rows of a 32-bit dimension and as many float32, uint8, or int32 (kept as float64), little-endian
// (corpus-texmex.irisa.fr).
[[nodiscard]] VectorColumn read_fvecs(const File& file, std::size_t spare = 0);
[[nodiscard]] VectorColumn read_bvecs(const File& file, std::size_t spare = 0);
[[nodiscard]] VectorColumn read_ivecs(const File& file, std::size_t spare = 0);
[[nodiscard]] VectorRows rows_of_words(const File& file);  // .fvecs and .ivecs
[[nodiscard]] VectorRows rows_of_bytes(const File& file);  // .bvecs

// A component that measures have no value for.
struct NotFinite {
  std::uint64_t row = 0;
  std::uint64_t component = 0;
  bool is_nan = false;  // else infinite
};
// The first one in the rows from `first_row` on.
[[nodiscard]] std::optional<NotFinite> not_finite(const VectorColumn& column,
                                                  std::uint64_t first_row);

// Appends the numbers of a list as JSON writes it ("[1, 2.5, -3e-2]"), or as plain text does:
// between blanks, commas or semicolons, with or without brackets. False when it holds anything
// else, an empty place, a number that is not finite, or when it mixes separators.
[[nodiscard]] bool append_numbers(std::string_view text, std::vector<double>& out);

// True for a list in which some numbers have a comma or a semicolon between them and others
// another separator: "1,5 2,0" may be two numbers with decimal commas, or four.
[[nodiscard]] bool mixes_separators(std::string_view text);

// Appends a string of hexadecimal digits as bits, four a digit, to whole 64-bit words (the last
// filled up with zeros); returns how many bits. Blanks around it and "0x" in front are left out.
// Nothing, and nothing appended, when it holds anything else.
[[nodiscard]] std::optional<std::size_t> append_hex_bits(std::string_view text,
                                                         std::vector<std::uint64_t>& words);

[[noreturn]] inline void refuse_vectors(const File& file, const std::string& why,
                                        std::string hint = {}) {
  throw Error(ErrorKind::malformed_input, BadPlace{file.name()}, why, std::move(hint));
}

}  // namespace sosie
