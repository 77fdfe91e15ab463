#pragma once

#include <array>
#include <span>
#include <string_view>

namespace sosie {

// An 8-bit encoding whose lower half is ASCII. encoding_tables.cc is generated:
//   tools/make_encoding_tables.py > src/io/encoding_tables.cc
struct EncodingTable {
  std::string_view name;              // as --encoding calls it
  std::array<char16_t, 128> letters;  // of the bytes from 0x80 on; 0: the byte stands for nothing
};

[[nodiscard]] std::span<const EncodingTable> encoding_tables() noexcept;

}  // namespace sosie
