// Edit distances of strings with few edits, by comparing the text between the edits.
#include "verify/few_edits.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace sosie {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr bool kIsLittle = std::endian::native == std::endian::little;

static_assert(kReadBehind >= kWord);

std::uint64_t word_at(const std::byte* at) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, at, kWord);
  return word;
}

template <class Part>
std::uint64_t part_at(const std::byte* at) noexcept {
  Part part = 0;
  std::memcpy(&part, at, sizeof part);
  return part;
}

// Bits in which these bytes differ; there are fewer bytes than in a word, but at least one. They
// are placed as in a word that begins with them; all other bits are 0.
template <ReadBehind kBehind>
std::uint64_t short_difference(const std::byte* a, const std::byte* b, std::size_t bytes) noexcept {
  if constexpr (kBehind == ReadBehind::yes) {
    const std::uint64_t different = word_at(a) ^ word_at(b);
    const auto unused = static_cast<unsigned>(8 * (kWord - bytes));
    return kIsLittle ? different << unused >> unused : different >> unused << unused;
  } else {
    std::uint64_t different = 0;
    if (bytes >= 4) {
      const std::uint64_t first = part_at<std::uint32_t>(a) ^ part_at<std::uint32_t>(b);
      const std::size_t behind = bytes - 4;
      const std::uint64_t last =
          part_at<std::uint32_t>(a + behind) ^ part_at<std::uint32_t>(b + behind);
      return kIsLittle ? first | last << (8 * behind) : first << 32 | last << (8 * (4 - behind));
    }
    for (std::size_t i = 0; i < bytes; ++i) {
      const std::uint64_t one = part_at<std::uint8_t>(a + i) ^ part_at<std::uint8_t>(b + i);
      different |= one << 8 * (kIsLittle ? i : kWord - 1 - i);
    }
    return different;
  }
}

// Number of bytes before the first one that differs, in a nonzero word.
std::size_t bytes_before(std::uint64_t different) noexcept {
  return static_cast<std::size_t>(kIsLittle ? std::countr_zero(different)
                                            : std::countl_zero(different)) /
         8;
}
std::size_t bytes_behind(std::uint64_t different) noexcept {
  return static_cast<std::size_t>(kIsLittle ? std::countl_zero(different)
                                            : std::countr_zero(different)) /
         8;
}

template <ReadBehind kBehind>
bool is_equal(const std::byte* a, const std::byte* b, std::size_t bytes) noexcept {
  for (; bytes >= kWord; bytes -= kWord, a += kWord, b += kWord) {
    if (word_at(a) != word_at(b)) return false;
  }
  return bytes == 0 || short_difference<kBehind>(a, b, bytes) == 0;
}

template <ReadBehind kBehind>
std::size_t front_bytes(const std::byte* a, const std::byte* b, std::size_t bytes) noexcept {
  std::size_t i = 0;
  for (; i + kWord <= bytes; i += kWord) {
    const std::uint64_t different = word_at(a + i) ^ word_at(b + i);
    if (different != 0) return i + bytes_before(different);
  }
  if (i == bytes) return bytes;
  const std::uint64_t different = short_difference<kBehind>(a + i, b + i, bytes - i);
  return different == 0 ? bytes : i + bytes_before(different);
}

// Compares strings that end here.
template <ReadBehind kBehind>
std::size_t end_bytes(const std::byte* a, const std::byte* b, std::size_t bytes) noexcept {
  std::size_t i = 0;
  for (; i + kWord <= bytes; i += kWord) {
    const std::uint64_t different = word_at(a - i - kWord) ^ word_at(b - i - kWord);
    if (different != 0) return i + bytes_behind(different);
  }
  if (i == bytes) return bytes;
  const std::size_t left = bytes - i;
  const std::uint64_t different = short_difference<kBehind>(a - bytes, b - bytes, left);
  return different == 0 ? bytes : i + bytes_behind(different) - (kWord - left);
}

// A string without the prefix and suffix that it shares with another one.
struct Rest {
  const std::byte* data;
  std::size_t length;  // symbols
};

template <class Symbol, ReadBehind kBehind>
class FewEdits {
 public:
  explicit FewEdits(EditMeasure measure)
      : replaces_(measure != EditMeasure::indel), swaps_(measure == EditMeasure::osa) {}

  [[nodiscard]] std::uint32_t distance(Rest a, Rest b, std::uint32_t most) const noexcept {
    strip_front(a, b);
    const std::size_t shorter = std::min(a.length, b.length);
    const std::size_t end =
        end_bytes<kBehind>(at(a, a.length), at(b, b.length), shorter * sizeof(Symbol)) /
        sizeof(Symbol);
    a.length -= end;
    b.length -= end;
    if (a.length > b.length) std::swap(a, b);
    if (b.length - a.length > most) return most + 1;
    if (a.length == 0) return static_cast<std::uint32_t>(b.length);
    if (is_one_edit(a, b)) return 1;
    if (most == 1 || is_two_edits(a, b)) return 2;
    if (most == 2 || is_three_edits(a, b)) return 3;
    return 4;
  }

