// Decodes other encodings with iconv of the C library.
#include "io/iconv_codec.h"

#include <fmt/format.h>
#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <utility>

#include "io/append_escaped.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kLongestCharacter = 8;  // bytes, in any encoding without modes

// A conversion from one encoding to another. Use from one thread only.
class Conversion {
 public:
  Conversion(const char* to, const char* from) : handle_(::iconv_open(to, from)) {}
  ~Conversion() {
    if (is_open()) ::iconv_close(handle_);
  }
  Conversion(const Conversion&) = delete;
  Conversion& operator=(const Conversion&) = delete;

  [[nodiscard]] bool is_open() const noexcept {
    return handle_ != reinterpret_cast<iconv_t>(-1);  // NOLINT: as iconv_open() says so
  }

  // Appends the converted text as far as possible; returns the number of bytes read. `error`: 0,
  // EILSEQ, or EINVAL (an incomplete character).
  std::size_t convert(std::string_view text, std::string& out, int& error) {
    ::iconv(handle_, nullptr, nullptr, nullptr, nullptr);
    char* from = const_cast<char*>(text.data());  // NOLINT: iconv() does not write there
    std::size_t left = text.size();
    error = 0;
    bool flushes = left == 0;
    while (true) {
      std::array<char, 4096> buffer;
      char* to = buffer.data();
      std::size_t free = buffer.size();
      const std::size_t result = flushes ? ::iconv(handle_, nullptr, nullptr, &to, &free)
                                         : ::iconv(handle_, &from, &left, &to, &free);
      const int why = result == static_cast<std::size_t>(-1) ? errno : 0;
      out.append(buffer.data(), buffer.size() - free);
      if (why == E2BIG) continue;
      if (flushes) break;
      error = why;
      flushes = true;
    }
    return text.size() - left;
  }

 private:
  iconv_t handle_;
};

struct Conversions {
  explicit Conversions(const std::string& name)
      : decoding("UTF-8", name.c_str()), encoding(name.c_str(), "UTF-8") {}
  Conversion decoding;
  Conversion encoding;
};

// Opening a conversion takes much longer than converting a row.
Conversions& conversions(const std::string& name) {
  thread_local std::map<std::string, Conversions> known;
  return known.try_emplace(name, name).first->second;
}

class IconvCodec final : public Codec {
 public:
  explicit IconvCodec(std::string name) : name_(std::move(name)) {}

  std::size_t decode(std::string_view bytes, bool is_last, std::string& out) const override {
    Conversions& convert = conversions(name_);
    std::size_t at = 0;
    while (at < bytes.size()) {
      std::string text;
      int error = 0;
      const std::string_view rest = bytes.substr(at);
      const std::size_t read = convert.decoding.convert(rest, text, error);
      if (is_written_as(convert, text, rest.substr(0, read))) {
        out += text;
      } else {
        decode_each(convert, rest.substr(0, read), out);
      }
      at += read;
      if (at == bytes.size()) break;
      if (error == EINVAL && !is_last && bytes.size() - at < kLongestCharacter) break;
      append_escaped(bytes.substr(at, 1), out);
      ++at;
    }
    return at;
  }

  bool encode(std::string_view text, std::string& out) const override {
    Conversions& convert = conversions(name_);
    while (!text.empty()) {
      std::size_t end = 0;  // end of the part without escaped bytes
      DecodedCodePoint next{0, 0};
      for (; end < text.size(); end += next.size) {
        next = next_of_decoded(text, end);
        if (is_any_escaped_byte(next.code_point)) break;
      }
      int error = 0;
      if (convert.encoding.convert(text.substr(0, end), out, error) < end) return false;
      if (end == text.size()) break;
      out += static_cast<char>(next.code_point - kByteEscapes);
      text.remove_prefix(end + next.size);
    }
    return true;
  }

 private:
  static bool is_written_as(Conversions& convert, std::string_view text, std::string_view bytes) {
    std::string written;
    int error = 0;
    return convert.encoding.convert(text, written, error) == text.size() && written == bytes;
  }

  // Converts character by character, because some characters are encoded differently on the way
  // back.
  static void decode_each(Conversions& convert, std::string_view bytes, std::string& out) {
    while (!bytes.empty()) {
      std::size_t size = 1;
      std::string text;
      for (; size <= std::min(kLongestCharacter, bytes.size()); ++size) {
        int error = 0;
        text.clear();
        const bool whole = convert.decoding.convert(bytes.substr(0, size), text, error) == size;
        if (whole && error == 0) break;
        text.clear();
      }
      if (text.empty() || !is_written_as(convert, text, bytes.substr(0, size))) {
        size = 1;
        append_escaped(bytes.substr(0, 1), out);
      } else {
        out += text;
      }
      bytes.remove_prefix(size);
    }
  }

  std::string name_;
};

// True if bytes of the encoding have the same meaning in any position.
bool has_no_modes(const std::string& name) {
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  constexpr std::array<std::string_view, 7> kModes = {"2022", "UTF-7", "UTF7", "HZ",
                                                      "SCSU", "IBM93", "//"};
  return std::none_of(kModes.begin(), kModes.end(),
                      [&](std::string_view mode) { return upper.find(mode) != std::string::npos; });
}

}  // namespace

std::shared_ptr<const Codec> iconv_codec(const std::string& name) {
#ifdef SOSIE_STATIC
  // Its C library would load the system's conversions, which may be of a different version.
  throw Error(
      ErrorKind::unsupported,
      fmt::format("encoding {}: not built in, and a statically linked program cannot use iconv",
                  name),
      "`iconv -t UTF-8` converts the file; the Debian package and `pip install sosie` can read it");
#endif
  if (name.empty() || !has_no_modes(name)) return nullptr;
  const Conversions& found = conversions(name);
  if (!found.decoding.is_open() || !found.encoding.is_open()) return nullptr;
  return std::make_shared<IconvCodec>(name);
}

}  // namespace sosie
