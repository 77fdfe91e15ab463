// Divides files into blocks of whole rows, and reads the rows of a block or a stream.
#include "read/block_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "core/line_end.h"
#include "core/utf8.h"
#include "read/warc.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kReadAhead = std::uint64_t{1} << 16;  // for the end of a block's last row
constexpr std::uint64_t kStreamBytes = std::uint64_t{1} << 19;
constexpr std::uint64_t kUnknown = ~std::uint64_t{0};  // size
constexpr std::uint64_t kLineEndsOfRecord = 4;         // bytes behind a record's content

const char* find_line_end(const char* from, const char* to) noexcept {
  return static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(to - from)));
}

BlockRange range_of(const RowSource& source, std::uint32_t file, std::uint64_t begin,
                    std::uint64_t end) {
  return {file, begin, end, source.row_ends, source.dialect, QuoteState::row_start};
}

bool is_quoted(const RowSource& source) noexcept { return source.row_ends == RowEnds::quoted_line; }

// A quote after the byte order mark opens a field.
std::uint64_t begin_of_quoted_rows(const RowSource& source) {
  if (source.begin > 0) return source.begin;
  std::array<char, kByteOrderMark.size()> first{};
  const std::size_t size = source.file->read_some(0, first.data(), first.size());
  return std::string_view(first.data(), size) == kByteOrderMark ? size : 0;
}

// Cuts a compressed file, which is read in order: a single pass finds its end and the states at the
// cuts.
void cut_while_unpacking(const RowSource& source, std::uint32_t file, std::uint64_t block_bytes,
                         std::vector<BlockRange>& blocks) {
  std::vector<char> bytes(block_bytes);
  QuoteState state = QuoteState::row_start;
  for (std::uint64_t begin = begin_of_quoted_rows(source);; begin += block_bytes) {
    const std::size_t size = source.file->read_some(begin, bytes.data(), bytes.size());
    if (size == 0) return;
    blocks.push_back(range_of(source, file, begin, begin + size));
    blocks.back().state = state;
    const char* const end = bytes.data() + size;
    for (const char* at = bytes.data(); at < end;) {
      at = find_row_end(at, end, source.dialect, state);
    }
  }
}

// Finds the states at the cuts: first the map of each block, in parallel, then one block after
// another. `is_done`: by file.
void find_states(std::span<const RowSource> sources, const std::vector<bool>& is_done,
                 std::span<BlockRange> blocks, ThreadPool& pool) {
  std::vector<std::size_t> quoted;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (is_done[blocks[i].file] || blocks[i].row_ends != RowEnds::quoted_line) continue;
    quoted.push_back(i);
  }
  std::vector<QuoteMap> maps(quoted.size());
  std::vector<PaddedBytes> buffers(pool.size());
  pool.for_each(quoted.size(), [&](unsigned worker, std::size_t i) {
    const BlockRange& block = blocks[quoted[i]];
    PaddedBytes& bytes = buffers[worker];
    const std::size_t size = block.end - block.begin;
    bytes.reserve(size);
    sources[block.file].file->read_at(block.begin, bytes.data(), size);
    bytes.set_size(size);
    maps[i] = pass_over(bytes.view(), block.dialect);
  });
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    BlockRange& block = blocks[quoted[i]];
    if (i == 0 || blocks[quoted[i - 1]].file != block.file) continue;
    block.state = maps[i - 1][static_cast<std::size_t>(blocks[quoted[i - 1]].state)];
  }
}

// Size of the record at `offset`, of which `bytes` bytes are available; empty if its headers
// continue beyond them. Available line ends after the content belong to it.
std::optional<std::uint64_t> bytes_of_record(const File& file, std::uint64_t offset,
                                             std::string_view bytes) {
  try {
    const std::optional<std::uint64_t> size = warc_record_bytes(bytes);
    if (!size || *size > bytes.size()) return size;
    const std::string_view behind = bytes.substr(*size, kLineEndsOfRecord);
    return *size + std::min(behind.find_first_not_of("\r\n"), behind.size());
  } catch (const RowError& error) {
    const bool is_record = bytes.find("WARC/") == bytes.find_first_not_of("\r\n");
    throw Error(
        ErrorKind::malformed_input, BadPlace{place_in_file(file, offset)}, error.what(),
        is_record || offset == 0 ? "" : "the record before it may have a wrong Content-Length");
  }
}

