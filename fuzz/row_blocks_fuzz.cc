// Blocks of any size, and a stream, give the same rows as a plain scan. The first byte determines
// how rows end, the second byte the block size; \x01 stands for a row longer than the read-ahead.
#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/input.h"
#include "read/block_reader.h"

namespace {

using namespace sosie;
using fuzz::require;

constexpr std::size_t kLongBytes = 70'000;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct Row {
  std::uint64_t offset;
  std::uint32_t length;
  std::string bytes;

  friend bool operator==(const Row&, const Row&) = default;
};

// The position after the line feed that ends the row. A quote opens a quoted field only at the
// beginning of the field.
std::size_t row_end(std::string_view bytes, std::size_t at, const RowSource& source) {
  const bool may_quote = source.row_ends == RowEnds::quoted_line;
  for (bool begins = true; at < bytes.size(); ++at) {
    if (may_quote && begins && bytes[at] == '"') {
      for (++at; at < bytes.size(); ++at) {
        if (bytes[at] != '"') continue;
        if (at + 1 == bytes.size() || bytes[at + 1] != '"') break;
        ++at;  // doubled
      }
      if (at == bytes.size()) return at;
      begins = false;
      continue;
    }
    if (bytes[at] == '\n') return at + 1;
    begins = bytes[at] == source.dialect.separator;
  }
  return at;
}

std::vector<Row> plain_rows(std::string_view bytes, const RowSource& source) {
  std::vector<Row> rows;
  std::size_t at = source.begin;
  if (at == 0 && bytes.starts_with(kByteOrderMark)) at = kByteOrderMark.size();
  while (at < bytes.size()) {
    const std::size_t end = row_end(bytes, at, source);
    std::string_view row = bytes.substr(at, end - at);
    if (row.ends_with('\n')) row.remove_suffix(1);
    if (row.ends_with('\r')) row.remove_suffix(1);
    rows.push_back({at, static_cast<std::uint32_t>(end - at), std::string(row)});
    at = end;
  }
  return rows;
}

Row copied(const RowView& row) {
  fuzz::touch_padding(row.bytes);
  return {row.offset, row.length, std::string(row.bytes)};
}

void check(const RowSource& source, const std::vector<Row>& rows, std::uint64_t block_bytes) {
  static ThreadPool pool(1, nullptr);
  std::vector<Row> in_blocks;
  BlockReader reader;
  for (const BlockRange& range : cut_into_blocks({&source, 1}, block_bytes, pool)) {
    reader.open(source, range);
    for (RowView row; reader.next(row);) in_blocks.push_back(copied(row));
  }
  require(in_blocks == rows);
  RowStream stream(source);
  std::vector<Row> streamed;
  for (RowView row; stream.next(row);) streamed.push_back(copied(row));
  require(streamed == rows);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::uint8_t kind = input.byte();
  std::uint64_t block_bytes = 1U + input.byte();
  std::string bytes(input.rest());
  if (const std::size_t at = bytes.find('\x01'); at != std::string::npos) {
    bytes.replace(at, 1, std::string(kLongBytes, 'x'));
    block_bytes *= 512;
  }
  const File file = fuzz::file_of(bytes);
  RowSource source{
      &file, kind % 3 == 0 ? RowEnds::line : RowEnds::quoted_line, {kind % 3 == 1 ? ',' : '\t'}, 0};
  std::vector<Row> rows = plain_rows(bytes, source);
  check(source, rows, block_bytes);
  if (source.row_ends != RowEnds::quoted_line || rows.empty()) return 0;
  source.begin = rows[0].offset + rows[0].length;  // the rows after a header
  rows.erase(rows.begin());
  check(source, rows, block_bytes);
  return 0;
}
