#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/compression.h"

namespace sosie {

// Encodes characters as bytes and decodes them. Decoding is lossless: a byte that is not part of a
// character becomes U+DC00 + byte in the three-byte form of UTF-8, which is ill-formed; encoding
// restores the original bytes.
class Codec {
 public:
  Codec() = default;
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;
  virtual ~Codec() = default;

  // Appends the complete characters at the start of `bytes` as UTF-8 and returns the number of
  // bytes consumed: all of them if `is_last`, otherwise at most 16 fewer. Thread-safe.
  virtual std::size_t decode(std::string_view bytes, bool is_last, std::string& out) const = 0;
  // Encodes `text`, the inverse of decode(). Returns false at the first character that the encoding
  // cannot represent; the bytes before it have been appended.
  [[nodiscard]] virtual bool encode(std::string_view text, std::string& out) const = 0;
};

// The encoding of one file.
struct FileEncoding {
  std::string name = "utf-8";
  std::string mark;                    // byte order mark at the start of the file; may be empty
  std::shared_ptr<const Codec> codec;  // null: UTF-8
  // Lines end with a carriage return only; the decoded text has line feeds instead.
  bool has_returns = false;

  [[nodiscard]] bool is_usual() const noexcept { return !codec && !has_returns; }
};

// True if `name` is "auto" or a known encoding: one with a table or a rule, or one that iconv
// supports. Case, "-" and "_" are ignored; cp1252 is windows-1252.
[[nodiscard]] bool is_encoding_name(std::string_view name);

// Number of bytes at the start of a file that are used to detect its encoding.
inline constexpr std::size_t kBytesToDetect = std::size_t{64} << 10;

// The encoding of a file that begins with `head` (the whole file, or kBytesToDetect). If `asked` is
// empty: UTF-16 or UTF-32 if the file begins with their byte order mark, otherwise UTF-8; if it is
// "auto": detected; otherwise the name of the encoding. utf-16 and utf-32 without a mark are
// little-endian. Throws Error{unsupported} for an unknown name.
[[nodiscard]] FileEncoding encoding_of_file(std::string_view head, std::string_view asked);

// Decodes bytes that arrive in pieces.
class Decoder {
 public:
  // `sink` receives the text without its byte order mark. If the text begins with two marks, it
  // receives both.
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
  std::optional<FileEncoding> encoding_;  // empty until it is known
};

}  // namespace sosie
