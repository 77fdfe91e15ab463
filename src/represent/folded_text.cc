// Prepares texts for tokens: folds, composes, and splits into words or characters.
#include "represent/folded_text.h"

#include <simdjson.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/utf8.h"
#include "represent/compose_canonically.h"
#include "represent/find_non_ascii.h"
#include "represent/sinks.h"
#include "represent/unicode_tables.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using unicode::CharClass;

// Plain text is scanned in pieces that are still in cache when they are folded.
constexpr std::ptrdiff_t kPlainPiece = 4096;

struct Character {
  DecodedCodePoint decoded;
  unicode::Properties properties;
};

// The properties of an escaped byte: a letter that is neither changed nor composed.
constexpr std::uint16_t kLetter = static_cast<std::uint16_t>(CharClass::word);

[[gnu::always_inline]] inline unicode::Properties properties_or_letter(char32_t c) noexcept {
  return is_escaped_byte(c) ? unicode::Properties(kLetter) : unicode::properties_of(c);
}

[[gnu::always_inline]] inline Character read_character(const unsigned char* at,
                                                       const unsigned char* end) noexcept {
  const DecodedCodePoint decoded = decode_or_escape(at, end);
  return {decoded, properties_or_letter(decoded.code_point)};
}

const unsigned char* end_of_ascii(const unsigned char* at, const unsigned char* end) noexcept {
  return lanes::find_non_ascii(at, at + std::min(end - at, kPlainPiece));
}

// Folds one text into a sink. The text is divided into segments: a code point that does not compose
// with its predecessor, followed by those that do. Segments are independent of each other (UAX #15,
// 9.1 and the checks in tools/make_unicode_tables.py), and nearly all consist of a single code
// point, whose result is in a table. The sink processes most of a text in long stretches; where it
// stops, folding continues here, character by character.
template <typename Sink>
class UnicodeFolder {
 public:
  UnicodeFolder(std::string_view text, Sink& sink) noexcept
      : at_(reinterpret_cast<const unsigned char*>(text.data())),
        end_(at_ + text.size()),
        sink_(sink) {}

  // Returns true if the text is well-formed.
  bool fold() {
    while (at_ != end_) {
      at_ += sink_.take(at_, remaining());
      if (at_ != end_) fold_some();
    }
    return !ill_formed_;
  }

 private:
  // Special characters are often close to each other: a change of method pays off only after this
  // many ordinary bytes.
  static constexpr std::ptrdiff_t kCalm = 16;

  // Folds segments from at_ onwards until a number of consecutive ones were ordinary.
  void fold_some() {
    const unsigned char* odd = at_;
    while (at_ != end_) {
      if (fold_character(read_character(at_, end_))) odd = at_;
      if (at_ - odd >= kCalm) return;
    }
  }

  // Folds the segment that begins with `current` at at_. Returns true if this took more than
  // copying.
  bool fold_character(const Character& current) {
    const unsigned char* after = at_ + current.decoded.size;
    const bool alone = after == end_ || !read_character(after, end_).properties.joins_previous();
    const std::uint32_t mapping = current.properties.mapping();
    if (!alone || current.properties.joins_previous() || mapping == unicode::kFullPath) {
      fold_segment();
      return true;
    }
    if (is_escaped_byte(current.decoded.code_point)) {
      put_escaped(current.decoded.code_point);
      at_ = after;
      return true;
    }
    if (mapping == 0) {
      sink_.put(at_, current.decoded.size, current.properties.char_class());
    } else {
      const unicode::Mapping& folded = unicode::kMappings[mapping];
      sink_.ensure_capacity(remaining() + sizeof folded);
      sink_.put(folded.bytes, folded.size, current.properties.char_class());
    }
    at_ = after;
    return mapping != 0 && current.decoded.size > 1;
  }

  // Folds the segment that begins at at_, with the full algorithm unless it is plain.
  void fold_segment() {
    if (!read_segment()) unicode::fold_canonically(segment_);
    sink_.ensure_capacity(remaining() + 4 * segment_.size() + sizeof(unicode::Mapping));
    for (const char32_t code_point : segment_) put_as_is(code_point);
  }

  // Fills segment_ and moves at_ past it. Returns true if nothing else is needed: its marks neither
  // compose nor fold and are in order, and its first code point becomes a single code point, which
  // has been stored in segment_.
  bool read_segment() {
    const Character first = read_character(at_, end_);
    at_ += first.decoded.size;
    const std::uint32_t mapping = first.properties.mapping();
    bool is_plain = !first.properties.joins_previous() && mapping != unicode::kFullPath &&
                    unicode::kMappings[mapping].code_points <= 1;
    segment_.assign(1, first.decoded.code_point);
    ill_formed_ = ill_formed_ || is_escaped_byte(first.decoded.code_point);
    unsigned last_class = 0;
    while (at_ != end_ && *at_ >= 0x80) {
      const Character mark = read_character(at_, end_);
      if (!mark.properties.joins_previous()) break;
      const unsigned mark_class = unicode::combining_class(mark.decoded.code_point);
      is_plain = is_plain && !mark.properties.disturbs() && last_class <= mark_class;
      last_class = mark_class;
      segment_.push_back(mark.decoded.code_point);
      at_ += mark.decoded.size;
    }
    if (is_plain && mapping != 0) segment_[0] = mapped_code_point(mapping);
    return is_plain;
  }

