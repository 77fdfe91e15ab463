#pragma once

#include <cstdint>
#include <optional>

#include "data/format.h"
#include "data/vector_column.h"
#include "io/file.h"
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

}  // namespace sosie
