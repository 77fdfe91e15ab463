// Divides a stream into rows as bytes arrive.
#include "read/row_feed.h"

#include <algorithm>
#include <cstring>

#include "core/line_end.h"
#include "core/utf8.h"

namespace sosie {
std::span<const FedRow> RowFeed::add(std::string_view bytes) {
  forget_rows();
  const std::size_t had = buffer_.size();
  buffer_.reserve(had + bytes.size());
  if (!bytes.empty()) std::memcpy(buffer_.data() + had, bytes.data(), bytes.size());
  buffer_.set_size(had + bytes.size());
  has_line_feed_ = has_line_feed_ || bytes.find('\n') != std::string_view::npos;
  if (!waits_for_byte_order_mark()) cut();
  return rows_;
}

std::span<const FedRow> RowFeed::finish() {
  forget_rows();
  // Handles lines that end with carriage returns only.
  char* const begin = buffer_.data() + begun_;
  char* const end = buffer_.data() + buffer_.size();
  if (!has_line_feed_ && std::find(begin, end, '\r') != end) {
    std::replace(begin, end, '\r', '\n');
    scanned_ = begun_;
    state_ = QuoteState::row_start;
    cut();
  }
  if (begun_bytes() > 0) take_row(buffer_.size());
  return rows_;
}

void RowFeed::forget_rows() {
  rows_.clear();
  if (begun_ == 0) return;
  const std::size_t left = begun_bytes();
  std::memmove(buffer_.data(), buffer_.data() + begun_, left);
  buffer_.set_size(left);
  scanned_ -= begun_;
  begun_ = 0;
}

// A byte order mark at the start does not belong to a row.
bool RowFeed::waits_for_byte_order_mark() const noexcept {
  return at_start_ && buffer_.size() < kByteOrderMark.size() &&
         kByteOrderMark.starts_with(buffer_.view());
}

void RowFeed::cut() {
  if (at_start_ && buffer_.view().starts_with(kByteOrderMark)) {
    begun_ = kByteOrderMark.size();
    scanned_ = begun_;
  }
  if (at_start_) skip_titles();
  at_start_ = false;
  const char* const end = buffer_.data() + buffer_.size();
  while (scanned_ < buffer_.size()) {
    const char* stop = find_end();
    scanned_ = static_cast<std::size_t>((stop == nullptr ? end : stop) - buffer_.data());
    if (stop != nullptr) take_row(scanned_);
  }
}

void RowFeed::skip_titles() {
  for (; titles_ > 0; --titles_) {
    const std::size_t line_end = buffer_.view().find('\n', begun_);
    begun_ = line_end == std::string_view::npos ? buffer_.size() : line_end + 1;
    ++line_;
  }
  scanned_ = begun_;
}

// The position after the row's line end; null if it has not arrived yet.
const char* RowFeed::find_end() {
  const char* const from = buffer_.data() + scanned_;
  const char* const to = buffer_.data() + buffer_.size();
  if (row_ends_ == RowEnds::quoted_line) {
    const char* stop = find_row_end(from, to, dialect_, state_);
    return state_ == QuoteState::row_start ? stop : nullptr;
  }
  const void* line_end = std::memchr(from, '\n', static_cast<std::size_t>(to - from));
  return line_end == nullptr ? nullptr : static_cast<const char*>(line_end) + 1;
}

void RowFeed::take_row(std::size_t stop) {
  std::string_view row(buffer_.data() + begun_, stop - begun_);
  const std::uint64_t line = line_;
  line_ += static_cast<std::uint64_t>(std::count(row.begin(), row.end(), '\n'));
  rows_.push_back({without_line_end(row), line});
  begun_ = stop;
}

}  // namespace sosie