// Cuts a file of records into blocks of whole records.
void cut_records(const RowSource& source, std::uint32_t file, std::uint64_t block_bytes,
                 std::vector<BlockRange>& blocks) {
  BlockRange range = range_of(source, file, source.begin, source.begin);
  const auto add = [&] {
    if (range.end > range.begin) blocks.push_back(range);
    range.begin = range.end;
  };
  RowStream records(source);
  for (RowView record; records.next(record);) {
    range.end = record.offset + record.length;
    if (range.end - range.begin >= block_bytes) add();
  }
  add();
}

}  // namespace

std::vector<BlockRange> cut_into_blocks(std::span<const RowSource> sources,
                                        std::uint64_t block_bytes, ThreadPool& pool,
                                        FileEnds ends) {
  std::vector<BlockRange> blocks;
  std::vector<bool> has_states(sources.size(), false);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const RowSource& source = sources[i];
    const auto file = static_cast<std::uint32_t>(i);
    if (source.row_ends == RowEnds::record) {
      cut_records(source, file, block_bytes, blocks);
      continue;
    }
    if (is_quoted(source) && source.file->known_size() == kUnknown) {
      cut_while_unpacking(source, file, block_bytes, blocks);
      has_states[i] = true;
      continue;
    }
    const bool guess = ends == FileEnds::likely && source.row_ends == RowEnds::line &&
                       source.file->known_size() == kUnknown;
    const std::uint64_t size = guess ? source.file->likely_size() : source.file->size();
    if (source.row_ends == RowEnds::file) {
      blocks.push_back(range_of(source, file, 0, size));
      continue;
    }
    if (source.row_ends == RowEnds::cell) {
      const std::uint64_t rows = source.table->rows();
      const std::uint64_t step = rows * block_bytes / std::max(size, rows) + 1;
      for (std::uint64_t begin = 0; begin < rows; begin += step) {
        blocks.push_back(range_of(source, file, begin, std::min(rows, begin + step)));
      }
      continue;
    }
    const std::uint64_t first = is_quoted(source) ? begin_of_quoted_rows(source) : source.begin;
    for (std::uint64_t begin = first; begin < size; begin += block_bytes) {
      blocks.push_back(range_of(source, file, begin, std::min(size, begin + block_bytes)));
    }
  }
  find_states(sources, has_states, blocks, pool);
  return blocks;
}

void BlockReader::extend(const File& file, std::uint64_t want_end) {
  const std::uint64_t size = file.known_size();
  const std::uint64_t end = std::min(size, want_end);
  const std::uint64_t have_end = buffer_offset_ + buffer_.size();
  whole_file_read_ = end == size;
  if (end <= have_end) return;
  const auto want = static_cast<std::size_t>(end - have_end);
  buffer_.reserve(buffer_.size() + want);
  char* const to = buffer_.data() + buffer_.size();
  std::size_t got = want;
  if (size == ~std::uint64_t{0}) {
    got = file.read_some(have_end, to, want);
    whole_file_read_ = got < want;
  } else {
    file.read_at(have_end, to, want);
  }
  buffer_.set_size(buffer_.size() + got);
}

// The row that begins at `start` in the buffer continues beyond the buffer.
void BlockReader::extend_for_long_row(std::size_t start, QuoteState state) {
  if (buffer_.size() - start > most_bytes_) refuse_open_row(start, state);
  const std::uint64_t doubled = 2 * std::max<std::uint64_t>(buffer_.size(), kReadAhead);
  extend(*source_.file, buffer_offset_ + std::min(doubled, start + most_bytes_ + kReadAhead));
}

// Reads to the end of the row without keeping it, to report its length.
void BlockReader::refuse_open_row(std::size_t start, QuoteState state) const {
  const File& file = *source_.file;
  const bool is_quoted = row_ends_ == RowEnds::quoted_line;
  const std::uint64_t offset = buffer_offset_ + start;
  std::vector<char> piece(kStreamBytes);
  bool ended = false;
  std::uint64_t end = buffer_offset_ + buffer_.size();
  while (!ended && end < file.known_size() && end - offset < kMaxRowBytes) {
    const std::size_t size = file.read_some(
        end, piece.data(), std::min<std::uint64_t>(piece.size(), file.known_size() - end));
    if (size == 0) break;
    const char* const stop = piece.data() + size;
    const char* found = is_quoted ? find_row_end(piece.data(), stop, source_.dialect, state)
                                  : find_line_end(piece.data(), stop);
    ended = is_quoted ? state == QuoteState::row_start : found != nullptr;
    if (!is_quoted) found = ended ? found + 1 : stop;
    end += static_cast<std::uint64_t>(found - piece.data());
  }
  const bool never_closed =
      is_quoted && !ended && (state == QuoteState::quoted || state == QuoteState::escaped);
  refuse_long_row(source_.limit, place_in_file(file, offset), end - offset,
                  never_closed ? "a quote in this row is never closed" : "");
}

