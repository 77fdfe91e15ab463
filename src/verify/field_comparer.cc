// Levels of agreement between two values of a field, including values that may agree in more than
// one way: swapped columns, lists, nicknames.
#include "verify/field_comparer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/mix64.h"
#include "core/real_functions.h"
#include "core/utf8.h"
#include "sosie/strings.h"

namespace sosie {
namespace {

constexpr std::array kFieldMeasures = {
    FieldMeasureName{"equal", FieldMeasure::equal, true},
    FieldMeasureName{"jaro-winkler", FieldMeasure::jaro_winkler, true},
    FieldMeasureName{"cosine", FieldMeasure::cosine, true},
    FieldMeasureName{"tfidf", FieldMeasure::tfidf, true},
    FieldMeasureName{"levenshtein", FieldMeasure::levenshtein, false},
    FieldMeasureName{"damerau", FieldMeasure::damerau, false},
    FieldMeasureName{"edit-similarity", FieldMeasure::edit_similarity, true},
    FieldMeasureName{"number", FieldMeasure::number, false},
    FieldMeasureName{"ratio", FieldMeasure::ratio, false},
    FieldMeasureName{"nearness", FieldMeasure::nearness, true},
    FieldMeasureName{"days", FieldMeasure::days, false},
};

// Values of number fields were checked when they were cleaned.
double number_in(std::string_view text) noexcept {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double number = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

double ratio_of(double left, double right) noexcept {
  const double greater = std::max(std::abs(left), std::abs(right));
  return greater == 0 ? 0 : std::abs(left - right) / greater;
}

std::uint32_t characters_in(std::string_view text) noexcept {
  std::uint32_t count = 0;
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  for (const auto* end = at + text.size(); at != end; ++count) at += decode_or_escape(at, end).size;
  return count;
}

// 1 - edits / the longer length; edits beyond the loosest bound are not distinguished.
double edit_similarity(std::string_view left, std::string_view right, double loosest) {
  const double longer = std::max(characters_in(left), characters_in(right));
  if (longer == 0) return 1;
  const auto most = static_cast<std::uint32_t>((1 - loosest) * longer) + 1;
  return std::max(0.0, longer - osa(left, right, most)) / longer;
}

std::uint64_t trigram(char32_t a, char32_t b, char32_t c) noexcept {
  return std::uint64_t{a} << 42 | std::uint64_t{b} << 21 | c;
}

// `text_of`: returns the text of a value.
template <typename TextOf>
HashedSets sets_of(const RecordColumn& column, const TextOf& text_of) {
  HashedSets sets;
  sets.starts.reserve(std::size_t{column.distinct()} + 1);
  std::vector<char32_t> points;
  for (std::uint32_t value = 0; value < column.distinct(); ++value) {
    const std::string_view text = text_of(value);
    points.assign(1, U' ');
    const auto* at = reinterpret_cast<const unsigned char*>(text.data());
    for (const auto* end = at + text.size(); at != end;) {
      const DecodedCodePoint decoded = decode_or_escape(at, end);
      points.push_back(decoded.code_point);
      at += decoded.size;
    }
    points.push_back(U' ');
    const auto begin = static_cast<std::ptrdiff_t>(sets.hashes.size());
    for (std::size_t i = 0; i + 2 < points.size(); ++i) {
      sets.hashes.push_back(trigram(points[i], points[i + 1], points[i + 2]));
    }
    std::sort(sets.hashes.begin() + begin, sets.hashes.end());
    sets.hashes.erase(std::unique(sets.hashes.begin() + begin, sets.hashes.end()),
                      sets.hashes.end());
    sets.starts.push_back(sets.hashes.size());
  }
  return sets;
}

// Mixes the hash, because trigrams differ by only a few bits.
struct MixedHash {
  std::size_t operator()(std::uint64_t value) const noexcept { return mix64(value); }
};

// Numbers the elements of all sets in ascending order of their hashes. Returns the number of
// distinct elements.
std::uint32_t number_elements(const HashedSets& sets, std::vector<std::uint32_t>& elements) {
  // There are few distinct elements, so they are first numbered in the order of occurrence.
  std::unordered_map<std::uint64_t, std::uint32_t, MixedHash> number_of;
  std::vector<std::uint64_t> known;
  elements.reserve(sets.hashes.size());
  for (const std::uint64_t hash : sets.hashes) {
    const auto [found, is_new] = number_of.emplace(hash, static_cast<std::uint32_t>(known.size()));
    if (is_new) known.push_back(hash);
    elements.push_back(found->second);
  }
  std::vector<std::uint32_t> order(known.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return known[a] < known[b]; });
  std::vector<std::uint32_t> place(known.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (std::uint32_t& element : elements) element = place[element];
  return static_cast<std::uint32_t>(known.size());
}

// Inverse document frequencies; each record with a value is a document.
std::vector<float> weights_of(const CharacterSets& sets, const RecordColumn& column) {
  std::vector<double> weight_of(sets.different);  // at first, the number of records
  double records = 0;
  for (std::uint32_t value = 1; value < column.distinct(); ++value) {
    records += column.counts[value];
    for (const std::uint32_t element : sets[value]) weight_of[element] += column.counts[value];
  }
  for (double& weight : weight_of) weight = logarithm(1 + records / std::max(1.0, weight));
  std::vector<float> weights;
  weights.reserve(sets.elements.size());
  for (std::uint32_t value = 0; value < column.distinct(); ++value) {
    double square = 0;
    for (const std::uint32_t element : sets[value]) {
      square += weight_of[element] * weight_of[element];
    }
    for (const std::uint32_t element : sets[value]) {
      weights.push_back(static_cast<float>(weight_of[element] / std::sqrt(square)));
    }
  }
  return weights;
}

// One set is stored as a table by element, so that no merging is needed.
double cosine_of(const CharacterSets& sets, std::uint32_t left, std::uint32_t right) {
  thread_local std::vector<float> laid_out;  // 0 between calls
  const auto a = sets[left];
  const auto b = sets[right];
  if (a.empty() || b.empty()) return 0;
  if (laid_out.size() < sets.different) laid_out.resize(sets.different);
  const bool weighted = !sets.weights.empty();
  const float* const of_left = sets.weights.data() + sets.starts[left];
  const float* const of_right = sets.weights.data() + sets.starts[right];
  double product = 0;
  for (std::size_t i = 0; i < a.size(); ++i) laid_out[a[i]] = weighted ? of_left[i] : 1;
  for (std::size_t i = 0; i < b.size(); ++i) {
    product += double{laid_out[b[i]]} * (weighted ? double{of_right[i]} : 1);
  }
  for (const std::uint32_t element : a) laid_out[element] = 0;
  return weighted
             ? product
             : product / std::sqrt(static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

// True if the numbers have many magnitudes: none is negative, and their standard deviation exceeds
// half of the mean. Each distinct number counts once.
bool have_many_magnitudes(std::span<const double> numbers) {
  if (numbers.empty()) return false;
  double sum = 0;
  double squares = 0;
  for (const double number : numbers) {
    if (number < 0) return false;
    sum += number;
  }
  const double mean = sum / static_cast<double>(numbers.size());
  for (const double number : numbers) squares += (number - mean) * (number - mean);
  return std::sqrt(squares / static_cast<double>(numbers.size())) > mean / 2;
}

NumberSpread spread_of(const RecordColumn& column, std::uint32_t left) {
  constexpr std::uint64_t kDrawn = 200000;
  NumberSpread spread;
  spread.numbers.reserve(column.distinct());
  for (std::uint32_t value = 0; value < column.distinct(); ++value) {
    spread.numbers.push_back(number_in(column.text(value)));
  }
  spread.by_ratio = have_many_magnitudes(std::span(spread.numbers).subspan(1));
  const std::span<const std::uint32_t> all = column.values;
  const auto lefts = left == 0 ? all : all.first(left);
  const auto rights = left == 0 ? all : all.subspan(left);
  if (lefts.empty() || rights.empty()) return spread;
  for (std::uint64_t i = 0; i < kDrawn; ++i) {
    const std::uint64_t a = random64(/*seed=*/1, 2 * i) % lefts.size();
    const std::uint64_t b = random64(/*seed=*/1, 2 * i + 1) % rights.size();
    const bool is_pair = (left != 0 || a != b) && lefts[a] != RecordColumn::kMissing &&
                         rights[b] != RecordColumn::kMissing;
    if (is_pair) spread.distances.push_back(spread.distance(lefts[a], rights[b]));
  }
  std::sort(spread.distances.begin(), spread.distances.end());
  return spread;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    words.push_back(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return words;
}

bool share_a_row(std::span<const NicknameWord> left, std::span<const NicknameWord> right,
                 std::uint32_t place) {
  return std::any_of(left.begin(), left.end(), [&](const NicknameWord& word) {
    return word.place == place && std::find(right.begin(), right.end(), word) != right.end();
  });
}

// The left value, in which each nickname of a word in the right value is replaced with that word,
// and the number of replacements.
struct Renamed {
  std::string text;
  std::uint32_t names = 0;
};

std::optional<Renamed> renamed(const RecordColumn& column, std::uint32_t left,
                               std::uint32_t right) {
  const auto of_left = column.nicknames_of(left);
  const auto of_right = column.nicknames_of(right);
  if (of_left.empty() || of_right.empty()) return std::nullopt;
  const std::vector<std::string_view> words = words_of(column.text(left));
  const std::vector<std::string_view> others = words_of(column.text(right));
  if (words.size() != others.size()) return std::nullopt;
  Renamed made;
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    const bool is_nickname = words[i] != others[i] && share_a_row(of_left, of_right, i);
    if (i > 0) made.text += ' ';
    made.text += is_nickname ? others[i] : words[i];
    made.names += is_nickname ? 1 : 0;
  }
  return made.names == 0 ? std::nullopt : std::optional(std::move(made));
}

std::uint32_t level_of_nicknames(const RecordColumn& column, const FieldComparison& comparison,
                                 std::uint32_t left, std::uint32_t right) {
  if (comparison.bounds.empty()) return 0;
  const auto made = renamed(column, left, right);
  if (!made) return 0;
  const std::string_view other = column.text(right);
  switch (comparison.measure) {
    case FieldMeasure::levenshtein:
      return level_of_value(comparison, made->names + levenshtein(made->text, other));
    case FieldMeasure::damerau:
      return level_of_value(comparison, made->names + damerau(made->text, other));
    case FieldMeasure::jaro_winkler:
      return level_of_value(comparison, jaro_winkler(made->text, other));
    default:
      return made->text == other ? comparison.highest() - 1 : 0;
  }
}

// Calls each(left value, right value) for all combinations by which two records are compared.
template <typename Each>
void for_each_variant(const RecordColumn& column, std::uint32_t left, std::uint32_t right,
                      const Each& each) {
  for (const std::uint32_t a : column.members_of(column.values[left])) {
    for (const std::uint32_t b : column.members_of(column.values[right])) each(a, b);
  }
  if (!column.swapped.empty()) each(column.values[left], column.swapped[right]);
}

}  // namespace

std::vector<FieldMeasureName> field_measures() {
  return {kFieldMeasures.begin(), kFieldMeasures.end()};
}

bool is_similarity(FieldMeasure measure) noexcept {
  return std::find_if(kFieldMeasures.begin(), kFieldMeasures.end(),
                      [&](const FieldMeasureName& row) { return row.measure == measure; })
      ->is_similarity;
}

// Days of the proleptic Gregorian calendar; years begin in March, so that leap days come last.
std::int64_t day_number(std::string_view day) noexcept {
  int number = 0;
  (void)std::from_chars(day.data(), day.data() + day.size(), number);
  const std::int64_t month = number / 100 % 100;
  const std::int64_t year = number / 10000 - (month <= 2 ? 1 : 0);
  const std::int64_t from_march = (month + 9) % 12;
  return 365 * year + year / 4 - year / 100 + year / 400 + (153 * from_march + 2) / 5 +
         number % 100;
}

double NumberSpread::distance(std::uint32_t left, std::uint32_t right) const noexcept {
  const double a = numbers[left];
  const double b = numbers[right];
  return by_ratio ? ratio_of(a, b) : std::abs(a - b);
}

double NumberSpread::nearness(double distance) const noexcept {
  constexpr double kRounding = 1e-9;
  const auto nearer =
      std::lower_bound(distances.begin(), distances.end(), distance * (1 - kRounding)) -
      distances.begin();
  return 1 - static_cast<double>(nearer) /
                 static_cast<double>(std::max<std::size_t>(1, distances.size()));
}

ComparedValues compared_values(const RecordColumn& column, FieldMeasure measure,
                               std::uint32_t left) {
  ComparedValues made;
  const auto character_sets = [&](const auto& text_of) {
    HashedSets hashed = sets_of(column, text_of);
    CharacterSets sets;
    sets.different = number_elements(hashed, sets.elements);
    sets.starts = std::move(hashed.starts);
    if (measure == FieldMeasure::tfidf) sets.weights = weights_of(sets, column);
    return sets;
  };
  if (measure == FieldMeasure::nearness) made.spread = spread_of(column, left);
  if (measure != FieldMeasure::cosine && measure != FieldMeasure::tfidf) return made;
  made.sets = character_sets([&](std::uint32_t value) { return column.text(value); });
  if (column.brief_bytes.empty()) return made;
  made.brief = character_sets(
      [&](std::uint32_t value) { return column.text(value).substr(0, column.brief_bytes[value]); });
  return made;
}

std::uint32_t level_of_value(const FieldComparison& comparison, double value) {
  std::uint32_t level = comparison.highest();
  const bool similarity = is_similarity(comparison.measure);
  for (const double bound : comparison.bounds) {
    --level;
    if (similarity ? value >= bound : value <= bound) return level;
  }
  return 1;
}

std::uint32_t FieldComparer::level_of_texts(std::uint32_t left, std::uint32_t right) const {
  const bool similarity = is_similarity(comparison_->measure);
  if (similarity && comparison_->bounds.empty()) return 1;
  const double found = value(left, right);
  if (!similarity && found == 0) return comparison_->highest();  // 1.5 and 1.50
  return level_of_value(*comparison_, found);
}

double FieldComparer::closeness(std::uint32_t left, std::uint32_t right) const {
  if (left == RecordColumn::kMissing || right == RecordColumn::kMissing) return 0;
  if (left == right) return 1;
  const double found = value(left, right);
  return is_similarity(comparison_->measure) ? found : 1 / (1 + found);
}

double FieldComparer::value(std::uint32_t left, std::uint32_t right) const {
  const std::string_view a = column_->text(left);
  const std::string_view b = column_->text(right);
  switch (comparison_->measure) {
    case FieldMeasure::equal:
      return left == right ? 1 : 0;
    case FieldMeasure::jaro_winkler:
      return jaro_winkler(a, b);
    case FieldMeasure::cosine:
    case FieldMeasure::tfidf: {
      const double whole = cosine_of(values_->sets, left, right);
      if (values_->brief.different == 0) return whole;
      return (whole + cosine_of(values_->brief, left, right)) / 2;
    }
    case FieldMeasure::levenshtein:
    case FieldMeasure::damerau:
      return edits(a, b);
    case FieldMeasure::edit_similarity:
      return edit_similarity(a, b, comparison_->bounds.empty() ? 1 : comparison_->bounds.back());
    case FieldMeasure::number:
      return std::abs(number_in(a) - number_in(b));
    case FieldMeasure::ratio:
      return ratio_of(number_in(a), number_in(b));
    case FieldMeasure::nearness:
      return values_->spread.nearness(values_->spread.distance(left, right));
    case FieldMeasure::days:
      return std::abs(static_cast<double>(day_number(a) - day_number(b)));
  }
  return 0;
}

// Edits beyond the loosest bound need not be distinguished.
std::uint32_t FieldComparer::edits(std::string_view left, std::string_view right) const {
  const double loosest = comparison_->bounds.empty() ? 0 : comparison_->bounds.back();
  const auto most = static_cast<std::uint32_t>(std::min(loosest, 1e9));
  return comparison_->measure == FieldMeasure::damerau ? damerau(left, right, most)
                                                       : levenshtein(left, right, most);
}

std::uint32_t level_of_variants(const RecordColumn& column, const FieldComparison& comparison,
                                const FieldComparer& compared, std::uint32_t left,
                                std::uint32_t right) {
  std::uint32_t best = 0;
  for_each_variant(column, left, right, [&](std::uint32_t a, std::uint32_t b) {
    if (best == comparison.highest()) return;
    best = std::max(best, compared.level(a, b));
    if (!column.nickname_starts.empty() && best < comparison.highest()) {
      best = std::max(best, level_of_nicknames(column, comparison, a, b));
    }
  });
  return best;
}

std::uint32_t edits_of_variants(const RecordColumn& column, std::uint32_t left, std::uint32_t right,
                                std::uint32_t most) {
  std::uint32_t best = most + 1;
  for_each_variant(column, left, right, [&](std::uint32_t a, std::uint32_t b) {
    if (a == RecordColumn::kMissing || b == RecordColumn::kMissing) return;
    const std::string_view other = column.text(b);
    best = std::min(best, a == b ? 0 : indel(column.text(a), other, most));
    if (best <= 1) return;
    if (const auto made = renamed(column, a, b)) {
      best = std::min(best, made->names + indel(made->text, other, most));
    }
  });
  return best;
}

}  // namespace sosie
