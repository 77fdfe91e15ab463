#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// What copy_json_text() found.
struct JsonText {
  const std::uint8_t* stop = nullptr;  // the closing quote; null when there is none before `end`
  std::size_t written = 0;
  bool non_ascii = false;
  // Something that takes more than copying: a control character (not JSON), \b, \u or an escape
  // that is none. What was written is then of no use.
  bool odd = false;
};

// Copies the characters of a JSON string, `in` standing behind its opening quote, for readers to
// whom white space is all the same: \n, \r, \t and \f become blanks. With `drop_backslashes` the
// backslashes of escapes go; without, they stay, and \" is two characters between words instead of
// one. Up to 63 bytes behind `end` may be read and as many behind what is written be changed.
JsonText copy_json_text(const std::uint8_t* in, const std::uint8_t* end, std::uint8_t* out,
                        bool drop_backslashes) noexcept;

}  // namespace sosie::kernels
