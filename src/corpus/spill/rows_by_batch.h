#pragma once

#include <cstdint>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/spill/spilled_rows.h"
#include "io/record_file.h"

namespace sosie {

// A copy of rows in scratch, in which the rows of a batch are stored together. Without it, each
// batch would read nearly every page of every column, since its rows can be anywhere. Takes a
// record in scratch for each row, and one page of memory for each batch while rows are added.
class RowsByBatch {
 public:
  RowsByBatch(Scratch& scratch, const SpilledRows& rows, std::uint32_t batches);

  // The rows of a batch must be added in the order in which they are to be loaded. Throws as
  // RecordFile::append() does.
  void add(std::uint32_t batch, RowNumber row);
  // Must be called after the last add().
  void finish();

  [[nodiscard]] std::size_t rows_of(std::uint32_t batch) const { return counts_[batch]; }
  // Loads all rows of a batch as SpilledRows::load() would.
  [[nodiscard]] ScannedBlock load(std::uint32_t batch) const;

 private:
  void write_page(std::uint32_t batch);

  const SpilledRows& rows_;
  SpilledRows::RecordReader reader_;
  RecordFile file_;
  std::vector<std::size_t> counts_;                   // by batch: its rows
  std::vector<std::vector<char>> open_;               // by batch: its last page, not yet written
  std::vector<std::vector<std::uint64_t>> pages_of_;  // by batch
};

}  // namespace sosie
