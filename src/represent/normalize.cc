#include "represent/normalize.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/utf8.h"
#include "represent/ascii_lanes.h"
#include "represent/canonical.h"
#include "represent/char_sink.h"
#include "represent/unicode_tables.h"
#include "represent/word_sink.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using unicode::CharClass;

// Plain text is looked through in pieces that are still in cache when they are folded.
constexpr std::ptrdiff_t kPlainPiece = 4096;

struct Character {
  DecodedCodePoint decoded;
  unicode::Properties properties;
};

[[gnu::always_inline]] inline Character read_character(const unsigned char* at,
                                                       const unsigned char* end) noexcept {
  const DecodedCodePoint decoded = decode_code_point(at, end);
  return {decoded, unicode::properties_of(decoded.code_point)};
}

const unsigned char* end_of_ascii(const unsigned char* at, const unsigned char* end) noexcept {
  return lanes::find_non_ascii(at, at + std::min(end - at, kPlainPiece));
}

std::uint16_t load_two(const unsigned char* at) noexcept {
  std::uint16_t two = 0;
  std::memcpy(&two, at, sizeof two);
  return two;
}

// The letters of two bytes (U+0080 to U+07FF: most of Latin, Greek, Cyrillic, Hebrew, Arabic) that
// join nothing and become one letter of two bytes.
class TwoByteLetters {
 public:
  TwoByteLetters() noexcept {
    for (char32_t c = 0x80; c < folded_.size(); ++c) {
      const unicode::Properties properties = unicode::properties_of(c);
      if (properties.char_class() != CharClass::word || properties.joins_previous()) continue;
      unsigned char bytes[8] = {};
      if (properties.mapping() == 0) {
        encode_code_point(c, bytes);
      } else if (properties.mapping() != unicode::kFullPath) {
        const unicode::Mapping& mapping = unicode::kMappings[properties.mapping()];
        if (mapping.code_points != 1 || mapping.size != 2) continue;
        std::memcpy(bytes, mapping.bytes, 2);
      }
      std::memcpy(&folded_[c], bytes, 2);
    }
  }

  // The folded letter at `at` as its bytes in memory; 0 when it is none of these.
  [[nodiscard]] std::uint16_t fold(const unsigned char* at,
                                   const unsigned char* end) const noexcept {
    if (end - at < 2 || (at[0] & 0xE0U) != 0xC0 || (at[1] & 0xC0U) != 0x80) return 0;
    return folded_[(at[0] & 0x1FU) << 6 | (at[1] & 0x3FU)];
  }

 private:
  std::array<std::uint16_t, 0x800> folded_{};
};

const TwoByteLetters& two_byte_letters() noexcept {
  static const TwoByteLetters letters;
  return letters;
}

// Folds one text into a sink. The text falls into segments: a code point that does not join its
// predecessor, and those after it that do. Segments do not influence each other (UAX #15, 9.1 and
// the checks of tools/make_unicode_tables.py), and nearly all are of one code point, whose result
// stands in a table.
template <typename Sink>
class UnicodeFolder {
 public:
  UnicodeFolder(std::string_view text, Sink& sink) noexcept
      : at_(reinterpret_cast<const unsigned char*>(text.data())),
        end_(at_ + text.size()),
        sink_(sink) {}

  void fold() {
    while (at_ != end_) {
      const unsigned char* stop = end_of_plain();
      if (stop == end_ || *stop < 0x80) {
        fold_plain_until(stop);
        continue;
      }
      const Character next = read_character(stop, end_);
      if (next.properties.joins_previous()) {
        if (stop != at_) stop -= stop[-1] < 0x80 ? 1 : 2;
        fold_plain_until(stop);
        fold_segment();
      } else {
        fold_plain_until(stop);
        if (!is_plain(stop)) fold_others(next);
      }
    }
  }

 private:
  // A letter that folds to other bytes of the same number.
  struct Replaced {
    std::ptrdiff_t place;  // from at_
    std::uint16_t letter;
  };

  // The folded form of a letter of two bytes that the sink can take with others; 0 if it is none.
  [[nodiscard]] std::uint16_t plain_letter(const unsigned char* at) const noexcept {
    const std::uint16_t folded = letters_.fold(at, end_);
    return Sink::kKeepsPlaces || folded == load_two(at) ? folded : std::uint16_t{0};
  }

  [[nodiscard]] bool is_plain(const unsigned char* at) const noexcept {
    return *at < 0x80 || plain_letter(at) != 0;
  }

  // Looks through plain text from at_ on, which the sink can take whole: ASCII and letters of two
  // bytes. Those that the sink does not fold stand in replaced_.
  const unsigned char* end_of_plain() {
    replaced_.clear();
    const unsigned char* limit = at_ + std::min(end_ - at_, kPlainPiece);
    const unsigned char* at = end_of_ascii(at_, limit);
    while (at < limit) {
      const std::uint16_t folded = plain_letter(at);
      if (folded == 0) return at;
      if (folded != load_two(at)) replaced_.push_back({at - at_, folded});
      at += 2;
      if (at < limit && *at < 0x80) at = end_of_ascii(at, limit);
    }
    return at;
  }

