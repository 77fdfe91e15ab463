#pragma once

#include <array>
#include <span>
#include <string_view>

namespace sosie {

// An 8-bit encoding whose lower half is ASCII. encoding_tables.cc is generated:
//   tools/make_encoding_tables.py > src/io/encoding_tables.cc
struct EncodingTable {
  std::string_view name;              // value of --encoding
  std::array<char16_t, 128> letters;  // characters for bytes 0x80 and above; 0: none
};

[[nodiscard]] std::span<const EncodingTable> encoding_tables() noexcept;

}  // namespace sosie
