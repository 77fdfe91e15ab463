#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sosie/error.h"

namespace sosie {

static_assert(std::endian::native == std::endian::little, "files hold little-endian numbers");

// Writes plain values one after another, without gaps, for files that outlive a run.
class PackedWriter {
 public:
  template <class T>
  void value(const T& value) {
    column(std::span(&value, 1));
  }
  // Writes only the values; the reader must learn their number from elsewhere.
  template <class T>
  void column(std::span<const T> values) {
    static_assert(std::is_arithmetic_v<T>);
    if (values.empty()) return;
    const std::size_t at = bytes_.size();
    bytes_.resize(at + values.size_bytes());
    std::memcpy(bytes_.data() + at, values.data(), values.size_bytes());
  }
  // Writes the length of the text as 64 bits, then its bytes.
  void text(std::string_view text) {
    value(std::uint64_t{text.size()});
    bytes_ += text;
  }

  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

// Reads such bytes. If bytes are missing, throws Error{malformed_input} saying that `name` is
// damaged; `hint` says what to do then.
class PackedReader {
 public:
  PackedReader(std::string_view bytes, const std::string& name,
               std::string_view hint = "recreate the sketches")
      : rest_(bytes), name_(name), hint_(hint) {}

  [[noreturn]] void refuse() const {
    throw Error(ErrorKind::malformed_input, name_ + ": is damaged", std::string(hint_));
  }

  template <class T>
  [[nodiscard]] T value() {
    static_assert(std::is_arithmetic_v<T>);
    if (rest_.size() < sizeof(T)) refuse();
    T value;
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
    return value;
  }
  template <class T>
  [[nodiscard]] std::vector<T> column(std::uint64_t count) {
    static_assert(std::is_arithmetic_v<T>);
    if (count > rest_.size() / sizeof(T)) refuse();
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), rest_.data(), count * sizeof(T));
    rest_.remove_prefix(count * sizeof(T));
    return values;
  }
  // Skips this many bytes and returns them.
  [[nodiscard]] std::string_view skip(std::uint64_t bytes) {
    if (bytes > rest_.size()) refuse();
    const std::string_view skipped = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return skipped;
  }
  [[nodiscard]] std::string text() {
    const auto size = value<std::uint64_t>();
    if (size > rest_.size()) refuse();
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }
  // The number of elements that follow, each of which takes at least `least_bytes`.
  [[nodiscard]] std::uint64_t count(std::size_t least_bytes) {
    const auto count = value<std::uint64_t>();
    if (count > rest_.size() / least_bytes) refuse();
    return count;
  }
  void expect_end() const {
    if (!rest_.empty()) refuse();
  }

 private:
  std::string_view rest_;
  const std::string& name_;
  std::string_view hint_;
};

}  // namespace sosie
