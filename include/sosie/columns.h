#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct ArrowArrayStream;  // defined by the Arrow C stream interface

namespace sosie {

// The value of one field of a row.
struct FieldValue {
  enum class Kind : std::uint8_t { missing, number, text, other } kind = Kind::missing;
  long double number = 0;  // holds every 64-bit integer exactly on x86-64
  std::string_view text;   // for rows read from bytes: numbers and other values as written
};

// Splits a list of fields, such as "title|name,messages[].content", at its commas; a comma after a
// backslash is part of a name. The names are returned as written.
[[nodiscard]] std::vector<std::string> joined_names(std::string_view names);

// Rows in the caller's memory, as an input of a run (Options::table). A row consists of the values
// of all columns at the same position. All functions are thread-safe; what they return lives as
// long as the table.
class Table {
 public:
  Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  virtual ~Table() = default;

  [[nodiscard]] virtual std::uint64_t rows() const noexcept = 0;
  // Names of the columns, in order. If the table has only one column, its name may be empty.
  [[nodiscard]] virtual std::vector<std::string> column_names() const = 0;
  // True if the values of this column are texts.
  [[nodiscard]] virtual bool holds_text(std::size_t column) const noexcept = 0;
  // Returns Kind::missing for a null.
  [[nodiscard]] virtual FieldValue value(std::size_t column, std::uint64_t row) const = 0;
};

// Takes ownership of a stream of record batches or of a single column, as returned by
// `__arrow_c_stream__` of Python objects (Arrow C data interface), without copying its data. The
// table gives the values of strings and binaries (32-bit or 64-bit offsets, or views), numbers,
// booleans, dictionaries of these, and nulls; for columns of any other type, only the names. Throws
// Error{malformed_input} with the stream's message if the stream fails.
[[nodiscard]] std::shared_ptr<const Table> table_from_arrow(ArrowArrayStream* stream);

}  // namespace sosie
