#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "represent/ascii_lanes.h"
#include "represent/folded_bytes.h"
#include "represent/normalize.h"
#include "represent/unicode_tables.h"

namespace sosie {

// Takes folded text piece by piece and makes every run of blanks one blank.
class CharSink {
 public:
  CharSink(FoldedText& out, std::size_t text_size) : bytes_(out.bytes, text_size) {
    out.tokens.clear();
  }

  void make_room(std::size_t count) { bytes_.make_room(count); }

  // ASCII bytes, to be folded. Reads 7 bytes past the end.
  void ascii(const unsigned char* at, std::size_t size) noexcept {
    for (std::size_t i = 0; i < size; i += 8) {
      ascii_lanes(lanes::load(at + i), std::min<std::size_t>(size - i, 8));
    }
  }

  // One or more folded code points of the same class in `size` bytes; eight must be readable.
  [[gnu::always_inline]] void put(const unsigned char* folded, std::size_t size,
                                  unicode::CharClass char_class) noexcept {
    if (char_class == unicode::CharClass::blank) {
      put_blank();
      return;
    }
    std::memcpy(bytes_.end(), folded, 8);
    bytes_.advance(size);
    after_blank_ = false;
  }

  void finish() noexcept {
    if (after_blank_ && bytes_.size() > 0) bytes_.advance(std::size_t{0} - 1);
    bytes_.finish();
  }

 private:
  void put_blank() noexcept {
    if (after_blank_) return;
    *bytes_.end() = ' ';
    bytes_.advance(1);
    after_blank_ = true;
  }

  // The first `count` of eight bytes. Single blanks, the usual case, need no shuffling.
  void ascii_lanes(std::uint64_t eight, std::size_t count) noexcept {
    const std::uint64_t lower = lanes::to_lower(eight);
    const std::uint64_t blanks = lanes::flag_blanks(eight) & lanes::first_lanes(count);
    const std::uint64_t follows_blank = blanks << 8 | (after_blank_ ? 0x80U : 0U);
    if ((blanks & follows_blank) != 0) {
      squeeze(lower, blanks, count);
      return;
    }
    const std::uint64_t filled = lanes::fill(blanks);
    lanes::store((lower & ~filled) | (lanes::in_every_lane(' ') & filled), bytes_.end());
    bytes_.advance(count);
    after_blank_ = (blanks >> (8 * count - 1) & 1) != 0;
  }

  void squeeze(std::uint64_t lower, std::uint64_t blanks, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i, lower >>= 8, blanks >>= 8) {
      if ((blanks & 0x80U) != 0) {
        put_blank();
      } else {
        *bytes_.end() = static_cast<char>(static_cast<unsigned char>(lower));
        bytes_.advance(1);
        after_blank_ = false;
      }
    }
  }

  FoldedBytes bytes_;
  bool after_blank_ = true;  // there is none at the beginning
};

}  // namespace sosie
