// Compresses sorted rows by their keys: small differences of keys, small row numbers.
#include "io/sorted_runs.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "io/packed_numbers.h"

namespace sosie {
namespace {

struct BlockHead {
  std::uint64_t first_key;
  std::uint64_t least_row;
  std::uint16_t count;
  std::uint8_t key_bits;  // bits of a difference
  std::uint8_t row_bits;

  // Number of bytes after the head.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return ((std::size_t{count} - 1) * key_bits + std::size_t{count} * row_bits + 7) / 8;
  }
};
constexpr std::size_t kHeadBytes = 20;
static_assert(sizeof(BlockHead) >= kHeadBytes && std::is_standard_layout_v<BlockHead>);

constexpr unsigned kHalf = 32;  // bits of a wide number that are written at once

// Writes a number of up to 64 bits; if it is wide, the low half first.
void add_wide(BitWriter& out, std::uint64_t number, unsigned width) noexcept {
  if (width <= kMostPackedBits) {
    out.add(number, width);
    return;
  }
  out.add(number & ~std::uint32_t{0}, kHalf);
  out.add(number >> kHalf, width - kHalf);
}

// Calls each(number) for `count` numbers of `width` bits, from bit `bit` on; 8 more bytes follow
// the last of them.
template <class Each>
void for_each_number(std::string_view bytes, std::size_t bit, unsigned width, std::size_t count,
                     const Each& each) {
  if (width <= kMostPackedBits) {
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    for (; count > 0; --count, bit += width) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + bit / 8, sizeof word);
      each(word >> bit % 8 & mask);
    }
    return;
  }
  for (; count > 0; --count, bit += width) {
    each(packed_number(bytes, bit, kHalf) | packed_number(bytes, bit + kHalf, width - kHalf)
                                                << kHalf);
  }
}

BlockHead head_of(std::span<const KeyedRow> rows) noexcept {
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  std::uint64_t differences = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    least = std::min(least, rows[i].row);
    most = std::max(most, rows[i].row);
    if (i > 0) differences |= rows[i].key - rows[i - 1].key;
  }
  return {rows.front().key, least, static_cast<std::uint16_t>(rows.size()),
          static_cast<std::uint8_t>(std::bit_width(differences)),
          static_cast<std::uint8_t>(std::bit_width(most - least))};
}

}  // namespace

PackedRuns::PackedRuns(Scratch& scratch) : file_(scratch, 1, kLargePage) {
  block_.reserve(kBlockRows);
}

void PackedRuns::append(std::span<const KeyedRow> rows) {
  for (const KeyedRow& row : rows) {
    block_.push_back(row);
    if (block_.size() == kBlockRows) write_block();
  }
}

RunRange PackedRuns::end_run() {
  if (!block_.empty()) write_block();
  const RunRange run{begin_, file_.size()};
  begin_ = file_.size();
  return run;
}

void PackedRuns::write_block() {
  const BlockHead head = head_of(block_);
  const std::size_t bytes = kHeadBytes + head.bytes();
  packed_.resize(bytes + sizeof(std::uint64_t));
  std::memcpy(packed_.data(), &head, kHeadBytes);
  BitWriter bits(packed_.data() + kHeadBytes);
  for (std::size_t i = 1; i < block_.size(); ++i) {
    add_wide(bits, block_[i].key - block_[i - 1].key, head.key_bits);
  }
  for (const KeyedRow& row : block_) add_wide(bits, row.row - head.least_row, head.row_bits);
  file_.append(packed_.data(), bytes);
  block_.clear();
}

PackedRuns::Reader::Reader(const PackedRuns& runs, RunRange run)
    : at_(run.begin), end_(run.end), bytes_(runs.file_) {}

bool PackedRuns::Reader::read_block() {
  if (at_ == end_) return false;
  BlockHead head;
  block_.resize(kHeadBytes);
  bytes_.read(at_, block_);
  std::memcpy(&head, block_.data(), kHeadBytes);
  block_.assign(head.bytes() + sizeof(std::uint64_t), 0);
  bytes_.read(at_ + kHeadBytes, std::span(block_).first(head.bytes()));
  at_ += kHeadBytes + head.bytes();
  const std::string_view packed(block_.data(), block_.size());
  rows_.resize(head.count);
  rows_.front().key = head.first_key;
  const std::size_t differences = rows_.size() - 1;
  KeyedRow* row = rows_.data();
  for_each_number(packed, 0, head.key_bits, differences, [&](std::uint64_t difference) {
    row[1].key = row->key + difference;
    ++row;
  });
  row = rows_.data();
  for_each_number(packed, differences * head.key_bits, head.row_bits, rows_.size(),
                  [&](std::uint64_t offset) { row++->row = head.least_row + offset; });
  next_ = 0;
  return true;
}

}  // namespace sosie
