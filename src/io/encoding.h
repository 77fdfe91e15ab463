#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/compression.h"

namespace sosie {

// Encoding of characters as bytes. Decoding loses nothing: a byte that stands for no character
// becomes U+DC00 + byte, written in three bytes as UTF-8 would be, which is ill-formed; encoding
// gives back the bytes that were decoded.
class Codec {
 public:
  Codec() = default;
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;
  virtual ~Codec() = default;

  // Appends the UTF-8 form of the whole characters that `bytes` begin with, and returns how many
  // bytes these take: at most 16 fewer than there are, and none fewer when no more are to come.
  // Safe for many threads at once.
  virtual std::size_t decode(std::string_view bytes, bool is_last, std::string& out) const = 0;
  // Appends what decode() made the text of. False when it holds a character that the encoding
  // lacks; what is before it was appended.
  [[nodiscard]] virtual bool encode(std::string_view text, std::string& out) const = 0;
};

// The encoding of one file.
struct FileEncoding {
  std::string name = "utf-8";
  std::string mark;                    // the byte order mark in front of its text, if it has one
  std::shared_ptr<const Codec> codec;  // null: UTF-8
  // Lines end with carriage returns alone; the text has line feeds in their place.
  bool has_returns = false;

  [[nodiscard]] bool is_usual() const noexcept { return !codec && !has_returns; }
};

// True if `name` is "auto" or an encoding that is known here.
// Known are those with a table or a rule, and what iconv has. Case, "-" and "_" do not matter;
// cp1252 is windows-1252.
[[nodiscard]] bool is_encoding_name(std::string_view name);

// Number of bytes at the beginning of a file that its encoding is told from.
inline constexpr std::size_t kBytesToDetect = std::size_t{64} << 10;

// The encoding of a file that begins with `head` (all of it, or kBytesToDetect). `asked`: empty:
// UTF-16 or UTF-32 if there is its byte order mark, else UTF-8; "auto": detected; else a name. Of
// utf-16 and utf-32 without a mark the byte order is little-endian. Throws Error{unsupported} for a
// name that is not known.
[[nodiscard]] FileEncoding encoding_of_file(std::string_view head, std::string_view asked);

// Decodes bytes that come in pieces.
class Decoder {
 public:
  // `sink` receives the text without its byte order mark; with both where it begins with two.
  Decoder(std::string asked, ByteSink sink) : asked_(std::move(asked)), sink_(std::move(sink)) {}

  void add(std::string_view bytes);
  void finish();
  [[nodiscard]] const FileEncoding& encoding() const noexcept { return *encoding_; }

 private:
  [[nodiscard]] bool needs_more() const noexcept;
  void decode(bool is_last);

  std::string asked_;
  ByteSink sink_;
  std::string bytes_;  // not decoded yet
  std::string text_;
  std::optional<FileEncoding> encoding_;  // once it is known
};

}  // namespace sosie
