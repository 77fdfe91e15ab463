#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Result of copy_json_text().
struct JsonText {
  // The closing quote, or an odd character; null if neither occurs before `end`.
  const std::uint8_t* stop = nullptr;
  std::size_t written = 0;  // bytes before `stop`
  bool non_ascii = false;
  // True if `stop` is a character that cannot simply be copied: a control character (not JSON), or
  // the character after the backslash in \b, \u or an invalid escape. If backslashes are kept, this
  // backslash has already been written.
  bool odd = false;
};

// Copies the characters of a JSON string, starting at `in`, after the opening quote, for readers
// that treat all white space alike:
// , \r, \t and \f become spaces. With `drop_backslashes`, the backslashes of escapes are dropped;
// otherwise they remain, so that \" is two characters between words instead of one. May read up to
// 63 bytes after `end` and change up to 63 bytes after the output.
JsonText copy_json_text(const std::uint8_t* in, const std::uint8_t* end, std::uint8_t* out,
                        bool drop_backslashes) noexcept;

}  // namespace sosie::kernels
