#include "read/row_blocks.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kReadAhead = 64 * 1024;  // for the end of a block's last row
constexpr std::uint64_t kMaxRowBytes = std::uint64_t{1} << 31;

const char* find_line_end(const char* from, const char* to) noexcept {
  return static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(to - from)));
}

}  // namespace

std::vector<BlockRange> cut_into_blocks(std::span<const File> files, std::uint64_t block_bytes) {
  std::vector<BlockRange> blocks;
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (std::uint64_t begin = 0; begin < files[i].size(); begin += block_bytes) {
      blocks.push_back(
          {static_cast<std::uint32_t>(i), begin, std::min(files[i].size(), begin + block_bytes)});
    }
  }
  return blocks;
}

void BlockReader::extend(const File& file, std::uint64_t want_end) {
  const std::uint64_t end = std::min(file.size(), want_end);
  const std::size_t have = buffer_.size();
  const auto want = static_cast<std::size_t>(end - buffer_offset_);
  if (want > have) {
    buffer_.reserve(want);
    file.read_at(buffer_offset_ + have, buffer_.data() + have, want - have);
    buffer_.set_size(want);
  }
  whole_file_read_ = end == file.size();
}

void BlockReader::open(const File& file, const BlockRange& range) {
  // One byte more in front: a row starts at range.begin only if a line ends just before it.
  buffer_offset_ = range.begin == 0 ? 0 : range.begin - 1;
  buffer_.set_size(0);
  extend(file, range.end + kReadAhead);
  limit_ = static_cast<std::size_t>(range.end - buffer_offset_);
  at_ = 0;
  if (range.begin > 0) {
    const char* line_end = find_line_end(buffer_.data(), buffer_.data() + limit_);
    at_ = line_end == nullptr ? limit_ : static_cast<std::size_t>(line_end - buffer_.data()) + 1;
  } else if (buffer_.view().starts_with("\xEF\xBB\xBF")) {
    at_ = 3;
    limit_ = std::max(limit_, at_ + 1);  // the first row, however small the block
  }
  if (at_ >= limit_) return;
  // The last row may reach far behind the block.
  std::size_t searched = limit_ - 1;
  while (!whole_file_read_ &&
         find_line_end(buffer_.data() + searched, buffer_.data() + buffer_.size()) == nullptr) {
    searched = buffer_.size();
    if (searched > kMaxRowBytes) {
      throw Error(ErrorKind::limit_exceeded, file.name() + ": a row of more than 2 GiB");
    }
    extend(file, buffer_offset_ + 2 * buffer_.size());
  }
}

bool BlockReader::next(RowView& row) {
  if (at_ >= limit_) return false;
  const char* start = buffer_.data() + at_;
  const char* stop = buffer_.data() + buffer_.size();
  const char* line_end = find_line_end(start, stop);
  const char* content_end = line_end == nullptr ? stop : line_end;
  const std::size_t length =
      static_cast<std::size_t>(content_end - start) + (line_end == nullptr ? 0U : 1U);
  if (length >= kMaxRowBytes) {
    throw Error(ErrorKind::limit_exceeded, "a row of more than 2 GiB");
  }
  if (content_end > start && content_end[-1] == '\r') --content_end;
  row.bytes = {start, static_cast<std::size_t>(content_end - start)};
  row.offset = buffer_offset_ + at_;
  row.length = static_cast<std::uint32_t>(length);
  at_ += length;
  return true;
}

}  // namespace sosie
