#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Properties of the characters beyond ASCII, for kernels that fold UTF-8. Callers fill them in from
// the Unicode tables.
struct Utf8Letters {
  // Treatment of a character. The first four are the classes of the Unicode tables, as numbers.
  enum Kind : std::uint8_t { blank, separator, word, single, odd, mixed };

  // Two-byte characters with lead 0xC0 + i and low six bits j: their folded form and their kind.
  // odd: cannot be represented here, such as marks that may combine with the preceding text, and
  // characters that grow when folded.
  struct Lead {
    std::array<std::uint8_t, 64> first;
    std::array<std::uint8_t, 64> second;
    std::array<std::uint8_t, 64> kind;
  };
  alignas(64) std::array<Lead, 32> leads;

  // The kind of all three-byte characters with lead 0xE0 + i, none of which is folded; mixed: each
  // character's kind must be looked up.
  alignas(16) std::array<std::uint8_t, 16> kind_of_three;

  // The kind of each three-byte code point, by code point below U+10000; odd below U+0800, where
  // three bytes are an overlong form.
  std::array<std::uint8_t, 0x10000> kinds;

  // Code points above U+FFFF: the two lowest bits of properties[blocks[c >> 6] << 6 | (c & 63)] are
  // the kind; other bits are set only if the character is odd.
  const std::uint16_t* blocks = nullptr;
  const std::uint16_t* properties = nullptr;
};

// The part of a text that a kernel call has consumed.
struct Taken {
  std::size_t size = 0;  // bytes
  // True if the call stopped because the next character, or the one after it, is odd or ill-formed;
  // it may combine with the preceding text. Otherwise, the call has reached the end of the text or
  // its maximum.
  bool stopped = false;
};

}  // namespace sosie::kernels
