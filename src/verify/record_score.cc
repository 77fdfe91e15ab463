// Levels of agreement of two values of a field.
#include "verify/record_score.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

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
    FieldMeasureName{"number", FieldMeasure::number, false},
    FieldMeasureName{"ratio", FieldMeasure::ratio, false},
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

std::uint64_t trigram(char32_t a, char32_t b, char32_t c) noexcept {
  return std::uint64_t{a} << 42 | std::uint64_t{b} << 21 | c;
}

HashedSets sets_of(const RecordColumn& column) {
  HashedSets sets;
  sets.starts.reserve(std::size_t{column.distinct()} + 1);
  std::vector<char32_t> points;
  for (std::uint32_t value = 0; value < column.distinct(); ++value) {
    const std::string_view text = column.text(value);
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

// Inverse document frequencies, where each record that has a value is a document.
std::vector<float> weights_of(const HashedSets& sets, const RecordColumn& column) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> seen;  // element, records with the value
  seen.reserve(sets.hashes.size());
  double records = 0;
  for (std::uint32_t value = 1; value < column.distinct(); ++value) {
    records += column.counts[value];
    for (std::uint64_t i = sets.starts[value]; i < sets.starts[value + 1]; ++i) {
      seen.emplace_back(sets.hashes[i], column.counts[value]);
    }
  }
  std::sort(seen.begin(), seen.end());
  std::vector<std::pair<std::uint64_t, double>> weight_of;
  for (std::size_t begin = 0, end = 0; begin < seen.size(); begin = end) {
    double frequency = 0;
    for (; end < seen.size() && seen[end].first == seen[begin].first; ++end) {
      frequency += seen[end].second;
    }
    weight_of.emplace_back(seen[begin].first, logarithm(1 + records / std::max(1.0, frequency)));
  }
  std::vector<float> weights(sets.hashes.size());
  for (std::size_t set = 0; set < sets.size(); ++set) {
    double square = 0;
    const auto weight = [&](std::uint64_t i) {
      return std::lower_bound(weight_of.begin(), weight_of.end(), std::pair(sets.hashes[i], -1.0))
          ->second;
    };
    for (std::uint64_t i = sets.starts[set]; i < sets.starts[set + 1]; ++i) {
      square += weight(i) * weight(i);
    }
    for (std::uint64_t i = sets.starts[set]; i < sets.starts[set + 1]; ++i) {
      weights[i] = static_cast<float>(weight(i) / std::sqrt(square));
    }
  }
  return weights;
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

// Days of the proleptic Gregorian calendar: years begin in March, so that leap days come last.
std::int64_t day_number(std::string_view day) noexcept {
  int number = 0;
  (void)std::from_chars(day.data(), day.data() + day.size(), number);
  const std::int64_t month = number / 100 % 100;
  const std::int64_t year = number / 10000 - (month <= 2 ? 1 : 0);
  const std::int64_t from_march = (month + 9) % 12;
  return 365 * year + year / 4 - year / 100 + year / 400 + (153 * from_march + 2) / 5 +
         number % 100;
}

CharacterSets character_sets(const RecordColumn& column, FieldMeasure measure) {
  CharacterSets made;
  if (measure != FieldMeasure::cosine && measure != FieldMeasure::tfidf) return made;
  made.sets = sets_of(column);
  if (measure == FieldMeasure::tfidf) made.weights = weights_of(made.sets, column);
  return made;
}

std::uint32_t FieldComparer::level_of_texts(std::uint32_t left, std::uint32_t right) const {
  const bool similarity = is_similarity(comparison_->measure);
  if (similarity && comparison_->bounds.empty()) return 1;
  const double found = value(left, right);
  if (!similarity && found == 0) return comparison_->highest();  // 1.5 and 1.50
  std::uint32_t level = comparison_->highest();
  for (const double bound : comparison_->bounds) {
    --level;
    if (similarity ? found >= bound : found <= bound) return level;
  }
  return 1;
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
    case FieldMeasure::tfidf:
      return of_sets(left, right);
    case FieldMeasure::levenshtein:
    case FieldMeasure::damerau:
      return edits(a, b);
    case FieldMeasure::number:
      return std::abs(number_in(a) - number_in(b));
    case FieldMeasure::ratio:
      return ratio_of(number_in(a), number_in(b));
    case FieldMeasure::days:
      return std::abs(static_cast<double>(day_number(a) - day_number(b)));
  }
  return 0;
}

// Edits beyond the loosest bound need not be told apart.
std::uint32_t FieldComparer::edits(std::string_view left, std::string_view right) const {
  const double loosest = comparison_->bounds.empty() ? 0 : comparison_->bounds.back();
  const auto most = static_cast<std::uint32_t>(std::min(loosest, 1e9));
  return comparison_->measure == FieldMeasure::damerau ? damerau(left, right, most)
                                                       : levenshtein(left, right, most);
}

double FieldComparer::of_sets(std::uint32_t left, std::uint32_t right) const {
  const HashedSets& sets = sets_->sets;
  const bool weighted = !sets_->weights.empty();
  std::uint64_t i = sets.starts[left];
  std::uint64_t j = sets.starts[right];
  const std::uint64_t left_end = sets.starts[left + 1];
  const std::uint64_t right_end = sets.starts[right + 1];
  const double sizes = static_cast<double>(left_end - i) * static_cast<double>(right_end - j);
  if (sizes == 0) return 0;
  std::uint64_t shared = 0;
  double product = 0;
  while (i < left_end && j < right_end) {
    const std::uint64_t a = sets.hashes[i];
    const std::uint64_t b = sets.hashes[j];
    if (a == b) {
      ++shared;
      if (weighted) product += double{sets_->weights[i]} * double{sets_->weights[j]};
    }
    i += a <= b ? 1 : 0;
    j += b <= a ? 1 : 0;
  }
  return weighted ? product : static_cast<double>(shared) / std::sqrt(sizes);
}

}  // namespace sosie
