// Distances of strings by edits: near ones by diagonals, others by words of rows, 256 rows at a
// time.
#include "verify/edit_distance.h"

#include <algorithm>
#include <cstring>

#include "verify/edit_damerau.h"
#include "verify/edit_diagonals.h"
#include "verify/edit_words.h"

namespace sosie {
namespace {

constexpr std::uint32_t kWordRows = 64;
constexpr std::uint32_t kStripWords = 4;
constexpr std::uint32_t kStripRows = kStripWords * kWordRows;
// Up to so many edits diagonals are followed; tables of words are quicker beyond.
constexpr std::uint32_t kFewEdits = 3;
constexpr std::uint32_t kColumnsAtOnce = 16;  // between looks at the cut-off

static_assert(kFewEdits <= kMostDiagonalEdits);

std::uint32_t symbol(const SymbolSpan& span, std::size_t i) noexcept {
  std::uint32_t value = 0;
  std::memcpy(&value, span.data + i * span.width, span.width);
  return value;
}

// Denominator of the similarity of strings of these lengths.
std::uint64_t whole_of(EditMeasure measure, std::uint32_t left, std::uint32_t right) noexcept {
  return measure == EditMeasure::indel ? std::uint64_t{left} + right : std::max(left, right);
}

// Largest d with 1 - d / whole >= threshold, in integers.
std::uint32_t edits_of(std::uint64_t whole, const Rational& threshold) noexcept {
  if (threshold.num >= threshold.den) return 0;
  return static_cast<std::uint32_t>(static_cast<unsigned __int128>(whole) *
                                    (threshold.den - threshold.num) / threshold.den);
}

// Columns of a strip that a path of few edits may go through.
struct Columns {
  std::uint32_t begin;
  std::uint32_t end;
};

// Masks by symbol; symbols that the alphabet does not have are found nowhere.
struct Masks {
  const std::uint64_t* of;
  std::uint32_t alphabet;
  std::uint32_t words;

