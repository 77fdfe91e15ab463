// Reads kept rows by the batch.
#include "report/row_batch.h"

#include <algorithm>
#include <cstring>

namespace sosie {
namespace {

constexpr std::uint64_t kBatchBytes = std::uint64_t{1} << 20;
// A read takes about as long as to copy so many bytes.
constexpr std::uint64_t kGapBytes = 4096;

}  // namespace

bool RowBatch::takes(const RowLocator& row) const noexcept {
  return empty() || (row.file == file_ && bytes_ + row.length <= kBatchBytes);
}

void RowBatch::add(const RowLocator& row) {
  file_ = row.file;
  bytes_ += row.length;
  if (!pieces_.empty() && pieces_.back().end() == row.offset) {
    pieces_.back().length += row.length;
  } else {
    pieces_.push_back({row.offset, row.length});
  }
}

void RowBatch::clear() noexcept {
  pieces_.clear();
  bytes_ = 0;
}

void RowBatch::read(const File& file, std::string& out) const {
  // Elsewhere nothing that can be read need lie between two rows.
  const bool joins_gaps = file.is_regular();
  std::size_t filled = 0;
  for (std::size_t first = 0; first < pieces_.size();) {
    const std::uint64_t begin = pieces_[first].offset;
    std::uint64_t end = pieces_[first].end();
    std::size_t next = first + 1;
    while (joins_gaps && next < pieces_.size() && pieces_[next].offset >= end &&
           pieces_[next].offset - end <= kGapBytes && pieces_[next].end() - begin <= kBatchBytes) {
      end = pieces_[next++].end();
    }
    const std::size_t from = filled;
    out.resize(std::max<std::size_t>(out.size(), from + (end - begin)));
    file.read_at(begin, out.data() + from, end - begin);
    for (; first < next; ++first) {
      std::memmove(out.data() + filled, out.data() + from + (pieces_[first].offset - begin),
                   pieces_[first].length);
      filled += pieces_[first].length;
    }
  }
  out.resize(filled);
}

}  // namespace sosie
