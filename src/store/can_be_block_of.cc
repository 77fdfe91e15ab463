// Checks the numbers of a saved block against the input that it stands for: checksums protect from
// disks, not from people.
#include "store/can_be_block_of.h"

#include <algorithm>

#include "sketch/band_keys.h"

namespace sosie {
namespace {

bool has_rows_in_order(const BlockRange& range, std::uint64_t file_bytes,
                       const ScannedBlock& block) noexcept {
  std::uint64_t free_from = range.begin;
  for (const RowLocator& row : block.locators) {
    const bool begins_here =
        range.row_ends == RowEnds::file ? row.offset <= range.end : row.offset < range.end;
    if (!begins_here || row.offset < free_from) return false;
    if (row.offset > file_bytes || row.length > file_bytes - row.offset) return false;
    free_from = row.offset + row.length;
  }
  return range.row_ends != RowEnds::file || block.rows() <= 1;
}

// The bad rows are the rows whose state says so, in their order.
bool has_its_bad_rows(const ScannedBlock& block) noexcept {
  std::size_t next = 0;
  for (std::size_t i = 0; i < block.rows(); ++i) {
    const bool is_bad =
        block.states[i] == RowState::skipped || block.states[i] == RowState::unmatched;
    if (!is_bad) continue;
    if (next == block.bad_rows.size()) return false;
    const BadRow& bad = block.bad_rows[next++];
    const RowLocator& row = block.locators[i];
    if (bad.row.offset != row.offset || bad.row.length != row.length) return false;
    if (bad.trouble < row.offset || bad.trouble - row.offset > row.length) return false;
  }
  return next == block.bad_rows.size();
}

bool has_its_counts(const ScannedBlock& block) noexcept {
  const std::uint64_t rows = block.rows();
  return block.lines >= rows && block.lines - rows == block.blank_lines && block.short_rows <= rows;
}

}  // namespace

bool can_be_block_of(const BlockRange& range, std::uint64_t file_bytes,
                     const ScannedBlock& block) noexcept {
  const bool small_keys = std::all_of(block.band_keys.begin(), block.band_keys.end(),
                                      [](std::uint64_t key) { return key >> kBandKeyBits == 0; });
  return small_keys && has_its_counts(block) && has_rows_in_order(range, file_bytes, block) &&
         has_its_bad_rows(block);
}

}  // namespace sosie
