#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// The Unicode 15.0 character data needed for normalisation. unicode_tables.cc is generated:
//   tools/make_unicode_tables.py UCD_FOLDER > src/represent/unicode_tables.cc
// The data is part of the recipe: another Unicode version gives other shingles.
namespace sosie::unicode {

enum class CharClass : std::uint8_t {
  blank,      // white space, and NUL
  separator,  // neither blank nor part of a word
  word,       // letters, marks, numbers, connector punctuation
  single,     // a word of its own: letter of a script without spaces
};

// Image of a code point when neither neighbour interferes: NFC, folded, NFC again.
struct Mapping {
  unsigned char bytes[6];  // UTF-8
  std::uint8_t size;       // in bytes
  std::uint8_t code_points;
};

struct Composition {
  char32_t first;
  char32_t second;
  char32_t composite;
};

// Two-level tables: kXBlock[c >> 6] is the number of the 64-entry block of X that contains c.
inline constexpr std::size_t kBlocks = 0x110000 >> 6;
extern const std::array<std::uint16_t, kBlocks> kPropertiesBlock;
extern const std::array<std::uint16_t, 23296> kProperties;
extern const std::array<std::uint8_t, kBlocks> kCombiningClassBlock;
extern const std::array<std::uint8_t, 7360> kCombiningClass;
extern const std::array<std::uint8_t, kBlocks> kDecompositionOffsetBlock;
extern const std::array<std::uint16_t, 5184> kDecompositionOffset;
extern const Mapping kMappings[];
extern const char32_t kDecompositions[];   // at each offset: a count, then that many code points
extern const Composition kCompositions[];  // ordered by (first, second); without Hangul
extern const std::size_t kCompositionCount;

template <typename Block, typename Value, std::size_t size>
[[nodiscard]] inline Value look_up(const std::array<Block, kBlocks>& blocks,
                                   const std::array<Value, size>& values,
                                   char32_t code_point) noexcept {
  const Block* numbers = blocks.data();  // unchecked
  return values.data()[std::size_t{numbers[code_point >> 6]} << 6 | (code_point & 63)];
}

class Properties {
 public:
  explicit Properties(std::uint16_t bits) noexcept : bits_(bits) {}

  [[nodiscard]] CharClass char_class() const noexcept { return static_cast<CharClass>(bits_ & 3); }
  // True if normalising the preceding text may change this code point, so that the text must not be
  // cut before it.
  [[nodiscard]] bool joins_previous() const noexcept { return (bits_ & 4) != 0; }
  // True for such a code point if it may compose, decompose or fold; all others can only be
  // reordered.
  [[nodiscard]] bool disturbs() const noexcept { return (bits_ & 8) != 0; }
  // 0: the code point stays as it is.
  [[nodiscard]] std::uint32_t mapping() const noexcept { return std::uint32_t{bits_} >> 4; }

 private:
  std::uint16_t bits_;
};

// A value of mapping() that is not in kMappings: the image of the code point consists of several
// words or classes.
inline constexpr std::uint32_t kFullPath = 0xFFF;

// All three accept any code point up to U+10FFFF.
[[nodiscard]] inline Properties properties_of(char32_t code_point) noexcept {
  return Properties(look_up(kPropertiesBlock, kProperties, code_point));
}

[[nodiscard]] inline std::uint8_t combining_class(char32_t code_point) noexcept {
  return look_up(kCombiningClassBlock, kCombiningClass, code_point);
}

// Offset of the full canonical decomposition in kDecompositions, 0 if there is none. Hangul
// syllables are not included.
[[nodiscard]] inline std::uint16_t decomposition_offset(char32_t code_point) noexcept {
  return look_up(kDecompositionOffsetBlock, kDecompositionOffset, code_point);
}

}  // namespace sosie::unicode
