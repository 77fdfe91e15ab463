#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "represent/ascii_lanes.h"
#include "represent/folded_bytes.h"
#include "represent/normalize.h"
#include "represent/unicode_tables.h"

namespace sosie {

// Takes folded text piece by piece and notes where its words begin and end. Begins and ends are
// written separately, each without a branch for every token, and leave in batches.
class WordSink {
 public:
  WordSink(FoldedText& out, std::size_t text_size)
      : bytes_(out.bytes, text_size), tokens_(out.tokens) {
    tokens_.clear();
  }

  void make_room(std::size_t count) { bytes_.make_room(count); }

  // Bytes to be folded and cut as ASCII; bytes >= 0x80 count as letters. Reads 7 bytes past the
  // end.
  void ascii(const unsigned char* at, std::size_t size) {
    while (size > 0) {
      const std::size_t count = std::min<std::size_t>(size, 64);
      if (count == 64) {
        mark_words(fold_block(at, 64), ~std::uint64_t{0});
      } else {
        mark_words(fold_block(at, count), ~std::uint64_t{0} >> (64 - count));
      }
      bytes_.advance(count);
      at += count;
      size -= count;
    }
  }

  // One or more folded code points of the same class in `size` bytes; eight must be readable.
  [[gnu::always_inline]] void put(const unsigned char* folded, std::size_t size,
                                  unicode::CharClass char_class) {
    const std::size_t at = bytes_.size();
    if (begun_ + 2 > kBatch) flush();
    if (char_class == unicode::CharClass::word) {
      if (begun_ == ended_) begin_word(at);
    } else {
      if (begun_ != ended_) end_word(at);
      if (char_class != unicode::CharClass::single) return;
      begin_word(at);
      end_word(at + size);
    }
    std::memcpy(bytes_.end(), folded, 8);
    bytes_.advance(size);
  }

  void finish() {
    if (begun_ != ended_) end_word(bytes_.size());
    flush();
    bytes_.finish();
  }

 private:
  static constexpr std::size_t kBatch = 256;

  void begin_word(std::size_t at) noexcept {
    batch_[begun_++].begin = static_cast<std::uint32_t>(at);
  }
  void end_word(std::size_t at) noexcept { batch_[ended_++].end = static_cast<std::uint32_t>(at); }

  // Folds up to 64 bytes; returns one bit for each, set in words. Bits from `count` on are of no
  // meaning.
  std::uint64_t fold_block(const unsigned char* at, std::size_t count) noexcept {
    std::uint64_t in_word = 0;
    char* out = bytes_.end();
    for (std::size_t i = 0; i < count; i += 8) {
      const std::uint64_t lower = lanes::to_lower(lanes::load(at + i));
      lanes::store(lower, out + i);
      in_word |= lanes::gather(lanes::flag_word_bytes(lower)) << i;
    }
    return in_word;
  }

  // `valid` has one bit for each byte of the block, from the lowest on.
  void mark_words(std::uint64_t in_word, std::uint64_t valid) {
    if (begun_ + 32 > kBatch) flush();
    const std::uint64_t open = begun_ != ended_ ? 1 : 0;
    const std::uint64_t before = in_word << 1 | open;
    std::uint64_t begins = in_word & ~before & valid;
    std::uint64_t ends = ~in_word & before & valid;
    const auto base = static_cast<std::uint32_t>(bytes_.size());
    TokenSpan* begun = batch_.data() + begun_;
    for (; begins != 0; begins &= begins - 1) (begun++)->begin = base + first_bit(begins);
    begun_ = static_cast<std::size_t>(begun - batch_.data());
    TokenSpan* ended = batch_.data() + ended_;
    for (; ends != 0; ends &= ends - 1) (ended++)->end = base + first_bit(ends);
    ended_ = static_cast<std::size_t>(ended - batch_.data());
  }

  static std::uint32_t first_bit(std::uint64_t bits) noexcept {
    return static_cast<std::uint32_t>(std::countr_zero(bits));
  }

  // An open word stays, with its begin.
  void flush() {
    const auto* batch = batch_.data();
    tokens_.insert(tokens_.end(), batch, batch + ended_);
    if (begun_ != ended_) batch_[0].begin = batch_[ended_].begin;
    begun_ -= ended_;
    ended_ = 0;
  }

  FoldedBytes bytes_;
  std::vector<TokenSpan>& tokens_;
  std::size_t begun_ = 0;  // begins written to the batch: one more than ends inside a word
  std::size_t ended_ = 0;
  std::array<TokenSpan, kBatch> batch_;
};

}  // namespace sosie
