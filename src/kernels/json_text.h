#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Result of copy_json_text().
struct JsonText {
  // The closing quote, or an odd character; null if there is neither before `end`.
  const std::uint8_t* stop = nullptr;
  std::size_t written = 0;  // bytes before `stop`
  bool non_ascii = false;
  // A character that needs more than copying: a control character (not JSON), or the one after the
  // backslash in \b, \u or an invalid escape. If backslashes are kept, this one has been written,
  // too.
  bool odd = false;
};

// Copies the characters of a JSON string, with `in` after its opening quote, for readers that treat
// all white space alike: \n, \r, \t and \f become spaces. With `drop_backslashes` the backslashes
// of escapes are dropped; without, they stay, and \" is two characters between words instead of
// one. Up to 63 bytes after `end` may be read and the same number after the output may be changed.
JsonText copy_json_text(const std::uint8_t* in, const std::uint8_t* end, std::uint8_t* out,
                        bool drop_backslashes) noexcept;

}  // namespace sosie::kernels
