#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "corpus/row_parsers.h"

namespace sosie {

// A row that was drawn by hash(seed, row).
struct SampledRow {
  std::uint64_t order;  // the hash: the least are taken first
  std::uint32_t file;
  RowView row;  // its bytes are gone
  bool operator<(const SampledRow& other) const noexcept { return order < other.order; }
};

// Rows of the first 32 MiB (8 MiB and more than 1,000 rows, if they are long), the least hashes
// first, and what was seen of all of these.
struct Draw {
  std::vector<SampledRow> rows;
  std::uint64_t seen_rows = 0;
  std::uint64_t seen_others = 0;  // rows of --against that were seen
  std::uint64_t seen_bytes = 0;
  bool whole = true;  // there are no other rows
};

// Draws `most` rows at most. Depends on the rows in order only, not on how they are spread over
// files. Blank lines are no rows.
[[nodiscard]] Draw draw_rows(const Inputs& inputs, std::uint64_t seed, std::size_t most);

// Rows [first, end) of a draw in input order: no more than `most`, and once there are 128 of them
// no more when they have 2 MiB.
[[nodiscard]] std::vector<SampledRow> rows_of_draw(const Draw& draw, std::size_t first,
                                                   std::size_t most);

// Reads drawn rows as shingles. Belongs to one thread.
class SampledRowReader {
 public:
  SampledRowReader(const Inputs& inputs, const Settings& settings);

  // Hashes of a row's shingles, repetitions included; none if the row cannot be read. Valid until
  // the next call.
  [[nodiscard]] std::span<const std::uint64_t> read(const SampledRow& drawn);

 private:
  const Inputs& inputs_;
  RowParsers parsers_;
  TextShingler shingler_;
  PaddedBytes bytes_;
  Record record_;
};

}  // namespace sosie
