#pragma once

#include <string>
#include <string_view>

#include "core/utf8.h"

namespace sosie {

// Appends the text with U+FFFD in place of each maximal ill-formed subpart.
inline void append_readable(std::string_view text, std::string& out) {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  for (const unsigned char* end = at + text.size(); at < end;) {
    const DecodedCodePoint decoded = decode_code_point(at, end);
    unsigned char bytes[4];
    const std::size_t size = encode_code_point(decoded.code_point, bytes);
    out.append(bytes, bytes + size);
    at += decoded.size;
  }
}

}  // namespace sosie
