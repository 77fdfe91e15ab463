#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/utf8_letters.h"

namespace sosie::kernels {

// Maximum number of bytes per call, and minimum free space in its list.
inline constexpr std::size_t kMarkBytes = 2048;
inline constexpr std::size_t kMarkCapacity = kMarkBytes + 64;

// The words found so far: word i is [places[2 i], places[2 i + 1]). If the number of places is odd,
// the text so far ends inside a word.
struct WordMarks {
  std::uint32_t* places;
  std::size_t count;
};

// Lower-cases A-Z from `in` to `out` and marks where words begin and end; a word is a run of
// [0-9a-z_] and bytes >= 0x80. Positions count from `base`, the position of out[0]. `size`: at most
// kMarkBytes. May read up to 63 bytes after `in` and write up to 63 bytes after `out`.
void mark_ascii_words(const std::uint8_t* in, std::size_t size, std::uint8_t* out,
                      std::uint32_t base, WordMarks& marks) noexcept;

// Folds UTF-8 characters whose size does not change, and marks where words begin and end, including
// characters that are words of their own. `in` must begin with a character that does not combine
// with a preceding one. May read up to 64 bytes after `in` and write up to 64 bytes after `out`.
Taken mark_utf8_words(const std::uint8_t* in, std::size_t size, const Utf8Letters& letters,
                      std::uint8_t* out, std::uint32_t base, WordMarks& marks) noexcept;

}  // namespace sosie::kernels