 private:
  static const std::byte* at(const Rest& rest, std::size_t i) noexcept {
    return rest.data + i * sizeof(Symbol);
  }
  static Rest behind(const Rest& rest, std::size_t symbols) noexcept {
    return {at(rest, symbols), rest.length - symbols};
  }
  static bool is_same(const Rest& a, std::size_t i, const Rest& b, std::size_t j,
                      std::size_t symbols) noexcept {
    return is_equal<kBehind>(at(a, i), at(b, j), symbols * sizeof(Symbol));
  }
  static void strip_front(Rest& a, Rest& b) noexcept {
    const std::size_t front =
        front_bytes<kBehind>(a.data, b.data, std::min(a.length, b.length) * sizeof(Symbol)) /
        sizeof(Symbol);
    a = behind(a, front);
    b = behind(b, front);
  }
  [[nodiscard]] static Symbol symbol(const Rest& rest, std::size_t i) noexcept {
    Symbol value = 0;
    std::memcpy(&value, at(rest, i), sizeof(Symbol));
    return value;
  }
  // True if two adjacent symbols, at a's i and b's j, are swapped.
  static bool is_swap(const Rest& a, std::size_t i, const Rest& b, std::size_t j) noexcept {
    return symbol(a, i) == symbol(b, j + 1) && symbol(a, i + 1) == symbol(b, j);
  }

  // Here and below, both strings begin and end with different symbols, and `a` is not longer than
  // `b`.
  [[nodiscard]] bool is_one_edit(const Rest& a, const Rest& b) const noexcept {
    return (replaces_ && b.length == 1) ||
           (swaps_ && a.length == 2 && b.length == 2 && is_swap(a, 0, b, 0));
  }

  // One edit at the beginning, one at the end, and equal symbols between them.
  [[nodiscard]] bool is_two_edits(const Rest& a, const Rest& b) const noexcept {
    const std::size_t m = a.length;
    const std::size_t longer_by = b.length - m;
    if (longer_by == 2) return is_same(a, 0, b, 1, m);
    if (longer_by > 2) return false;
    if (longer_by == 0 && (is_same(a, 1, b, 0, m - 1) || is_same(a, 0, b, 1, m - 1))) return true;
    if (longer_by == 0 && replaces_ && is_same(a, 1, b, 1, m - 2)) return true;
    if (longer_by == 1 && replaces_ && (is_same(a, 1, b, 1, m - 1) || is_same(a, 0, b, 1, m - 1))) {
      return true;
    }
    return swaps_ && m >= 2 && is_two_edits_with_swap(a, b);
  }

  [[nodiscard]] static bool is_two_edits_with_swap(const Rest& a, const Rest& b) noexcept {
    const std::size_t m = a.length;
    const bool in_front = is_swap(a, 0, b, 0);
    const bool at_end = is_swap(a, m - 2, b, b.length - 2);
    if (b.length > m) {
      return (in_front && is_same(a, 2, b, 2, m - 2)) || (at_end && is_same(a, 0, b, 1, m - 2));
    }
    if (m < 3) return false;
    return (in_front && is_same(a, 2, b, 2, m - 3)) || (at_end && is_same(a, 1, b, 1, m - 3)) ||
           (m > 3 && in_front && at_end && is_same(a, 2, b, 2, m - 4));
  }

  // One edit at the beginning, and two edits in the rest.
  [[nodiscard]] bool is_three_edits(const Rest& a, const Rest& b) const noexcept {
    return is_within_two(a, behind(b, 1)) || is_within_two(behind(a, 1), b) ||
           (replaces_ && is_within_two(behind(a, 1), behind(b, 1))) ||
           (swaps_ && a.length >= 2 && is_swap(a, 0, b, 0) &&
            is_within_two(behind(a, 2), behind(b, 2)));
  }

  [[nodiscard]] bool is_within_two(Rest a, Rest b) const noexcept {
    strip_front(a, b);
    if (a.length > b.length) std::swap(a, b);
    if (a.length == 0) return b.length <= 2;
    return is_one_edit(a, b) || is_two_edits(a, b);
  }

  bool replaces_;
  bool swaps_;
};

template <ReadBehind kBehind>
std::uint32_t distance_of(EditMeasure measure, const SymbolSpan& left, const SymbolSpan& right,
                          std::uint32_t most) noexcept {
  const Rest a{left.data, left.length};
  const Rest b{right.data, right.length};
  if (left.width == 1) return FewEdits<std::uint8_t, kBehind>(measure).distance(a, b, most);
  if (left.width == 2) return FewEdits<std::uint16_t, kBehind>(measure).distance(a, b, most);
  return FewEdits<std::uint32_t, kBehind>(measure).distance(a, b, most);
}

}  // namespace

std::uint32_t few_edits(EditMeasure measure, const SymbolSpan& left, const SymbolSpan& right,
                        std::uint32_t most, ReadBehind behind) noexcept {
  if (most == 0) return left.bytes() == right.bytes() ? 0 : 1;
  return behind == ReadBehind::yes ? distance_of<ReadBehind::yes>(measure, left, right, most)
                                   : distance_of<ReadBehind::no>(measure, left, right, most);
}

std::uint32_t equal_front(const SymbolSpan& left, const SymbolSpan& right) noexcept {
  const std::size_t bytes = std::size_t{std::min(left.length, right.length)} * left.width;
  return static_cast<std::uint32_t>(front_bytes<ReadBehind::no>(left.data, right.data, bytes) /
                                    left.width);
}

std::uint32_t equal_end(const SymbolSpan& left, const SymbolSpan& right) noexcept {
  const std::size_t bytes = std::size_t{std::min(left.length, right.length)} * left.width;
  return static_cast<std::uint32_t>(
      end_bytes<ReadBehind::no>(left.data + std::size_t{left.length} * left.width,
                                right.data + std::size_t{right.length} * right.width, bytes) /
      left.width);
}

}  // namespace sosie
