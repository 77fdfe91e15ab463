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

// The fields of "title|name,messages[].content", which an option names side by side, each as it is
// written: a comma behind a backslash belongs to a name.
[[nodiscard]] std::vector<std::string> joined_names(std::string_view names);

// Rows that lie in the caller's memory, as an input of a run (Options::table). A row is what the
// columns hold at one position. All functions may be called from many threads at once; what they
// return lives as long as the table.
class Table {
 public:
  Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  virtual ~Table() = default;

  [[nodiscard]] virtual std::uint64_t rows() const noexcept = 0;
  // In order. A table made of one column alone may leave it without a name.
  [[nodiscard]] virtual std::vector<std::string> column_names() const = 0;
  // True if values of this column are texts.
  [[nodiscard]] virtual bool holds_text(std::size_t column) const noexcept = 0;
  // Kind::missing for a null.
  [[nodiscard]] virtual FieldValue value(std::size_t column, std::uint64_t row) const = 0;
};

// Takes over a stream of record batches, or of one column, as `__arrow_c_stream__` of Python
// objects hands it out (Arrow C data interface), without copying it. Columns of strings and
// binaries (with 32-bit or 64-bit offsets, or as views), numbers and booleans, dictionaries of
// these, and nulls can be asked for values; others are there by name only. Throws
// Error{malformed_input} when the stream fails, with what it says.
[[nodiscard]] std::shared_ptr<const Table> table_from_arrow(ArrowArrayStream* stream);

}  // namespace sosie
