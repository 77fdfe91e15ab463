// Normal form C and full case folding of short pieces of text.
#include "represent/compose_canonically.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>

#include "core/utf8.h"
#include "represent/unicode_tables.h"

namespace sosie::unicode {
namespace {

// Hangul syllables are composed by arithmetic (The Unicode Standard, 3.12).
constexpr char32_t kSyllableBase = 0xAC00;
constexpr char32_t kLeadBase = 0x1100;
constexpr char32_t kVowelBase = 0x1161;
constexpr char32_t kTailBase = 0x11A7;
constexpr char32_t kLeadCount = 19;
constexpr char32_t kVowelCount = 21;
constexpr char32_t kTailCount = 28;
constexpr char32_t kSyllableCount = kLeadCount * kVowelCount * kTailCount;

constexpr char32_t kNone = 0;  // U+0000 composes from nothing

void append_syllable(char32_t index, std::vector<char32_t>& out) {
  out.push_back(kLeadBase + index / (kVowelCount * kTailCount));
  out.push_back(kVowelBase + index / kTailCount % kVowelCount);
  if (index % kTailCount != 0) out.push_back(kTailBase + index % kTailCount);
}

bool decomposes(char32_t c) noexcept {
  return c - kSyllableBase < kSyllableCount || decomposition_offset(c) != 0;
}

bool folds(char32_t c) noexcept { return properties_of(c).mapping() != 0; }

std::vector<char32_t> decomposed(std::span<const char32_t> text) {
  std::vector<char32_t> out;
  out.reserve(text.size() + 8);
  for (const char32_t c : text) {
    if (c - kSyllableBase < kSyllableCount) {
      append_syllable(c - kSyllableBase, out);
    } else if (const std::size_t offset = decomposition_offset(c); offset != 0) {
      const char32_t* parts = kDecompositions + offset + 1;
      out.insert(out.end(), parts, parts + kDecompositions[offset]);
    } else {
      out.push_back(c);
    }
  }
  return out;
}

// Sorts one run of marks by combining class; the sort is stable.
void order_marks(std::span<char32_t> marks) {
  const auto before = [](char32_t a, char32_t b) {
    return combining_class(a) < combining_class(b);
  };
  if (!std::is_sorted(marks.begin(), marks.end(), before)) {
    std::stable_sort(marks.begin(), marks.end(), before);
  }
}

void order_canonically(std::span<char32_t> text) {
  std::size_t i = 0;
  while (i < text.size()) {
    std::size_t end = i;
    while (end < text.size() && combining_class(text[end]) != 0) ++end;
    if (end - i > 1) order_marks(text.subspan(i, end - i));
    i = end + 1;
  }
}

char32_t composite_of(char32_t first, char32_t second) noexcept {
  if (first - kLeadBase < kLeadCount && second - kVowelBase < kVowelCount) {
    return kSyllableBase + ((first - kLeadBase) * kVowelCount + (second - kVowelBase)) * kTailCount;
  }
  const char32_t syllable = first - kSyllableBase;
  const char32_t tail = second - kTailBase;
  if (syllable < kSyllableCount && syllable % kTailCount == 0 && tail - 1 < kTailCount - 1) {
    return first + tail;
  }
  if (!properties_of(second).disturbs()) return kNone;
  const auto* last = kCompositions + kCompositionCount;
  const auto* found = std::lower_bound(kCompositions, last, std::tie(first, second),
                                       [](const Composition& row, const auto& wanted) {
                                         return std::tie(row.first, row.second) < wanted;
                                       });
  const bool is_pair = found != last && found->first == first && found->second == second;
  return is_pair ? found->composite : kNone;
}

// Composes marks with their starters unless they are blocked.
void compose_in_place(std::vector<char32_t>& text) {
  std::size_t size = 0;
  std::size_t starter = 0;
  bool has_starter = false;
  unsigned last_class = 0;
  for (const char32_t c : text) {
    const unsigned own_class = combining_class(c);
    if (has_starter && (last_class == 0 || last_class < own_class)) {
      const char32_t composite = composite_of(text[starter], c);
      if (composite != kNone) {
        text[starter] = composite;
        continue;
      }
    }
    if (own_class == 0) {
      starter = size;
      has_starter = true;
    }
    last_class = own_class;
    text[size++] = c;
  }
  text.resize(size);
}

// The mappings fold and compose; the subsequent normalisation would compose in any case.
void append_folded(char32_t c, std::vector<char32_t>& out) {
  const std::uint32_t number = properties_of(c).mapping();
  if (number == 0 || number == kFullPath) {
    out.push_back(c);
    return;
  }
  const Mapping& mapping = kMappings[number];
  const unsigned char* at = mapping.bytes;
  const auto* end = at + mapping.size;
  while (at != end) {
    const DecodedCodePoint decoded = decode_code_point(at, end);
    out.push_back(decoded.code_point);
    at += decoded.size;
  }
}

}  // namespace

void compose_canonically(std::vector<char32_t>& text) {
  if (std::any_of(text.begin(), text.end(), decomposes)) text = decomposed(text);
  order_canonically(text);
  compose_in_place(text);
}

void fold_canonically(std::vector<char32_t>& text) {
  compose_canonically(text);
  if (std::none_of(text.begin(), text.end(), folds)) return;
  std::vector<char32_t> folded;
  folded.reserve(text.size() + 8);
  for (const char32_t c : text) append_folded(c, folded);
  compose_canonically(folded);
  text.swap(folded);
}

}  // namespace sosie::unicode
