#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/utf8.h"

// Decoded text: UTF-8 in which U+DC00 + byte (three ill-formed bytes) stands for each byte that is
// not part of a character.
namespace sosie {

// True for an escaped byte of any value; in UTF-16 and UTF-32, even bytes below 0x80 may be
// escaped.
[[nodiscard]] constexpr bool is_any_escaped_byte(char32_t code_point) noexcept {
  return code_point - kByteEscapes < 0x100;
}

inline void append_code_point(char32_t code_point, std::string& out) {
  unsigned char bytes[4];
  const std::size_t size = encode_code_point(code_point, bytes);
  out.append(bytes, bytes + size);
}

inline void append_escaped(std::string_view bytes, std::string& out) {
  for (const char byte : bytes)
    append_code_point(kByteEscapes + static_cast<unsigned char>(byte), out);
}

// The code point or escaped byte at position `at` of `text`, which must not be empty. An ill-formed
// byte outside an escape is read as a kReplacementCharacter one byte long.
[[nodiscard]] inline DecodedCodePoint next_of_decoded(std::string_view text,
                                                      std::size_t at) noexcept {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const std::size_t left = text.size() - at;
  if (left >= 3 && bytes[at] == 0xED && (bytes[at + 1] & 0xFCU) == 0xB0 &&
      detail::continues(bytes[at + 2])) {
    return {kByteEscapes + ((bytes[at + 1] & 3U) << 6 | (bytes[at + 2] & 0x3FU)), 3};
  }
  const DecodedCodePoint read = decode_or_escape(bytes + at, bytes + text.size());
  return is_escaped_byte(read.code_point) ? DecodedCodePoint{kReplacementCharacter, 1} : read;
}

}  // namespace sosie
