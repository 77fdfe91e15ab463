// Splitting bytes into CSV rows in blocks gives the same rows as splitting them all at once, and
// loses no byte. Every row yields the same fields as a plain reader for RFC 4180 or for the TSV
// dialect (docs/formats.md), or both reject it at the same place. The first byte determines the
// block size and selects commas or tabs.
#include <optional>
#include <string>
#include <vector>

#include "fuzz/input.h"
#include "read/quote_map.h"
#include "read/row_parsers.h"
#include "write/row_writers.h"

namespace {

using namespace sosie;
using fuzz::require;

struct Fields {
  std::vector<std::string> values;
  std::optional<std::size_t> fault;  // place of the fault
};

std::vector<std::string_view> cut(std::string_view bytes, char separator, QuoteState& state) {
  std::vector<std::string_view> rows;
  const char* at = bytes.data();
  const char* end = at + bytes.size();
  while (at < end) {
    const char* stop = find_row_end(at, end, {separator}, state);
    rows.emplace_back(at, static_cast<std::size_t>(stop - at));
    at = stop;
  }
  return rows;
}

// Composing the blocks' maps gives the same state at the end of each block as scanning.
void check_maps(std::string_view bytes, char separator, std::size_t block_bytes) {
  QuoteState scanned = QuoteState::row_start;
  QuoteState composed = QuoteState::row_start;
  for (std::size_t at = 0; at < bytes.size(); at += block_bytes) {
    const std::string_view block = bytes.substr(at, block_bytes);
    (void)cut(block, separator, scanned);
    composed = pass_over(block, {separator})[static_cast<std::size_t>(composed)];
    require(scanned == composed);
  }
}

std::string unescaped(std::string_view value) {
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string_view two = value.substr(i, 2);
    const bool escapes = two == "\\t" || two == "\\n" || two == "\\r" || two == "\\\\";
    text += two == "\\t" ? '\t' : two == "\\n" ? '\n' : two == "\\r" ? '\r' : value[i];
    i += escapes ? 1 : 0;
  }
  return text;
}

Fields plain_tsv(std::string_view row) {
  Fields fields;
  for (std::size_t begin = 0;;) {
    std::size_t end = std::min(row.find('\t', begin), row.size());
    std::string value(row.substr(begin, end - begin));
    if (value.starts_with('"')) {
      std::string inside;
      std::size_t at = begin + 1;
      while (at < row.size() && (row[at] != '"' || row.substr(at + 1).starts_with('"'))) {
        inside += row[at];
        at += row[at] == '"' ? 2 : 1;
      }
      if (at >= row.size()) return {{}, begin};
      if (at + 1 == row.size() || row[at + 1] == '\t') {
        value = inside;
        end = at + 1;
      }
    }
    fields.values.push_back(unescaped(value));
    if (end == row.size()) return fields;
    begin = end + 1;
  }
}

Fields plain_csv(std::string_view row) {
  constexpr char separator = ',';
  Fields fields;
  std::size_t at = 0;
  while (true) {
    std::string& value = fields.values.emplace_back();
    const std::size_t begin = at;
    const bool is_quoted = row.substr(at).starts_with('"');
    bool is_open = is_quoted;
    for (at += is_quoted ? 1 : 0; at < row.size() && (is_open || row[at] != separator); ++at) {
      if (row[at] == '"' && is_open && !row.substr(at + 1).starts_with('"')) {
        is_open = false;
      } else if (is_quoted && !is_open) {
        return {{}, begin};
      } else if (row[at] == '"' && !is_quoted) {
        return {{}, at};
      } else {
        value += row[at];
        at += row[at] == '"' ? 1 : 0;
      }
    }
    if (is_open) return {{}, begin};
    if (at == row.size()) return fields;
    ++at;
  }
}

Fields plain_fields(std::string_view row, char separator) {
  return separator == '\t' ? plain_tsv(row) : plain_csv(row);
}

std::optional<Fields> read(std::string_view row, char separator, char padding) {
  const std::vector<std::string> header = {"id", "text"};
  const FieldRequest request{"text", "id", {"n", "text"}};
  const auto parser = separator == ',' ? make_csv_row_parser(request, header)
                                       : make_tsv_row_parser(request, header);
  PaddedBytes padded;
  Record record;
  try {
    parser->parse(fuzz::padded(row, padding, padded), record);
  } catch (const RowError& error) {
    return Fields{{}, error.offset()};
  }
  fuzz::touch_padding(record.text);
  require(record.others.at(0).kind == FieldValue::Kind::missing);
  require(record.others.at(1).text == record.text);
  return Fields{{std::string(record.id), std::string(record.text)}, std::nullopt};
}

void check_row(std::string_view row, char separator) {
  const Fields expected = plain_fields(row, separator);
  const std::optional<Fields> found = read(row, separator, '\0');
  require(found->fault == read(row, separator, '"')->fault);
  if (expected.values.size() == 2) {
    require(!found->fault && found->values == expected.values);
    std::string longer(row);
    (separator == ',' ? kCsvRowWriter : kTsvRowWriter)
        .add(longer, {{"n", std::string_view(row)}}, {separator});
    require(plain_fields(longer, separator).values ==
            std::vector<std::string>{expected.values[0], expected.values[1], std::string(row)});
  } else {
    require(found->fault == expected.fault.value_or(0));  // 0: the number of fields is wrong
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::size_t first = input.byte();
  const char separator = first % 2 == 0 ? ',' : '\t';
  const std::string_view bytes = input.rest();
  QuoteState state = QuoteState::row_start;
  const std::vector<std::string_view> rows = cut(bytes, separator, state);
  std::size_t total = 0;
  for (const std::string_view row : rows) total += row.size();
  require(total == bytes.size());
  check_maps(bytes, separator, 1 + first);
  for (std::string_view row : rows) {
    if (row.ends_with('\n')) row.remove_suffix(1);
    check_row(row, separator);
  }
  return 0;
}
