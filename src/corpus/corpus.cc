// Look-ups in the blocks of a corpus: locators, states, ids and copies of rows.
#include "corpus/corpus.h"

#include <algorithm>

#include "corpus/spill/spilled_rows.h"

namespace sosie {

const FileEncoding& Inputs::encoding_of(std::uint32_t file) const noexcept {
  static const FileEncoding utf8;
  return file < encodings.size() ? encodings[file] : utf8;
}

const ScannedBlock& Corpus::block_of(RowNumber row) const noexcept {
  const auto after = std::upper_bound(
      blocks.begin(), blocks.end(), row,
      [](RowNumber value, const ScannedBlock& block) { return value < block.first_row; });
  // Blocks without rows have the same first row as the next block: step back to the block that
  // contains it.
  auto found = after - 1;
  while (found->rows() == 0) --found;
  return *found;
}

RowLocator Corpus::locator(RowNumber row) const {
  if (spilled) return spilled->locator(row);
  const ScannedBlock& block = block_of(row);
  return block.locator(row - block.first_row);
}

RowState Corpus::state(RowNumber row) const {
  if (spilled) return spilled->state(row);
  const ScannedBlock& block = block_of(row);
  return block.state(row - block.first_row);
}

void Corpus::for_each_row(
    std::size_t block_number,
    const std::function<void(RowNumber, const RowLocator&, RowState)>& each) const {
  if (spilled) {
    spilled->for_each_row(facts[block_number].first_row, facts[block_number].rows, each);
    return;
  }
  const ScannedBlock& block = blocks[block_number];
  for (std::size_t i = 0; i < block.rows(); ++i) {
    each(block.first_row + i, block.locator(i), block.state(i));
  }
}

FileRows::FileRows(const Corpus& corpus) : rows_(corpus.rows) {
  for (std::size_t block = 0; block < corpus.facts.size(); ++block) {
    const std::uint32_t file = corpus.ranges[block].file;
    while (first_rows_.size() <= file) first_rows_.push_back(corpus.facts[block].first_row);
  }
}

std::uint32_t FileRows::file_of(RowNumber row) const noexcept {
  const auto behind = std::upper_bound(first_rows_.begin(), first_rows_.end(), row);
  return static_cast<std::uint32_t>(behind - first_rows_.begin()) - 1;
}

std::optional<RowNumber> FileRows::row_of(std::uint32_t file, std::uint64_t number) const noexcept {
  if (file >= first_rows_.size()) return std::nullopt;
  const RowNumber end = file + 1 < first_rows_.size() ? first_rows_[file + 1] : rows_;
  const RowNumber first = first_rows_[file];
  return number < end - first ? std::optional(first + number) : std::nullopt;
}

void Corpus::for_each_bad_row(const std::function<void(const BadRow&)>& each) const {
  if (spilled) spilled->for_each_bad_row(each);
  for (const ScannedBlock& block : blocks) {
    for (const BadRow& bad : block.bad_rows) each(bad);
  }
}

}  // namespace sosie
