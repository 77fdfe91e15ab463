#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/fold_utf8_chars.h"
#include "represent/folded_bytes.h"
#include "represent/folded_text.h"
#include "represent/unicode_tables.h"
#include "represent/utf8_letters.h"

namespace sosie {

// Takes folded text piece by piece and makes every run of blanks one blank.
class CharSink {
 public:
  CharSink(FoldedText& out, std::size_t text_size) : bytes_(out.bytes, text_size) {
    out.tokens.set_size(0);
  }

  void ensure_capacity(std::size_t count) { bytes_.ensure_capacity(count); }

  // Bytes to be folded as ASCII; those >= 0x80 stay. Reads 63 bytes past the end.
  void plain(const unsigned char* at, std::size_t size) noexcept {
    bytes_.advance(kernels::fold_ascii_chars(
        at, size, reinterpret_cast<unsigned char*>(bytes_.end()), after_blank_));
  }

  // Folds what takes as many bytes when folded, to where something else stands near, and returns
  // how many bytes it took. `at` begins with what joins nothing. Reads 64 bytes past the end.
  [[nodiscard]] std::size_t take(const unsigned char* at, std::size_t size) noexcept {
    kernels::Taken taken;
    bytes_.advance(kernels::fold_utf8_chars(at, size, utf8_letters(),
                                            reinterpret_cast<unsigned char*>(bytes_.end()),
                                            after_blank_, taken));
    return taken.size;
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

  FoldedBytes bytes_;
  bool after_blank_ = true;  // there is none at the beginning
};

}  // namespace sosie
