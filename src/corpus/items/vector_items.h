#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/items/item_rows.h"
#include "data/columns.h"
#include "options/settings.h"
#include "sosie/join.h"

namespace sosie {

// One collection of vectors: rows of all files, in the order of the inputs.
struct VectorItems {
  VectorColumn column;
  ItemIds ids;
  ItemIds against_ids;             // ids of the rows in front, see ItemReading
  std::uint64_t bytes = 0;         // bytes of the files
  std::vector<std::string> paths;  // paths, --against in front
  std::vector<RowId>
      left_out;  // rows that take no part (see ItemPlaces): all their components are 0
};

// Reads files of vectors (.npy, .fvecs, ...), or rows with a list of numbers in options.column (or
// a number in each of its fields a,b,...). Rows without a number are left out. Bad are the bad rows
// of read_item_rows(), vectors of another dimension than the first good one's, vectors of zeros if
// reading.without_zeros says so, and, in files of vectors, rows with a component that is not
// finite. Errors: as the readers, and for equal ids.
[[nodiscard]] VectorItems read_vectors(const ItemReading& reading,
                                       const std::vector<std::string>& inputs);

// Appends what a field of a row of text holds (`what` names it). Throws RowError.
void append_components(std::string_view text, std::string_view what, std::vector<double>& out);

// Throws RowError unless a row may have so many components where `those` have `dimension` each.
void check_dimension(std::size_t found, std::size_t dimension, std::string_view those);

// Gives two collections components of one type, which holds both exactly. Throws
// Error{malformed_input} when their dimensions differ.
void give_one_type(VectorItems& left, VectorItems& right);

// Gives a column components of a type that holds another column's components, too; its own type, if
// it does.
void widen_for(VectorColumn& column, const VectorColumn& other);

// "uint8": the type of the components.
[[nodiscard]] std::string component_name(const VectorColumn& column);

// Copies of some rows.
[[nodiscard]] VectorColumn take_rows(const VectorColumn& column,
                                     std::span<const std::uint32_t> rows);

// Takes rows out.
void erase_rows(VectorColumn& column, std::span<const RowId> rows);

// Bytes of a column's components.
[[nodiscard]] std::uint64_t memory_bytes(const VectorColumn& column);

// The bytes of one row.
[[nodiscard]] std::string_view bytes_of_row(const VectorColumn& column, std::size_t row);

}  // namespace sosie
