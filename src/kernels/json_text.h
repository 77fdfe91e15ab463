#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Result of copy_json_text().
struct JsonText {
  // The closing quote, or what is odd; null when there is neither before `end`.
  const std::uint8_t* stop = nullptr;
  std::size_t written = 0;  // bytes before `stop`
  bool non_ascii = false;
  // Something that takes more than copying: a control character (not JSON), or the character behind
  // the backslash of \b, \u or an escape that is none. With backslashes kept this one was written,
  // too.
  bool odd = false;
};

// Copies the characters of a JSON string, `in` standing behind its opening quote, for readers to
// whom white space is all the same: \n, \r, \t and \f become blanks. With `drop_backslashes` the
// backslashes of escapes go; without, they stay, and \" is two characters between words instead of
// one. Up to 63 bytes behind `end` may be read and as many behind what is written be changed.
JsonText copy_json_text(const std::uint8_t* in, const std::uint8_t* end, std::uint8_t* out,
                        bool drop_backslashes) noexcept;

}  // namespace sosie::kernels