  void fold_plain_until(const unsigned char* stop) {
    char* const folded = sink_.end();
    sink_.plain(at_, static_cast<std::size_t>(stop - at_));
    for (const Replaced& replaced : replaced_) {
      if (replaced.place < stop - at_) std::memcpy(folded + replaced.place, &replaced.letter, 2);
    }
    at_ = stop;
  }

  // From `current`, which stands at at_ and joins nothing, up to plain text: a single blank between
  // words is not worth a change of method.
  void fold_others(Character current) {
    const unsigned char* at = at_;
    for (;;) {
      const unsigned char* after = at + current.decoded.size;
      if (after == end_ ||
          (is_plain(after) && (after[0] >= 0x80 || after + 1 == end_ || is_plain(after + 1)))) {
        put_alone(current, at);
        at_ = after;
        return;
      }
      const Character next = read_character(after, end_);
      if (next.properties.joins_previous()) {
        at_ = at;
        fold_segment();
        return;
      }
      put_alone(current, at);
      at = after;
      current = next;
    }
  }

  // A segment of one code point, which stands at `at`.
  void put_alone(const Character& character, const unsigned char* at) {
    const std::uint32_t mapping = character.properties.mapping();
    if (mapping == 0) {
      sink_.put(at, character.decoded.size, character.properties.char_class());
    } else {
      put_mapped(character, at);
    }
  }

  void put_mapped(const Character& character, const unsigned char* at) {
    at_ = at;
    if (character.properties.mapping() == unicode::kFullPath) {
      fold_segment();
      return;
    }
    const unicode::Mapping& mapping = unicode::kMappings[character.properties.mapping()];
    sink_.make_room(remaining() + sizeof mapping);
    sink_.put(mapping.bytes, mapping.size, character.properties.char_class());
  }

  // The segment that begins at at_, by the full algorithm unless it is plain.
  void fold_segment() {
    if (!read_segment()) unicode::fold_canonically(segment_);
    sink_.make_room(remaining() + 4 * segment_.size() + sizeof(unicode::Mapping));
    for (const char32_t code_point : segment_) put_as_is(code_point);
  }

  // Fills segment_ and moves at_ behind it. True if nothing is left to do: its marks neither
  // compose nor fold, stand in order, and what its first code point becomes, put into segment_,
  // is one code point.
  bool read_segment() {
    const Character first = read_character(at_, end_);
    at_ += first.decoded.size;
    const std::uint32_t mapping = first.properties.mapping();
    bool is_plain = !first.properties.joins_previous() && mapping != unicode::kFullPath &&
                    unicode::kMappings[mapping].code_points <= 1;
    segment_.assign(1, first.decoded.code_point);
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

  void put_as_is(char32_t code_point) {
    unsigned char encoded[8] = {};
    const std::size_t size = encode_code_point(code_point, encoded);
    sink_.put(encoded, size, unicode::properties_of(code_point).char_class());
  }

  [[nodiscard]] std::size_t remaining() const noexcept {
    return static_cast<std::size_t>(end_ - at_);
  }

  const unsigned char* at_;
  const unsigned char* end_;
  Sink& sink_;
  const TwoByteLetters& letters_ = two_byte_letters();
  std::vector<Replaced> replaced_;
  std::vector<char32_t> segment_;
};

// Lower-cases A-Z and replaces what is ill-formed.
void fold_ascii_chars(std::string_view text, CharSink& sink) {
  static constexpr unsigned char kReplacement[8] = {0xEF, 0xBF, 0xBD};
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* end = at + text.size();
  while (at != end) {
    const unsigned char* stop = end_of_ascii(at, end);
    sink.plain(at, static_cast<std::size_t>(stop - at));
    for (at = stop; at != end && *at >= 0x80;) {
      const DecodedCodePoint decoded = decode_code_point(at, end);
      if (decoded.code_point == kReplacementCharacter) {
        sink.make_room(static_cast<std::size_t>(end - at) + 3);
        sink.put(kReplacement, 3, CharClass::separator);
      } else {
        sink.put(at, decoded.size, CharClass::word);
      }
      at += decoded.size;
    }
  }
}

void check_size(std::string_view text) {
  constexpr std::size_t kMaxTextBytes = std::size_t{1} << 31;
  if (text.size() > kMaxTextBytes) {
    throw Error(ErrorKind::limit_exceeded, "a text of " + std::to_string(text.size()) +
                                               " bytes: the most is " +
                                               std::to_string(kMaxTextBytes));
  }
}

}  // namespace

void fold_words(std::string_view text, TokenMode mode, FoldedText& out) {
  check_size(text);
  WordSink sink(out, text.size());
  if (mode == TokenMode::ascii) {
    sink.plain(reinterpret_cast<const unsigned char*>(text.data()), text.size());
  } else {
    UnicodeFolder(text, sink).fold();
  }
  sink.finish();
}

void fold_chars(std::string_view text, TokenMode mode, FoldedText& out) {
  check_size(text);
  CharSink sink(out, text.size());
  if (mode == TokenMode::ascii) {
    fold_ascii_chars(text, sink);
  } else {
    UnicodeFolder(text, sink).fold();
  }
  sink.finish();
}

}  // namespace sosie
