// Counts what a scanned block holds, and the memory that it takes.
#include "corpus/rows/block_facts.h"

#include "corpus/ill_formed.h"
#include "corpus/rank_rows.h"

namespace sosie {

BlockFacts block_facts(const ScannedBlock& block) {
  BlockFacts facts{.rows = static_cast<std::uint32_t>(block.rows()),
                   .blank_lines = block.blank_lines,
                   .words = block.words,
                   .short_rows = block.short_rows,
                   .number_like = number_like_text(block.rank_values)};
  for (const RowState state : block.states) {
    facts.empty += state == RowState::empty ? 1U : 0U;
    facts.skipped += state == RowState::skipped ? 1U : 0U;
    facts.unmatched += state == RowState::unmatched ? 1U : 0U;
  }
  for (const BadRow& bad : block.bad_rows) facts.ill_formed += is_ill_formed(bad) ? 1U : 0U;
  for (const RowLocator& row : block.locators) facts.row_bytes += row.length;
  return facts;
}

std::uint64_t memory_of(const ScannedBlock& block) {
  const auto bytes = [](const auto& column) { return column.capacity() * sizeof(column[0]); };
  std::uint64_t sum = bytes(block.locators) + bytes(block.states) + bytes(block.text_hashes) +
                      bytes(block.id_hashes) + bytes(block.band_keys) + bytes(block.filters) +
                      bytes(block.text_bytes) + bytes(block.rank_values) + bytes(block.bad_rows) +
                      bytes(block.sets.hashes) + bytes(block.sets.starts);
  for (const RankValue& value : block.rank_values) sum += value.text.capacity();
  for (const BadRow& bad : block.bad_rows) sum += bad.reason.capacity();
  return sum;
}

}  // namespace sosie
