#pragma once

#include "data/format.h"
#include "data/vector_column.h"
#include "io/file.h"

namespace sosie {

// Files of vectors. Errors: malformed_input naming the file, and the row (from 0) and component
// where there is one: not the format, a kind of number that is not read, components that are not
// finite, rows of different lengths, fewer or more bytes than announced, dimensions above
// kMaxDimension.

// numpy's .npy, versions 1 to 3: two dimensions in C or Fortran order, of either byte order.
// float32, float64, int8 and uint8 are kept as they are, float16, int16 and uint16 as float32,
// wider integers as float64 (beyond 2^53: refused), truth values as uint8.
[[nodiscard]] VectorColumn read_npy(const File& file);
[[nodiscard]] VectorRows npy_rows(const File& file);
[[nodiscard]] std::string_view npy_kind(const File& file);  // "bits" for an array of truth values
// Of version 1, as numpy.save() writes it.
[[nodiscard]] std::string npy_header(const File& file, std::uint64_t rows);

// Rows of a 32-bit dimension and as many float32, uint8, or int32 (kept as float64), little-endian
// (corpus-texmex.irisa.fr).
[[nodiscard]] VectorColumn read_fvecs(const File& file);
[[nodiscard]] VectorColumn read_bvecs(const File& file);
[[nodiscard]] VectorColumn read_ivecs(const File& file);
[[nodiscard]] VectorRows rows_of_words(const File& file);  // .fvecs and .ivecs
[[nodiscard]] VectorRows rows_of_bytes(const File& file);  // .bvecs

}  // namespace sosie
