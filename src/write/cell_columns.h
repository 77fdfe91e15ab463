#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/row_writer.h"
#include "sosie/arrow_c_data.h"

namespace sosie {

// Rows of cells as columns of the Arrow C data interface: texts (64-bit offsets), 64-bit integers,
// doubles and booleans, as what a column is first given says. An empty text in a column of others
// is a null.
class CellColumns {
 public:
  explicit CellColumns(const std::vector<std::string>& names);

  // Adds a value to a column, by its number. Throws Error{unsupported} when schema() has said of
  // the column what this is not; before that a column of integers becomes one of texts.
  void add(std::size_t number, const Cell& cell);
  void add_null(std::size_t number);

  // Rows since take(). All columns must be as long.
  [[nodiscard]] std::uint64_t rows() const noexcept { return columns_.front().length; }
  // About how much memory they take.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

  // A struct of the columns; from now on they are of these types. Columns of nulls alone are texts.
  void schema(ArrowSchema* out);
  // The rows, as a struct; they are the caller's now.
  void take(ArrowArray* out);

 private:
  enum class Type : std::uint8_t { unknown, text, integer, number, flag };
  struct Column {
    std::string name;
    Type type = Type::unknown;
    std::uint64_t length = 0;
    std::uint64_t nulls = 0;
    std::vector<std::uint8_t> validity;  // bits
    std::vector<std::int64_t> integers;  // or the ends of texts
    std::vector<double> numbers;
    std::vector<std::uint8_t> flags;  // bits
    std::string texts;
  };
  struct Batch;

  static Type type_of(const Cell& cell) noexcept;
  static void push(Column& column, bool valid);
  static void integers_to_texts(Column& column);
  void settle(Column& column, Type type) const;

  std::vector<Column> columns_;
  bool settled_ = false;
};

}  // namespace sosie