void BlockReader::skip_byte_order_mark() {
  if (buffer_offset_ > 0 || !buffer_.view().starts_with(kByteOrderMark)) return;
  at_ = kByteOrderMark.size();
  // Contains the first row, if there is one, however small the block.
  limit_ = std::min(std::max(limit_, at_ + 1), buffer_.size());
}

void BlockReader::open(const RowSource& source, const BlockRange& range) {
  const File& file = *source.file;
  source_ = source;
  most_bytes_ = source.limit.bytes();
  row_ends_ = range.row_ends;
  buffer_.set_size(0);
  at_ = 0;
  switch (range.row_ends) {
    case RowEnds::line:
      open_lines(file, range);
      break;
    case RowEnds::quoted_line:
      open_quoted(file, range);
      break;
    case RowEnds::record:
      open_records(file, range);
      break;
    case RowEnds::file:
      if (file.size() > most_bytes_) {
        refuse_long_row(source.limit, place_in_file(file, 0), file.size());
      }
      buffer_offset_ = 0;
      extend(file, file.size());
      limit_ = 1;
      skip_byte_order_mark();
      break;
    case RowEnds::cell:
      next_cell_ = range.begin;
      end_cell_ = range.end;
      break;
  }
}

void BlockReader::open_lines(const File& file, const BlockRange& range) {
  // One extra byte before the range: a row starts at range.begin only if a line ends just before
  // it.
  buffer_offset_ = range.begin == 0 ? 0 : range.begin - 1;
  extend(file, range.end + kReadAhead);
  limit_ = std::min(static_cast<std::size_t>(range.end - buffer_offset_), buffer_.size());
  if (limit_ == 0) return;
  if (range.begin > 0) {
    const char* line_end = find_line_end(buffer_.data(), buffer_.data() + limit_);
    at_ = line_end == nullptr ? limit_ : static_cast<std::size_t>(line_end - buffer_.data()) + 1;
  } else {
    skip_byte_order_mark();
  }
  if (at_ >= limit_) return;
  // The last row may extend far beyond the block.
  std::size_t searched = limit_ - 1;
  while (!whole_file_read_ &&
         find_line_end(buffer_.data() + searched, buffer_.data() + buffer_.size()) == nullptr) {
    searched = buffer_.size();
    extend_for_long_row(start_of_last_line(at_), QuoteState::row_start);
  }
}

void BlockReader::open_quoted(const File& file, const BlockRange& range) {
  buffer_offset_ = range.begin;
  extend(file, range.end + kReadAhead);
  limit_ = std::min(static_cast<std::size_t>(range.end - buffer_offset_), buffer_.size());
  row_stops_.clear();
  next_stop_ = 0;
  QuoteState state = range.state;
  if (state == QuoteState::row_start) {
    skip_byte_order_mark();
  } else {  // the rest of a row that an earlier block owns
    const char* stop = find_row_end(buffer_.data(), buffer_.data() + limit_, range.dialect, state);
    at_ = static_cast<std::size_t>(stop - buffer_.data());
  }
  std::size_t scanned = at_;
  for (std::size_t start = at_; start < limit_;) {
    const char* stop = find_row_end(buffer_.data() + scanned, buffer_.data() + buffer_.size(),
                                    range.dialect, state);
    scanned = static_cast<std::size_t>(stop - buffer_.data());
    if (state != QuoteState::row_start && !whole_file_read_) {
      extend_for_long_row(start, state);
      continue;
    }
    row_stops_.push_back(scanned);
    start = scanned;
  }
}

