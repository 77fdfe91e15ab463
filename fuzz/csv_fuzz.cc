// Cutting bytes into CSV rows block by block must give the rows of one block, lose no byte, and
// every row must parse or be refused. The first byte is the block size.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "data/padded_bytes.h"
#include "read/formats.h"
#include "read/quoted_rows.h"

namespace {

using namespace sosie;

void require(bool holds) {
  if (!holds) std::abort();
}

std::vector<std::string_view> cut(std::string_view bytes, QuoteState& state) {
  std::vector<std::string_view> rows;
  const char* at = bytes.data();
  const char* end = at + bytes.size();
  while (at < end) {
    const char* stop = find_row_end(at, end, ',', state);
    rows.emplace_back(at, static_cast<std::size_t>(stop - at));
    at = stop;
  }
  return rows;
}

// The state at the end of each block, found by composing the blocks' maps, is the scan's.
void check_maps(std::string_view bytes, std::size_t block_bytes) {
  QuoteState scanned = QuoteState::row_start;
  QuoteState composed = QuoteState::row_start;
  for (std::size_t at = 0; at < bytes.size(); at += block_bytes) {
    const std::string_view block = bytes.substr(at, block_bytes);
    (void)cut(block, scanned);
    composed = pass_over(block, ',')[static_cast<std::size_t>(composed)];
    require(scanned == composed);
  }
}

void check_parser(const std::vector<std::string_view>& rows) {
  const std::vector<std::string> header = {"id", "text"};
  const auto parser = make_csv_parser({"text", "id", {"n"}}, header);
  PaddedBytes padded;
  Record record;
  for (const std::string_view row : rows) {
    padded.assign(row);
    try {
      parser->parse(padded.view(), record);
      require(record.text.size() <= row.size() && record.id.size() <= row.size());
    } catch (const RowError& error) {
      require(error.offset() <= row.size());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  QuoteState state = QuoteState::row_start;
  const std::vector<std::string_view> rows = cut(bytes, state);
  std::size_t total = 0;
  for (const std::string_view row : rows) total += row.size();
  require(total == bytes.size());
  check_maps(bytes, 1U + data[0]);
  check_parser(rows);
  return 0;
}