  static char32_t mapped_code_point(std::uint32_t number) noexcept {
    const unicode::Mapping& mapping = unicode::kMappings[number];
    const unsigned char* at = mapping.bytes;
    return decode_code_point(at, at + mapping.size).code_point;
  }

  // One byte becomes three.
  void put_escaped(char32_t code_point) {
    sink_.ensure_capacity(3 * remaining() + sizeof(unicode::Mapping));
    put_as_is(code_point);
    ill_formed_ = true;
  }

  void put_as_is(char32_t code_point) {
    unsigned char encoded[8] = {};
    const std::size_t size = encode_code_point(code_point, encoded);
    sink_.put(encoded, size, properties_or_letter(code_point).char_class());
  }

  [[nodiscard]] std::size_t remaining() const noexcept {
    return static_cast<std::size_t>(end_ - at_);
  }

  const unsigned char* at_;
  const unsigned char* end_;
  Sink& sink_;
  bool ill_formed_ = false;
  std::vector<char32_t> segment_;
};

// Writes one byte of ill-formed UTF-8 as three; `remaining` bytes of text begin with it.
template <typename Sink>
void put_escaped_byte(char32_t code_point, std::ptrdiff_t remaining, Sink& sink) {
  unsigned char escaped[8] = {};
  const std::size_t size = encode_code_point(code_point, escaped);
  sink.ensure_capacity(3 * static_cast<std::size_t>(remaining) + size);
  sink.put(escaped, size, CharClass::word);
}

// Splits the text without changing it. Returns true if it is well-formed.
template <typename Sink>
bool take_raw(std::string_view text, Sink& sink) {
  bool well_formed = true;
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* end = at + text.size();
  while (at != end) {
    const Character current = read_character(at, end);
    if (is_escaped_byte(current.decoded.code_point)) {
      put_escaped_byte(current.decoded.code_point, end - at, sink);
      well_formed = false;
    } else {
      sink.put(at, current.decoded.size, current.properties.char_class());
    }
    at += current.decoded.size;
  }
  return well_formed;
}

// Lower-cases A-Z and escapes ill-formed bytes. Returns true if there are none.
bool fold_ascii_chars(std::string_view text, CharSink& sink) {
  bool well_formed = true;
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* end = at + text.size();
  while (at != end) {
    const unsigned char* stop = end_of_ascii(at, end);
    sink.plain(at, static_cast<std::size_t>(stop - at));
    for (at = stop; at != end && *at >= 0x80;) {
      const DecodedCodePoint decoded = decode_or_escape(at, end);
      if (is_escaped_byte(decoded.code_point)) {
        put_escaped_byte(decoded.code_point, end - at, sink);
        well_formed = false;
      } else {
        sink.put(at, decoded.size, CharClass::word);
      }
      at += decoded.size;
    }
  }
  return well_formed;
}

void check_size(std::string_view text) {
  constexpr std::size_t kMaxTextBytes = std::size_t{1} << 31;
  if (text.size() > kMaxTextBytes) {
    throw Error(ErrorKind::limit_exceeded, "a text of " + std::to_string(text.size()) +
                                               " bytes: the maximum is " +
                                               std::to_string(kMaxTextBytes));
  }
}

}  // namespace

void fold_words(std::string_view text, TokenMode mode, FoldedText& out) {
  check_size(text);
  WordSink sink(out, text.size());
  if (mode == TokenMode::ascii) {
    sink.plain(reinterpret_cast<const unsigned char*>(text.data()), text.size());
    out.is_well_formed = simdjson::validate_utf8(text.data(), text.size());
  } else {
    out.is_well_formed =
        mode == TokenMode::raw ? take_raw(text, sink) : UnicodeFolder(text, sink).fold();
  }
  sink.finish();
}

void fold_chars(std::string_view text, TokenMode mode, FoldedText& out) {
  check_size(text);
  CharSink sink(out, text.size());
  if (mode == TokenMode::ascii) {
    out.is_well_formed = fold_ascii_chars(text, sink);
  } else {
    out.is_well_formed =
        mode == TokenMode::raw ? take_raw(text, sink) : UnicodeFolder(text, sink).fold();
  }
  sink.finish();
}

}  // namespace sosie