void BlockReader::open_records(const File& file, const BlockRange& range) {
  buffer_offset_ = range.begin;
  extend(file, range.end + kReadAhead);
  limit_ = std::min(static_cast<std::size_t>(range.end - buffer_offset_), buffer_.size());
  row_stops_.clear();
  next_stop_ = 0;
  for (std::size_t start = 0; start < limit_;) {
    const std::string_view bytes = buffer_.view().substr(start);
    const auto size = bytes_of_record(file, buffer_offset_ + start, bytes);
    const std::uint64_t want = size ? *size + kLineEndsOfRecord : 2 * bytes.size();
    if (want > bytes.size() && !whole_file_read_) {
      const std::uint64_t left = file.known_size() - (buffer_offset_ + start);
      if (std::min(size.value_or(0), left) > most_bytes_) {
        refuse_long_row(source_.limit, place_in_file(file, buffer_offset_ + start), *size);
      }
      extend(file, buffer_offset_ + start + want);
      continue;
    }
    // A record in which the file ends also counts as a row, which its parser rejects.
    start += static_cast<std::size_t>(std::min<std::uint64_t>(size.value_or(want), bytes.size()));
    row_stops_.push_back(start);
  }
}

std::uint64_t BlockReader::end_of_rows() const noexcept {
  return buffer_offset_ + (row_stops_.empty() ? limit_ : row_stops_.back());
}

std::size_t BlockReader::start_of_last_line(std::size_t from) const {
  const std::size_t before = buffer_.view().substr(from).rfind('\n');
  return before == std::string_view::npos ? from : from + before + 1;
}

std::size_t BlockReader::length_of_line() const {
  const char* start = buffer_.data() + at_;
  const char* stop = buffer_.data() + buffer_.size();
  const char* line_end = find_line_end(start, stop);
  return line_end == nullptr ? static_cast<std::size_t>(stop - start)
                             : static_cast<std::size_t>(line_end - start) + 1;
}

bool BlockReader::next_cell(RowView& row) {
  if (next_cell_ == end_cell_) return false;
  row.number = next_cell_++;
  const std::string_view text = source_.table->value(source_.column, row.number).text;
  if (text.size() >= kMaxRowBytes) {
    throw Error(ErrorKind::limit_exceeded, BadPlace{source_.file->name()},
                "a text of more than 2 GiB");
  }
  buffer_.assign(text);
  row.bytes = buffer_.view();
  row.offset = reinterpret_cast<std::uintptr_t>(text.data());
  row.length = static_cast<std::uint32_t>(text.size());
  return true;
}

bool BlockReader::next(RowView& row) {
  if (row_ends_ == RowEnds::cell) return next_cell(row);
  std::size_t length = 0;
  switch (row_ends_) {
    case RowEnds::line:
      if (at_ >= limit_) return false;
      length = length_of_line();
      break;
    case RowEnds::quoted_line:
    case RowEnds::record:
      if (next_stop_ == row_stops_.size()) return false;
      length = row_stops_[next_stop_++] - at_;
      break;
    case RowEnds::file:
      if (limit_ == 0) return false;
      limit_ = 0;
      length = buffer_.size() - at_;
      break;
    case RowEnds::cell:
      return false;
  }
  if (length > most_bytes_) {
    refuse_long_row(source_.limit, place_in_file(*source_.file, buffer_offset_ + at_), length);
  }
  row.bytes = {buffer_.data() + at_, length};
  const bool is_line = row_ends_ == RowEnds::line || row_ends_ == RowEnds::quoted_line;
  if (is_line) row.bytes = without_line_end(row.bytes);
  row.offset = buffer_offset_ + at_;
  row.length = static_cast<std::uint32_t>(length);
  at_ += length;
  return true;
}

RowStream::RowStream(const RowSource& source)
    : source_(source), range_(range_of(source, 0, source.begin, source.begin)) {}

bool RowStream::open_next() {
  const bool cells = source_.row_ends == RowEnds::cell;
  const std::uint64_t size = cells ? source_.table->rows() : source_.file->known_size();
  if (source_.row_ends == RowEnds::file || cells) {
    if (opened_) return false;
    range_.end = size;
  } else {
    range_.begin = range_.end;
    const bool reaches_on =
        source_.row_ends == RowEnds::quoted_line || source_.row_ends == RowEnds::record;
    if (opened_ && reaches_on) range_.begin = reader_.end_of_rows();
    if (range_.begin >= size) return false;
    range_.end = std::min(size, range_.begin + kStreamBytes);
  }
  reader_.open(source_, range_);
  opened_ = true;
  return true;
}

bool RowStream::next(RowView& row) {
  if (!opened_ && !open_next()) return false;
  while (!reader_.next(row)) {
    if (!open_next()) return false;
  }
  return true;
}

}  // namespace sosie
