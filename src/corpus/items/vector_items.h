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

// A collection of vectors, made of the rows of all files in the order of the inputs.
struct VectorItems {
  VectorColumn column;
  ItemIds ids;
  ItemIds against_ids;             // ids of the rows that come first, see ItemReading
  std::uint64_t bytes = 0;         // bytes of the files
  std::vector<std::string> paths;  // paths, --against first
  std::vector<RowId>
      left_out;  // rows that take no part (see ItemPlaces): all their components are 0
};

// Reads vector files (.npy, .fvecs, ...), or rows with a list of numbers in options.column (or one
// number in each of its fields a,b,...). Rows without a number are left out. Bad rows: as for
// read_item_rows(); vectors whose dimension differs from that of the first good row; vectors of
// zeros if reading.without_zeros is set; in vector files, rows with a component that is not finite.
// Errors: as the readers report, and for equal ids.
[[nodiscard]] VectorItems read_vectors(const ItemReading& reading,
                                       const std::vector<std::string>& inputs);

// Appends the components in a field of a text row (`what` names the field). Throws RowError.
void append_components(std::string_view text, std::string_view what, std::vector<double>& out);

// Throws RowError if the number of components is not `dimension`. `those` describes the rows that
// have this dimension.
void check_dimension(std::size_t found, std::size_t dimension, std::string_view those);

// Converts two collections to a component type that represents both exactly. Throws
// Error{malformed_input} if their dimensions differ.
void give_one_type(VectorItems& left, VectorItems& right);

// If necessary, widens the component type of a column so that it can also represent another
// column's components.
void widen_for(VectorColumn& column, const VectorColumn& other);

// Name of the component type, for example "uint8".
[[nodiscard]] std::string component_name(const VectorColumn& column);

// Copies the given rows.
[[nodiscard]] VectorColumn take_rows(const VectorColumn& column,
                                     std::span<const std::uint32_t> rows);

// Removes the given rows.
void erase_rows(VectorColumn& column, std::span<const RowId> rows);

// Size of a column's components in bytes.
[[nodiscard]] std::uint64_t memory_bytes(const VectorColumn& column);

// The bytes of a row.
[[nodiscard]] std::string_view bytes_of_row(const VectorColumn& column, std::size_t row);

}  // namespace sosie
