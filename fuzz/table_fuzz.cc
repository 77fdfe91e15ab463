// Any bytes are read as a table or rejected; a table that has been read stays the same when written
// and read again. The first byte selects the format.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/input.h"
#include "options/formats.h"
#include "read/table_reader.h"
#include "sosie/error.h"

namespace {

using namespace sosie;
using fuzz::require;

constexpr std::array<std::string_view, 3> kNames = {"tsv", "csv", "jsonl"};

struct ReadTable {
  TableCells columns;
  std::vector<TableCells> rows;

  friend bool operator==(const ReadTable&, const ReadTable&) = default;
};

// "in.csv:17" lies in the file.
void check_place(std::string_view place, std::string_view bytes) {
  const std::string_view digits = place.substr(place.find(':') + 1);
  std::int64_t line = 0;
  (void)std::from_chars(digits.data(), digits.data() + digits.size(), line);
  require(line >= 1 && line <= 1 + std::count(bytes.begin(), bytes.end(), '\n'));
}

std::optional<ReadTable> read(std::string_view bytes, const Format& format) {
  const File file = fuzz::file_of(bytes);
  try {
    TableReader reader(file, "in" + std::string(format.extensions.front()), format);
    ReadTable table{reader.columns(), {}};
    while (reader.next()) {
      check_place(reader.place(), bytes);
      require(reader.cells().size() == table.columns.size());
      table.rows.push_back(reader.cells());
    }
    for (const std::string& name : table.columns) require(reader.has_column(name));
    return table;
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::malformed_input);
    return std::nullopt;
  }
}

std::string written(const ReadTable& table, const Format& format) {
  std::string bytes = "\xEF\xBB\xBF";  // otherwise a mark in the first name would be taken for it
  format.writer->header(bytes, table.columns);
  for (const TableCells& row : table.rows) {
    std::vector<Cell> cells;
    for (const std::string& cell : row) cells.emplace_back(std::string_view(cell));
    format.writer->row(bytes, table.columns, cells);
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const Format& format = *format_by_name(kNames[input.byte() % kNames.size()]);
  const bool is_json = !format.has_header;
  const std::optional<ReadTable> table = read(input.rest(), format);
  if (!table || table->rows.empty()) return 0;
  // JSON contains no raw NUL: it is escaped in values.
  require(!is_json || input.rest().find('\0') == std::string_view::npos);
  // A row with a single empty value would be a blank line.
  if (is_json || table->columns.size() > 1) require(read(written(*table, format), format) == table);
  return 0;
}
