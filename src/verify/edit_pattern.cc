// Edit distances of strings within integer bounds: by diagonals for near strings, otherwise by
// words of rows, 256 rows at a time.
#include "verify/edit_pattern.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "kernels/edit_lanes.h"
#include "verify/damerau_distance.h"
#include "verify/distance_in_band.h"
#include "verify/distance_strip.h"
#include "verify/few_edits.h"

namespace sosie {
namespace {

constexpr std::uint32_t kWordRows = PatternMasks::kBlockRows;
constexpr std::uint32_t kStripWords = 4;
constexpr std::uint32_t kStripRows = kStripWords * kWordRows;
constexpr std::uint32_t kBytes = 256;  // symbols of one byte
constexpr std::uint32_t kManyColumns = 100'000;
constexpr std::uint32_t kColumnsAtOnce = 16;  // between checks for the cut-off

std::uint32_t words_of(std::uint32_t rows) noexcept { return (rows + kWordRows - 1) / kWordRows; }

std::uint32_t symbol(const SymbolSpan& span, std::size_t i) noexcept {
  std::uint32_t value = 0;
  std::memcpy(&value, span.data + i * span.width, span.width);
  return value;
}

// Columns of a strip through which a path with few edits may pass.
struct Columns {
  std::uint32_t begin;
  std::uint32_t end;
};

// Processes a strip that begins with the first row of the table. Returns the value of its last row
// in the last column or, for distances, a number above `most`.
template <class Strip, class Symbol>
std::uint32_t run_only_strip(const PatternMasks::View& masks, const SymbolSpan& text,
                             std::uint32_t rows, std::uint32_t most) noexcept {
  Strip strip;
  const unsigned last_bit = (rows - 1) % kWordRows;
  const auto step = [&](std::uint32_t j) {
    const std::uint32_t symbol = symbol_at<Symbol>(text.data, j);
    return strip.step(masks.find(symbol), Strip::kFirstRow, last_bit);
  };
  if constexpr (Strip::kFirstRow == 0) {
    for (std::uint32_t j = 0; j < text.length; ++j) step(j);
    return strip.rows_above(last_bit);
  } else {
    std::int64_t distance = rows;
    for (std::uint32_t j = 0; j < text.length;) {
      const std::uint32_t end = std::min(text.length, j + kColumnsAtOnce);
      for (; j < end; ++j) distance += Strip::change(step(j));
      // Each remaining column reduces the distance by at most 1.
      if (distance > std::int64_t{most} + (text.length - j)) return kAnyDistance;
    }
    return static_cast<std::uint32_t>(distance);
  }
}

// A strip below others. `carries`: the carries of each column from the strips above, updated for
// the strips below. `top`: the value of the row above, before the first column. Returns the value
// of the last row in the last column; `next_top` receives its value before `next_begin`.
struct StripRun {
  std::int64_t block;
  std::uint32_t rows;
  Columns columns;
  std::int64_t top;
  std::uint32_t next_begin;
  std::int64_t next_top = 0;
};

template <class Strip, class Symbol>
std::int64_t run_strip(const PatternMasks::View& masks, const SymbolSpan& text, StripRun& run,
                       std::uint8_t* carries) noexcept {
  const std::size_t place = masks.place(run.block);
  Strip strip;
  const unsigned last_bit = (run.rows - 1) % kWordRows;
  constexpr bool kIsDistance = Strip::kFirstRow != 0;
  std::int64_t above = run.top;  // value of the row above, for subsequences
  std::int64_t last = run.top + (kIsDistance ? run.rows : 0);
  for (std::uint32_t j = run.columns.begin; j < run.columns.end; ++j) {
    if (j == run.next_begin) run.next_top = last;
    const std::uint8_t in = carries[j];
    const std::uint32_t symbol = symbol_at<Symbol>(text.data, j);
    carries[j] = strip.step(masks.find(symbol) + place, in, last_bit);
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

// Calls task.template operator()<Strip>() with the strip for a measure and a number of words.
template <class Task>
auto with_strip(EditMeasure measure, std::uint32_t words, const Task& task) {
  const auto of_words = [&]<std::size_t kWords>() {
    switch (measure) {
      case EditMeasure::indel:
        return task.template operator()<SubsequenceStrip<kWords>>();
      case EditMeasure::levenshtein:
        return task.template operator()<DistanceStrip<kWords, false>>();
      default:
        return task.template operator()<DistanceStrip<kWords, true>>();
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

// The string, with its symbols widened to four bytes.
SymbolSpan widened(const SymbolSpan& string, std::vector<std::uint32_t>& symbols) {
  symbols.resize(string.length);
  for (std::uint32_t i = 0; i < string.length; ++i) symbols[i] = symbol(string, i);
  return {reinterpret_cast<const std::byte*>(symbols.data()), string.length, 4};
}

// Minimum distance of a path that leaves a strip's last row, given the value of that row in its
// last column and the change in each column. `rows_left`, `all_columns`: numbers in the whole
// table.
std::int64_t least_distance(const StripRun& run, std::int64_t last, const std::uint8_t* carries,
                            std::int64_t rows_left, std::int64_t all_columns) noexcept {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t j = run.columns.end;; --j) {
    least = std::min(least, last + std::abs(all_columns - j - rows_left));
    if (j == run.columns.begin) return least;
    last -= (carries[j - 1] & 1) - (carries[j - 1] >> 1 & 1);
  }
}

// Denominator of the similarity of strings with these lengths.
std::uint64_t whole_of(EditMeasure measure, std::uint32_t left, std::uint32_t right) noexcept {
  return measure == EditMeasure::indel ? std::uint64_t{left} + right : std::max(left, right);
}

// The largest d with 1 - d / whole >= threshold, in integers.
std::uint32_t edits_of(std::uint64_t whole, const Rational& threshold) noexcept {
  if (threshold.num >= threshold.den) return 0;
  return static_cast<std::uint32_t>(static_cast<unsigned __int128>(whole) *
                                    (threshold.den - threshold.num) / threshold.den);
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

EditPattern::EditPattern(EditMeasure measure, std::uint32_t alphabet, const ThreadPool* pool)
    : measure_(measure), alphabet_(alphabet), pool_(pool), masks_(alphabet) {}

void EditPattern::set(SymbolSpan pattern) {
  pattern_ = pattern;
  masks_.set(pattern);
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
  if (same_width && most <= kMostFewEdits) return few_edits(measure_, pattern_, other, most);
  return by_bits(other, most);
}

bool EditPattern::has_lanes(std::uint32_t most) const noexcept {
  // Maximum number of rows for which tables detect few edits faster than few_edits() does.
  constexpr std::array<std::uint32_t, kMostFewEdits + 1> kLongest = {0, 0, 16, kWordRows};
  const std::uint32_t longest = most > kMostFewEdits ? kWordRows : kLongest[most];
  return measure_ == EditMeasure::levenshtein && pattern_.width == 1 && pattern_.length > 0 &&
         pattern_.length <= longest;
}

void EditPattern::distances(std::span<const SymbolSpan> others, std::uint32_t most,
                            std::span<std::uint32_t> distances) {
  const bool lanes = has_lanes(most);
  if (!lanes && most <= kMostFewEdits && measure_ != EditMeasure::damerau) {
    for (std::size_t i = 0; i < others.size(); ++i) {
      distances[i] = others[i].width == pattern_.width
                         ? few_edits(measure_, pattern_, others[i], most)
                         : distance(others[i], most);
    }
    return;
  }
  std::array<const std::uint8_t*, kernels::kEditLanes> texts{};
  std::array<std::uint32_t, kernels::kEditLanes> lengths{};
  std::array<std::uint32_t, kernels::kEditLanes> found{};
  std::array<std::size_t, kernels::kEditLanes> places{};
  std::size_t count = 0;
  const auto run = [&] {
    // Unused lanes compare the first text again.
    std::fill(texts.begin() + static_cast<std::ptrdiff_t>(count), texts.end(), texts.front());
    std::fill(lengths.begin() + static_cast<std::ptrdiff_t>(count), lengths.end(), lengths.front());
    kernels::edit_lanes(masks_.hold(0, 1).find(0), pattern_.length, texts.data(), lengths.data(),
                        found.data());
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t all = std::max(pattern_.length, lengths[i]);
      distances[places[i]] = std::min(found[i], std::min(most, all) + 1);
    }
    count = 0;
  };
  for (std::size_t i = 0; i < others.size(); ++i) {
    const std::uint32_t n = others[i].length;
    const std::uint32_t longer_by = std::max(n, pattern_.length) - std::min(n, pattern_.length);
    if (!lanes || others[i].width != 1 || longer_by > most) {
      distances[i] = distance(others[i], most);
      continue;
    }
    texts[count] = reinterpret_cast<const std::uint8_t*>(others[i].data);
    lengths[count] = n;
    places[count] = i;
    if (++count == kernels::kEditLanes) run();
  }
  if (count > 0) run();
}

std::uint32_t EditPattern::pair_distance(SymbolSpan left, SymbolSpan right, std::uint32_t most) {
  if (left.width == right.width) {
    if (measure_ != EditMeasure::damerau && most <= kMostFewEdits) {
      return few_edits(measure_, left, right, most);
    }
    const std::uint32_t front = equal_front(left, right);
    for (SymbolSpan* span : {&left, &right}) {
      span->data += std::size_t{front} * span->width;
      span->length -= front;
    }
    const std::uint32_t end = equal_end(left, right);
    left.length -= end;
    right.length -= end;
  }
  const bool is_short = left.width == 1 && left.length <= kWordRows && right.width == 1;
  if (is_short && measure_ == EditMeasure::levenshtein) return by_bytes(left, right, most);
  set(left);
  return distance(right, most);
}

std::uint32_t EditPattern::by_bytes(const SymbolSpan& left, const SymbolSpan& right,
                                    std::uint32_t most) {
  most = std::min(most, std::max(left.length, right.length));
  const std::uint32_t longer_by =
      std::max(left.length, right.length) - std::min(left.length, right.length);
  if (longer_by > most) return most + 1;
  if (left.length == 0 || right.length == 0) return longer_by;
  byte_masks_.resize(kBytes);
  std::uint64_t bit = 1;
  for (std::uint32_t i = 0; i < left.length; ++i, bit <<= 1) {
    byte_masks_[symbol_at<std::uint8_t>(left.data, i)] |= bit;
  }
  const std::uint32_t found = run_only_strip<DistanceStrip<1, false>, std::uint8_t>(
      PatternMasks::View(byte_masks_.data(), kBytes - 1, 0), right, left.length, most);
  for (std::uint32_t i = 0; i < left.length; ++i) {
    byte_masks_[symbol_at<std::uint8_t>(left.data, i)] = 0;
  }
  return std::min(found, most + 1);
}

std::uint32_t EditPattern::by_bits(const SymbolSpan& other, std::uint32_t most) {
  if (pool_ != nullptr && other.length > kManyColumns) pool_->check_cancelled();
  const std::uint32_t words = words_of(pattern_.length);
  // Starts with narrow bands, which are cheaper for similar strings; other strings soon exceed a
  // bound.
  for (std::uint32_t band = 1; band <= kMostBandWords && band < words; ++band) {
    const bool costs_little = band == 1 || most > 4 * kMostBandEdits;
    if (most > most_edits_of_band(band) && !costs_little) continue;
    const std::uint32_t edits = std::min(most, most_edits_of_band(band));
    const std::uint32_t found = distance_in_band(measure_, masks_, pattern_.length, other, edits);
    if (found <= edits || edits == most) return found;
  }
  return pattern_.length <= kStripRows ? by_words(other, most) : by_strips(other, most);
}

std::uint32_t EditPattern::by_words(const SymbolSpan& other, std::uint32_t most) {
  const std::uint32_t words = words_of(pattern_.length);
  const PatternMasks::View masks = masks_.hold(0, words);
  const std::uint32_t found = with_symbols(other.width, [&]<class Symbol>() {
    return with_strip(measure_, words, [&]<class Strip>() {
      return run_only_strip<Strip, Symbol>(masks, other, pattern_.length, most);
    });
  });
  if (measure_ != EditMeasure::indel) return std::min(found, most + 1);
  return std::min(pattern_.length + other.length - 2 * found, most + 1);
}

std::uint32_t EditPattern::by_strips(const SymbolSpan& other, std::uint32_t most) {
  const std::int64_t m = pattern_.length;
  const std::int64_t n = other.length;
  const Band band(m, n, most);
  const auto first_column = [&](std::int64_t row) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(row + band.lowest, 0, n));
  };
  const bool is_distance = measure_ != EditMeasure::indel;
  carries_.assign(other.length, is_distance ? 1 : 0);
  StripRun run{};
  std::int64_t last = 0;
  for (std::int64_t row = 0; row < m; row += kStripRows) {
    if (pool_ != nullptr) pool_->check_cancelled();
    run.rows = static_cast<std::uint32_t>(std::min<std::int64_t>(kStripRows, m - row));
    run.top = run.next_top;
    run.columns = {first_column(row),
                   static_cast<std::uint32_t>(std::min(n, row + run.rows + band.highest))};
    run.next_begin = first_column(row + run.rows);
    run.block = row / kWordRows;
    const std::uint32_t words = words_of(run.rows);
    const PatternMasks::View masks = masks_.hold(run.block, run.block + words);
    last = with_symbols(other.width, [&]<class Symbol>() {
      return with_strip(measure_, words, [&]<class Strip>() {
        return run_strip<Strip, Symbol>(masks, other, run, carries_.data());
      });
    });
    const std::int64_t rows_left = m - row - run.rows;
    if (is_distance && least_distance(run, last, carries_.data(), rows_left, n) > most) {
      return most + 1;
    }
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
  // In osa, a swap with other symbols in between costs at most two edits for each of its own edits.
  const std::uint32_t neighbours = by_bits(other, 2 * most);
  if (neighbours > 2 * most) return most + 1;
  most = std::min(most, neighbours);
  last_rows_.resize(alphabet_);
  return damerau_distance(left, right, most, {last_rows_, rows_, pool_});
}

}  // namespace sosie
