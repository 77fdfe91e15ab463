// Columns of a table in memory as fields of records.
#include "corpus/table_columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/joined_text.h"
#include "core/nearest_name.h"
#include "read/field_paths.h"
#include "sosie/error.h"

namespace sosie {
namespace {

std::size_t find_column(const std::vector<std::string>& names, const std::string& field,
                        const std::string& table) {
  if (names.size() == 1 && names.front().empty()) return 0;
  const std::string asked = unescaped_name(field);
  const auto count = std::count(names.begin(), names.end(), asked);
  if (count == 1) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), asked) - names.begin());
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view nearest = nearest_name(asked, views);
  throw Error(
      ErrorKind::malformed_input, BadPlace{table},
      fmt::format("column '{}' is {}", asked, count == 0 ? "missing" : "there twice"),
      fmt::format("{}available columns: {}",
                  nearest.empty() || count > 1 ? "" : fmt::format("did you mean '{}'? ", nearest),
                  joined_text(names, ", ")));
}

}  // namespace

void TableColumns::fill(std::uint64_t row, Record& record) const {
  record.others.clear();
  for (const std::size_t column : others) {
    record.others.push_back(column == kNoColumn ? FieldValue{} : table->value(column, row));
  }
}

std::uint64_t TableColumns::text_bytes() const {
  std::uint64_t bytes = 0;
  for (std::uint64_t row = 0; row < table->rows(); ++row) {
    bytes += table->value(text, row).text.size();
  }
  return bytes;
}

std::uint64_t TableColumns::row_of_byte(std::uint64_t address) const {
  std::uint64_t found = table->rows();
  for (std::uint64_t row = 0; row < table->rows(); ++row) {
    const std::string_view value = table->value(text, row).text;
    const auto begin = reinterpret_cast<std::uintptr_t>(value.data());
    if (begin == address) return row;  // not the end of the one before
    if (begin < address && address <= begin + value.size()) found = row;
  }
  return found;
}

TableColumns columns_of(const std::shared_ptr<const Table>& table, const FieldRequest& fields,
                        const std::string& name) {
  const std::vector<std::string> names = table->column_names();
  TableColumns columns{table, find_column(names, fields.column, name), {}};
  if (table->rows() > 0 && !table->holds_text(columns.text)) {
    throw Error(ErrorKind::malformed_input, BadPlace{name},
                fmt::format("column '{}' contains no text", fields.column));
  }
  for (const std::string& other : fields.others) {
    columns.others.push_back(find_column(names, other, name));
  }
  return columns;
}

}  // namespace sosie
