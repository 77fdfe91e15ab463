#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "data/padded_bytes.h"
#include "io/file.h"

// Input and checks shared by the fuzz bodies.
namespace sosie::fuzz {

// Requires a property that must hold for every input. The message contains the line number because
// replay_main shows no stack trace.
inline void require(bool holds, int line = __builtin_LINE()) {
  if (holds) return;
  std::fprintf(stderr, "line %d: the property does not hold\n", line);
  std::abort();
}

// The bytes of one input, read from the front.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size)
      : bytes_(reinterpret_cast<const char*>(data), size) {}

  // 0 when none is left.
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const char first = bytes_.front();
    bytes_.remove_prefix(1);
    return static_cast<std::uint8_t>(first);
  }

  // The bytes up to the next line feed, which is dropped.
  std::string_view line() {
    const std::string_view line = bytes_.substr(0, bytes_.find('\n'));
    bytes_.remove_prefix(line.size() < bytes_.size() ? line.size() + 1 : line.size());
    return line;
  }

  [[nodiscard]] std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

// `text`, followed by kPadding bytes of `padding`: the result must not depend on the bytes after a
// text.
inline std::string_view padded(std::string_view text, char padding, PaddedBytes& out) {
  out.assign(text);
  std::memset(out.data() + text.size(), padding, kPadding);
  return out.view();
}

// Makes the address sanitizer report a text whose padding may not be read.
inline void touch_padding(std::string_view text) {
  if (text.empty()) return;
  volatile char sink = 0;
  for (std::size_t i = 0; i < kPadding; ++i) sink = text.data()[text.size() + i];
  (void)sink;
}

// A file in memory.
inline File file_of(std::string_view bytes) {
  const int descriptor = ::memfd_create("fuzz", MFD_CLOEXEC);
  require(descriptor >= 0);
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    require(written > 0);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {descriptor, "fuzz"};
}

}  // namespace sosie::fuzz