  [[nodiscard]] const std::uint64_t* operator[](std::uint32_t symbol) const noexcept {
    static constexpr std::array<std::uint64_t, kStripWords> kNone{};
    return symbol < alphabet ? of + std::size_t{symbol} * words : kNone.data();
  }
};

template <class Symbol>
std::uint32_t symbol_at(const std::byte* data, std::size_t i) noexcept {
  Symbol value = 0;
  std::memcpy(&value, data + i * sizeof(Symbol), sizeof(Symbol));
  return value;
}

// A strip whose first row is the first of the table. Returns what its last row holds in the last
// column, or, of distances, a number above `most`.
template <class Strip, class Symbol>
std::uint32_t run_only_strip(const Masks& masks, const SymbolSpan& text, std::uint32_t rows,
                             std::uint32_t most) noexcept {
  Strip strip;
  const unsigned last_bit = (rows - 1) % kWordRows;
  if constexpr (Strip::kFirstRow == 0) {
    for (std::uint32_t j = 0; j < text.length; ++j) {
      strip.step(masks[symbol_at<Symbol>(text.data, j)], 0, last_bit);
    }
    return strip.rows_above(last_bit);
  } else {
    std::int64_t distance = rows;
    for (std::uint32_t j = 0; j < text.length;) {
      const std::uint32_t end = std::min(text.length, j + kColumnsAtOnce);
      for (; j < end; ++j) {
        distance += Strip::change(
            strip.step(masks[symbol_at<Symbol>(text.data, j)], Strip::kFirstRow, last_bit));
      }
      // The columns that are left take off no more than 1 each.
      if (distance > std::int64_t{most} + (text.length - j)) return kAnyDistance;
    }
    return static_cast<std::uint32_t>(distance);
  }
}

// A strip below others. `carries` hold what these left of each column, and what this one leaves.
// `top`: what the row above it holds before the first column. Returns what the last row holds in
// the last column; `next_top`: before `next_begin`.
struct StripRun {
  std::uint32_t rows;
  Columns columns;
  std::int64_t top;
  std::uint32_t next_begin;
  std::int64_t next_top = 0;
};

template <class Strip, class Symbol>
std::int64_t run_strip(const Masks& masks, const SymbolSpan& text, StripRun& run,
                       std::uint8_t* carries) noexcept {
  Strip strip;
  const unsigned last_bit = (run.rows - 1) % kWordRows;
  constexpr bool kIsDistance = Strip::kFirstRow != 0;
  std::int64_t above = run.top;  // value of the row above, with subsequences
  std::int64_t last = run.top + (kIsDistance ? run.rows : 0);
  for (std::uint32_t j = run.columns.begin; j < run.columns.end; ++j) {
    if (j == run.next_begin) run.next_top = last;
    const std::uint8_t in = carries[j];
    carries[j] = strip.step(masks[symbol_at<Symbol>(text.data, j)], in, last_bit);
    above += Strip::change(in);
    last += Strip::change(carries[j]);
  }
  if (run.next_begin >= run.columns.end) run.next_top = last;
  if constexpr (kIsDistance) {
    return last;
  } else {
    return above + strip.rows_above(last_bit);
  }
}

// Calls task.template operator()<Strip>() with the strip of a measure and a number of words.
template <class Task>
auto with_strip(EditMeasure measure, std::uint32_t words, const Task& task) {
  const auto of_words = [&]<std::size_t kWords>() {
    switch (measure) {
      case EditMeasure::indel:
        return task.template operator()<SubsequenceStrip<kWords>>();
      case EditMeasure::osa:
        return task.template operator()<DistanceStrip<kWords, true>>();
      default:
        return task.template operator()<DistanceStrip<kWords, false>>();
    }
  };
  switch (words) {
    case 1:
      return of_words.template operator()<1>();
    case 2:
      return of_words.template operator()<2>();
    case 3:
      return of_words.template operator()<3>();
    default:
      return of_words.template operator()<kStripWords>();
  }
}

// Calls a task with the type of symbols of this width.
template <class Task>
auto with_symbols(std::uint8_t width, const Task& task) {
  if (width == 1) return task.template operator()<std::uint8_t>();
  if (width == 2) return task.template operator()<std::uint16_t>();
  return task.template operator()<std::uint32_t>();
}

// The string in symbols of four bytes.
SymbolSpan widened(const SymbolSpan& string, std::vector<std::uint32_t>& symbols) {
  symbols.resize(string.length);
  for (std::uint32_t i = 0; i < string.length; ++i) symbols[i] = symbol(string, i);
  return {reinterpret_cast<const std::byte*>(symbols.data()), string.length, 4};
}

}  // namespace

std::uint32_t EditBound::most_edits(std::uint32_t left, std::uint32_t right) const noexcept {
  return by_similarity ? edits_of(whole_of(measure, left, right), threshold) : within;
}

double EditBound::value(std::uint32_t left, std::uint32_t right,
                        std::uint32_t distance) const noexcept {
  if (!by_similarity) return distance;
  const std::uint64_t whole = whole_of(measure, left, right);
  return whole == 0 ? 1 : static_cast<double>(whole - distance) / static_cast<double>(whole);
}

EditPattern::EditPattern(EditMeasure measure, std::uint32_t alphabet)
    : measure_(measure), alphabet_(alphabet) {}

void EditPattern::set(SymbolSpan pattern) {
  pattern_ = pattern;
  strip_begin_ = kNoStrip;
}

void EditPattern::mark(std::uint32_t begin, std::uint32_t rows) {
  if (strip_begin_ == begin) return;
  strip_begin_ = begin;
  masks_.resize(std::size_t{alphabet_} * kStripWords);
  for (const std::uint32_t marked : marked_) {
    std::fill_n(masks_.data() + std::size_t{marked} * strip_words_, strip_words_, 0);
  }
  strip_words_ = (rows + kWordRows - 1) / kWordRows;
  marked_.resize(rows);
  for (std::uint32_t i = 0; i < rows; ++i) {
    const std::uint32_t value = symbol(pattern_, begin + i);
    masks_[std::size_t{value} * strip_words_ + i / kWordRows] |= std::uint64_t{1} << i % kWordRows;
    marked_[i] = value;
  }
}

std::uint32_t EditPattern::distance(SymbolSpan other, std::uint32_t most) {
  const std::uint32_t m = pattern_.length;
  const std::uint32_t n = other.length;
  const std::uint32_t all = measure_ == EditMeasure::indel ? m + n : std::max(m, n);
  most = std::min(most, all);
  if (std::max(m, n) - std::min(m, n) > most) return most + 1;
  if (m == 0 || n == 0) return m + n;
  const bool same_width = other.width == pattern_.width;
  if (measure_ == EditMeasure::damerau) return damerau(other, most);
  if (same_width && most <= kFewEdits) {
    return distance_by_diagonals(measure_, pattern_, other, most);
  }
  return m <= kStripRows ? by_words(other, most) : by_strips(other, most);
}

std::uint32_t EditPattern::by_words(const SymbolSpan& other, std::uint32_t most) {
  mark(0, pattern_.length);
  const Masks masks{masks_.data(), alphabet_, strip_words_};
  const std::uint32_t found = with_symbols(other.width, [&]<class Symbol>() {
    return with_strip(measure_, strip_words_, [&]<class Strip>() {
      return run_only_strip<Strip, Symbol>(masks, other, pattern_.length, most);
    });
  });
  if (measure_ != EditMeasure::indel) return std::min(found, most + 1);
  return std::min(pattern_.length + other.length - 2 * found, most + 1);
}

std::uint32_t EditPattern::by_strips(const SymbolSpan& other, std::uint32_t most) {
  const std::int64_t m = pattern_.length;
  const std::int64_t n = other.length;
  // A path of `most` edits stays between these diagonals; one more lets swaps begin before.
  const std::int64_t lowest = -((most - (n - m)) / 2) - 1;
  const std::int64_t highest = (most + (n - m)) / 2 + 1;
  const auto first_column = [&](std::int64_t row) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(row + lowest, 0, n));
  };
  const bool is_distance = measure_ != EditMeasure::indel;
  carries_.assign(other.length, is_distance ? 1 : 0);
  StripRun run{};
  std::int64_t last = 0;
  for (std::int64_t row = 0; row < m; row += kStripRows) {
    run.rows = static_cast<std::uint32_t>(std::min<std::int64_t>(kStripRows, m - row));
    run.top = run.next_top;
    run.columns = {first_column(row),
                   static_cast<std::uint32_t>(std::min(n, row + run.rows + highest))};
    run.next_begin = first_column(row + run.rows);
    mark(static_cast<std::uint32_t>(row), run.rows);
    const Masks masks{masks_.data(), alphabet_, strip_words_};
    last = with_symbols(other.width, [&]<class Symbol>() {
      return with_strip(measure_, strip_words_, [&]<class Strip>() {
        return run_strip<Strip, Symbol>(masks, other, run, carries_.data());
      });
    });
  }
  const std::int64_t distance = is_distance ? last : m + n - 2 * last;
  return static_cast<std::uint32_t>(std::min<std::int64_t>(distance, std::int64_t{most} + 1));
}

std::uint32_t EditPattern::damerau(const SymbolSpan& other, std::uint32_t most) {
  SymbolSpan left = pattern_;
  SymbolSpan right = other;
  std::vector<std::uint32_t> wide_left;
  std::vector<std::uint32_t> wide_right;
  if (left.width != right.width) {
    left = widened(left, wide_left);
    right = widened(right, wide_right);
  }
  // Without swaps each of these takes no more than two edits.
  if (2 * most <= kMostDiagonalEdits &&
      distance_by_diagonals(EditMeasure::levenshtein, left, right, 2 * most) > 2 * most) {
    return most + 1;
  }
  last_rows_.resize(alphabet_);
  return damerau_distance(left, right, most, last_rows_, rows_);
}

}  // namespace sosie
