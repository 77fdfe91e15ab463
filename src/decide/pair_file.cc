// Reads pairs files, whose values are similarities or distances.
#include "decide/pair_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <deque>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/count_text.h"
#include "core/most_rows.h"
#include "core/size_text.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint32_t kMillion = 1'000'000;

// Rounded to the nearest whole number.
double millionths(double value) noexcept { return std::floor(value * kMillion + 0.5); }

// The similarity in millionths; for a distance of at most 1, the millionths of 1 - distance.
std::uint32_t shared_millionths(double value, bool is_distance) noexcept {
  const auto parts = static_cast<std::uint32_t>(std::min<double>(millionths(value), kMillion));
  return is_distance ? kMillion - parts : parts;
}

// The lowest and highest numbers of millionths that may represent a value at the bound, since half
// a millionth may be rounded up or down. The terms of a bound are small enough for integers.
double least_written(const Rational& bound) noexcept {
  const std::uint64_t doubled = 2 * bound.num * kMillion;
  if (doubled <= bound.den) return 0;
  const std::uint64_t whole = (doubled - bound.den - 1) / (2 * bound.den);
  return static_cast<double>(whole + 1);
}
double most_written(const Rational& bound) noexcept {
  const std::uint64_t whole = (2 * bound.num * kMillion + bound.den) / (2 * bound.den);
  return static_cast<double>(whole);
}

constexpr std::size_t kDecimals = 6;

constexpr std::size_t kMostDecimals = 20;  // further decimals do not affect a double

// Number of decimals in a written number, at most kMostDecimals: three in 0.125 and in 12.5e-2.
std::size_t decimals_of(std::string_view text) noexcept {
  const std::size_t power = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = std::min(text.find('.'), power);
  std::int64_t decimals = static_cast<std::int64_t>(power - std::min(point + 1, power));
  int exponent = 0;
  if (power < text.size()) {
    const char* digits = text.data() + power + 1;
    if (*digits == '+') ++digits;
    const auto [end, error] = std::from_chars(digits, text.data() + text.size(), exponent);
    if (error != std::errc{}) exponent = text[power + 1] == '-' ? -1000 : 1000;  // out of range
  }
  decimals = std::clamp<std::int64_t>(decimals - exponent, 0, kMostDecimals);
  return static_cast<std::size_t>(decimals);
}

// Half a unit of the last decimal, plus the rounding error of doubles.
double rounding_of(std::size_t decimals, double value) noexcept {
  double unit = 1;
  for (std::size_t i = 0; i < decimals; ++i) unit /= 10;
  return unit / 2 + 4 * std::numeric_limits<double>::epsilon() * std::max(1.0, value);
}

// Numbers ids in the order of their first occurrence.
class Numbering {
 public:
  Place operator[](const std::string& id) {
    const auto known = number_of_.find(id);
    if (known != number_of_.end()) return known->second;
    const auto number = static_cast<Place>(ids_.size());
    number_of_.emplace(ids_.emplace_back(id), number);
    bytes_ += kBytesOfId + id.size();
    return number;
  }

  [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
  // Approximate memory for all ids and for the structures built from them later.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::string take(std::size_t number) { return std::move(ids_[number]); }

 private:
  static constexpr std::uint64_t kBytesOfId = 160;

  std::deque<std::string> ids_;  // not moved when ids are added
  std::unordered_map<std::string_view, Place> number_of_;
  std::uint64_t bytes_ = 0;
};

void check_items(const Numbering& numbers, const MemoryBudget& budget, const PairFile& file) {
  if (numbers.size() > most_rows()) {
    throw Error(ErrorKind::limit_exceeded, BadPlace{file.place()},
                "more than " + count_text(most_rows()) + " items in one pairs file",
                "use dedup, which groups any number of rows, or cluster only the pairs that remain "
                "at a higher --threshold");
  }
  if (numbers.bytes() <= budget.ids()) return;
  throw Error(ErrorKind::limit_exceeded, BadPlace{file.place()},
              fmt::format("the ids of {} items take more than half of --memory {}", numbers.size(),
                          limit_text(budget.bytes)),
              "ids are kept in memory: raise --memory");
}

// A pair by the numbers of its items, as listed in the file.
struct ListedPair {
  std::uint64_t key;  // position in the file
  VerifiedPair pair;
};

// Ranks by item number: items in the left column in the order of their occurrence, then all others.
std::vector<Place> ranks(std::size_t items, std::span<const Place> lefts) {
  std::vector<Place> rank(items, kNoPlace);
  Place next = 0;
  for (const Place left : lefts) rank[left] = next++;
  for (Place& each : rank) {
    if (each == kNoPlace) each = next++;
  }
  return rank;
}

}  // namespace

