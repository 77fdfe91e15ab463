#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Properties of the characters above ASCII for kernels that fold UTF-8; callers make them from the
// Unicode tables.
struct Utf8Letters {
  // Treatment of a character. The first four are the classes of the Unicode tables, as numbers.
  enum Kind : std::uint8_t { blank, separator, word, single, odd, mixed };

  // Two bytes with lead 0xC0 + i and six low bits j behind: what they are folded to, and their
  // kind. odd: what this cannot say, such as marks that may join what precedes, and what grows.
  struct Lead {
    std::array<std::uint8_t, 64> first;
    std::array<std::uint8_t, 64> second;
    std::array<std::uint8_t, 64> kind;
  };
  alignas(64) std::array<Lead, 32> leads;

  // The kind of all characters of three bytes with lead 0xE0 + i, none of which is folded; mixed:
  // it is to be looked up.
  alignas(16) std::array<std::uint8_t, 16> kind_of_three;

  // Code points of three bytes, one by one: by their number, which is below U+10000. odd below
  // U+0800, where three bytes are too long.
  std::array<std::uint8_t, 0x10000> kinds;

  // Code points above U+FFFF: properties[blocks[c >> 6] << 6 | (c & 63)] has the kind in its two
  // low bits, and other bits only when the character is odd.
  const std::uint16_t* blocks = nullptr;
  const std::uint16_t* properties = nullptr;
};

// Part of the text that a call of a kernel took.
struct Taken {
  std::size_t size = 0;  // bytes
  // The next character, or the one behind it, is odd or ill-formed; it may join what precedes it.
  // Otherwise the text is at its end, or the call has taken all that one call takes.
  bool stopped = false;
};

}  // namespace sosie::kernels
