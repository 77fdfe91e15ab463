// Bounds on edit distances and Jaro-Winkler similarities from lengths and characters.
#include "verify/value_bounds.h"

#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <string_view>

#include "core/utf8.h"

namespace sosie {
namespace {

constexpr std::size_t kLetters = 128;  // code points that differ by a multiple share a letter
constexpr std::uint32_t kBits = 64;
constexpr double kRounding = 1e-9;

template <typename Each>
void for_each_code_point(std::string_view text, const Each& each) {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  for (const auto* end = at + text.size(); at != end;) {
    const DecodedCodePoint decoded = decode_or_escape(at, end);
    each(decoded.code_point);
    at += decoded.size;
  }
}

std::array<std::uint64_t, kLetters> letter_counts(const RecordColumn& column) {
  std::array<std::uint64_t, kLetters> counts{};
  for_each_code_point(column.bytes, [&](char32_t c) { ++counts[c % kLetters]; });
  return counts;
}

// Highest similarity of strings with this many matching code points and this many equal code points
// at the front.
double most_similar(std::uint32_t x, std::uint32_t y, std::uint32_t matching,
                    std::uint32_t in_front) {
  constexpr double kBoosted = 0.7;
  constexpr double kPrefixWeight = 0.1;
  if (matching == 0) return 0;
  const auto m = static_cast<double>(matching);
  const double jaro = (m / x + m / y + 1) / 3;
  // Close to the limit for the boost, rounding may have any effect.
  return jaro < kBoosted - kRounding ? jaro : jaro + in_front * kPrefixWeight * (1 - jaro);
}

bool has_bounds(const FieldComparison& comparison) noexcept {
  if (comparison.bounds.empty()) return false;
  switch (comparison.measure) {
    case FieldMeasure::jaro_winkler:
    case FieldMeasure::levenshtein:
    case FieldMeasure::damerau:
    case FieldMeasure::edit_similarity:
      return true;
    default:
      return false;
  }
}

}  // namespace

// Bits for the occurrences of characters in a value: bit k of a character is set if it occurs more
// than k times. Frequent characters in the column have more bits.
class ValueBounds::LetterBits {
 public:
  explicit LetterBits(const std::array<std::uint64_t, kLetters>& counts) {
    std::array<std::uint8_t, kLetters> order;
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint8_t a, std::uint8_t b) { return counts[a] > counts[b]; });
    const auto used = static_cast<std::uint32_t>(
        kLetters - static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0U)));
    const std::uint32_t groups = std::clamp(used, 1U, kBits);
    for (std::uint32_t i = 0; i < kLetters; ++i) {
      group_of_[order[i]] = static_cast<std::uint8_t>(i % groups);
    }
    std::uint32_t first = 0;
    for (std::uint32_t group = 0; group < groups; ++group) {
      const std::uint32_t width = kBits / groups + (group < kBits % groups ? 1 : 0);
      groups_[group] = {std::uint64_t{1} << first, width};
      first += width;
    }
  }

  [[nodiscard]] std::uint64_t of(std::span<const char32_t> text) const noexcept {
    std::array<std::uint8_t, kBits> seen{};
    std::uint64_t bits = 0;
    for (const char32_t c : text) {
      const std::uint8_t group = group_of_[c % kLetters];
      if (seen[group] == groups_[group].width) continue;
      bits |= groups_[group].first << seen[group]++;
    }
    return bits;
  }

 private:
  struct Group {
    std::uint64_t first = 0;  // the first bit
    std::uint32_t width = 0;
  };
  std::array<std::uint8_t, kLetters> group_of_{};
  std::array<Group, kBits> groups_{};
};

ValueBounds::ValueBounds(const RecordColumn& column, const FieldComparison& comparison) {
  if (!has_bounds(comparison)) return;
  const double loosest = comparison.bounds.back();
  if (comparison.measure == FieldMeasure::jaro_winkler) {
    fill_needed(loosest);
  } else if (comparison.measure == FieldMeasure::edit_similarity) {
    by_length_ = true;
    most_share_ = 1 - loosest + kRounding;
  } else {
    constexpr double kMost = 1e9;
    most_edits_ = static_cast<std::uint32_t>(std::clamp(loosest, 0.0, kMost));
  }
  fill_shapes(column);
}

std::uint64_t ValueBounds::bytes_for(const RecordColumn& column,
                                     const FieldComparison& comparison) noexcept {
  return has_bounds(comparison) ? sizeof(Shape) * column.distinct() : 0;
}

void ValueBounds::fill_shapes(const RecordColumn& column) {
  constexpr std::uint32_t kBitsOfByte = 8;
  const LetterBits bits(letter_counts(column));
  shapes_.reserve(column.distinct());
  std::vector<char32_t> text;
  for (std::uint32_t value = 0; value < column.distinct(); ++value) {
    text.clear();
    for_each_code_point(column.text(value), [&](char32_t c) { text.push_back(c); });
    Shape shape;
    shape.letters = bits.of(text);
    shape.size = static_cast<std::uint32_t>(text.size());
    for (std::uint32_t i = 0; i < std::min<std::size_t>(text.size(), kPrefixes - 1); ++i) {
      shape.prefix |= (text[i] & 0xFFU) << kBitsOfByte * i;
    }
    shapes_.push_back(shape);
  }
}

void ValueBounds::fill_needed(double bound) {
  needed_.reserve(std::size_t{kSizes} * kSizes * kPrefixes);
  for (std::uint32_t x = 0; x < kSizes; ++x) {
    for (std::uint32_t y = 0; y < kSizes; ++y) {
      for (std::uint32_t in_front = 0; in_front < kPrefixes; ++in_front) {
        std::uint32_t matching = 0;
        const std::uint32_t most = std::min(x, y);
        while (matching <= most && most_similar(x, y, matching, in_front) < bound - kRounding) {
          ++matching;
        }
        needed_.push_back(static_cast<std::uint8_t>(matching));
      }
    }
  }
}

}  // namespace sosie