std::optional<double> parse_value(std::string_view text, double most) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(number) || !(number >= 0 && number <= most)) return std::nullopt;
  return number;
}

bool is_within(double value, std::string_view text, bool is_distance,
               const PairBound& bound) noexcept {
  const std::size_t decimals = decimals_of(text);
  if (decimals > kDecimals) {
    const double rounding = rounding_of(decimals, value);
    const double limit = bound.bound.value();
    if (!bound.is_similarity) return value - rounding <= limit;
    return (is_distance ? 1 - value : value) + rounding >= limit;
  }
  if (bound.is_similarity) {
    return shared_millionths(value, is_distance) >= least_written(bound.bound);
  }
  return millionths(value) <= most_written(bound.bound);
}

PairFile::PairFile(TableReader& table, const std::optional<PairBound>& bound, PairValues values)
    : table_(table), bound_(bound) {
  if (table.columns().empty()) return;
  left_ = table.column("left");
  right_ = table.column("right");
  tells_distances_ = !table.has_column("similarity") && table.has_column("distance");
  tells_probabilities_ = values == PairValues::or_probabilities &&
                         !table.has_column("similarity") && table.has_column("probability");
  tells_values_ = values == PairValues::measured || bound || tells_distances_ ||
                  tells_probabilities_ || table.has_column("similarity");
  if (!tells_values_) return;
  column_ = table.column(tells_distances_       ? "distance"
                         : tells_probabilities_ ? "probability"
                                                : "similarity");
}

bool PairFile::next() {
  while (table_.next()) {
    read_value();
    const std::string& text = table_.cells()[column_];
    if (!bound_ || is_within(value_, text, tells_distances_, *bound_)) return true;
  }
  return false;
}

Overlap PairFile::overlap() const noexcept {
  return {shared_millionths(value_, tells_distances_), kMillion};
}

void PairFile::read_value() {
  static const std::string same = "1";
  const bool has_none = tells_probabilities_ && table_.cells()[column_].empty();
  if (has_none && bound_) {
    throw Error(ErrorKind::malformed_input, BadPlace{table_.place()},
                "the pair has a score, but no probability to compare with --threshold",
                "omit --threshold; link --cut selects fewer pairs");
  }
  const std::string& text = tells_values_ && !has_none ? table_.cells()[column_] : same;
  const auto value = parse_value(text, tells_distances_ ? HUGE_VAL : 1);
  if (!value) {
    throw Error(ErrorKind::malformed_input, BadPlace{table_.place()},
                fmt::format("'{}' is no {}", text,
                            tells_distances_ ? "distance" : "similarity between 0 and 1"));
  }
  if (left() == right()) {
    throw Error(ErrorKind::malformed_input, BadPlace{table_.place()},
                fmt::format("'{}' is paired with itself", left()),
                "remove the line: a pair consists of two items");
  }
  value_ = *value;
}

PairGraph read_pair_graph(PairFile& file, Scratch& scratch, const MemoryBudget& budget) {
  Numbering numbers;
  PairGraph graph;
  std::vector<bool> is_left;
  std::vector<Place> lefts;
  SortedRecords<ListedPair> listed(scratch, budget.sorts() / 2);
  while (file.next()) {
    const Place left = numbers[file.left()];
    const Place right = numbers[file.right()];
    check_items(numbers, budget, file);
    is_left.resize(numbers.size());
    if (!is_left[left]) lefts.push_back(left);
    is_left[left] = true;
    const ListedPair pair{graph.pair_count++, {left, right, file.overlap()}};
    listed.add({&pair, 1});
  }
  listed.finish();
  const std::vector<Place> rank = ranks(numbers.size(), lefts);
  graph.pairs = std::make_unique<SortedPairs<VerifiedPair>>(scratch, budget.sorts() / 2);
  listed.for_each([&](const ListedPair& of_file) {
    const auto [first, second] = std::minmax(rank[of_file.pair.left], rank[of_file.pair.right]);
    const VerifiedPair pair{first, second, of_file.pair.overlap};
    graph.pairs->add({&pair, 1});
    return true;
  });
  graph.pairs->finish();
  graph.ids.resize(rank.size());
  for (std::size_t i = 0; i < rank.size(); ++i) graph.ids[rank[i]] = numbers.take(i);
  return graph;
}

}  // namespace sosie
