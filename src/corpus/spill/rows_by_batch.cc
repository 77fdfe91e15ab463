// Copies rows in scratch so that the rows of a batch are stored together.
#include "corpus/spill/rows_by_batch.h"

#include <algorithm>

namespace sosie {

RowsByBatch::RowsByBatch(Scratch& scratch, const SpilledRows& rows, std::uint32_t batches)
    : rows_(rows),
      reader_(rows),
      file_(scratch, rows.record_bytes(), kLargePage),
      counts_(batches),
      open_(batches),
      pages_of_(batches) {}

void RowsByBatch::add(std::uint32_t batch, RowNumber row) {
  ++counts_[batch];
  std::vector<char>& page = open_[batch];
  const std::size_t end = page.size();
  const std::size_t record = rows_.record_bytes();
  if (page.empty()) page.reserve(file_.records_of_page() * record);
  page.resize(end + record);
  reader_.read(row, page.data() + end);
  if (page.size() == file_.records_of_page() * record) write_page(batch);
}

void RowsByBatch::finish() {
  for (std::uint32_t batch = 0; batch < open_.size(); ++batch) {
    if (!open_[batch].empty()) write_page(batch);
  }
  std::vector<std::vector<char>>().swap(open_);
  file_.finish();
}

// A page has rows of one batch only: its end stays empty if there are no more.
void RowsByBatch::write_page(std::uint32_t batch) {
  std::vector<char>& page = open_[batch];
  page.resize(file_.records_of_page() * rows_.record_bytes());
  pages_of_[batch].push_back(file_.size() / file_.records_of_page());
  file_.append(page.data(), file_.records_of_page());
  page.clear();
}

ScannedBlock RowsByBatch::load(std::uint32_t batch) const {
  ScannedBlock block;
  std::vector<char> page(file_.records_of_page() * rows_.record_bytes());
  for (const std::uint64_t number : pages_of_[batch]) {
    file_.read_page(number, page.data());
    const std::size_t rows = std::min(counts_[batch] - block.rows(), file_.records_of_page());
    for (std::size_t i = 0; i < rows; ++i) {
      rows_.append(page.data() + i * rows_.record_bytes(), block);
    }
  }
  return block;
}

}  // namespace sosie
