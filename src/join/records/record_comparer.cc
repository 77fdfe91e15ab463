// Compares records field by field, weighted by the frequencies of their values.
#include "join/records/record_comparer.h"

#include <algorithm>
#include <string_view>

#include "sosie/strings.h"
#include "verify/field_comparer.h"

namespace sosie {
namespace {

// For each value, the share of the records with a value that have this one; 0 for a missing value.
std::vector<double> shares_of(const RecordColumn& column) {
  double records = 0;
  for (std::uint32_t value = 1; value < column.distinct(); ++value) records += column.counts[value];
  std::vector<double> shares(column.distinct(), 1);
  for (std::uint32_t value = 1; value < column.distinct(); ++value) {
    shares[value] = column.counts[value] / records;
  }
  return shares;
}

std::vector<double> middles_of(const FieldComparison& comparison) {
  std::vector<double> middles;
  double before = 0;
  for (std::size_t i = comparison.bounds.size(); i-- > 0;) {
    middles.push_back((before + comparison.bounds[i]) / 2);
    before = comparison.bounds[i];
  }
  middles.push_back((before + 1) / 2);
  return middles;
}

bool is_of_texts(const FieldComparison& comparison) {
  return comparison.measure == FieldMeasure::cosine || comparison.measure == FieldMeasure::tfidf;
}

}  // namespace

bool agrees(std::span<const std::uint8_t> levels) noexcept {
  std::size_t agreeing = 0;
  std::size_t different = 0;
  for (const std::uint8_t level : levels) {
    agreeing += level > 1 ? 1 : 0;
    different += level == 1 ? 1 : 0;
  }
  return 2 * agreeing >= different;
}

ScoredLink RecordScorer::score(const RecordPair& pair, std::span<const std::uint8_t> levels,
                               std::span<const float> similarities) {
  if (similarities.empty()) {
    comparer_.similarities(levels, pair, similarities_);
    similarities = similarities_;
  }
  double more = 0;
  for (std::size_t f = 0; f < levels.size(); ++f) {
    more += comparer_.frequency_bits(f, model_.fields()[f], levels[f], pair);
  }
  comparer_.grade(levels, similarities, grades_);
  const double bits = model_.bits(grades_) + more;
  return {pair.left, pair.right, bits, model_.probability_at(bits)};
}

RecordComparer::RecordComparer(const RecordTable& table, const LinkRules& rules, ThreadPool& pool) {
  const std::vector<std::uint32_t> compared = rules.compared();
  columns_.reserve(compared.size());
  comparisons_.reserve(compared.size());
  values_.resize(compared.size());
  pool.for_each(compared.size(), [&](unsigned /*worker*/, std::size_t i) {
    const std::uint32_t f = compared[i];
    values_[i] = compared_values(table.columns[f], rules.fields[f].comparison.measure,
                                 table.across ? table.left : 0);
  });
  bounds_.reserve(compared.size());
  comparers_.reserve(compared.size());
  level_counts_.reserve(compared.size());
  for (const std::uint32_t f : compared) {
    columns_.push_back(&table.columns[f]);
    comparisons_.push_back(rules.fields[f].comparison);
    bounds_.emplace_back(table.columns[f], comparisons_.back());
    comparers_.emplace_back(table.columns[f], comparisons_.back(), values_[bounds_.size() - 1],
                            &bounds_.back());
    level_counts_.push_back(comparisons_.back().levels());
    if (is_of_texts(comparisons_.back()) && !table.columns[f].has_variants()) {
      graded_.push_back(columns_.size() - 1);
      middles_.push_back(middles_of(comparisons_.back()));
    }
    shares_.emplace_back();
    least_shares_.push_back(0);
    if (rules.fields[f].frequency) set_shares(shares_.size() - 1, shares_of(table.columns[f]));
  }
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(
        std::find_if(compared.begin(), compared.end(),
                     [&](std::uint32_t f) { return rules.fields[f].name == name; }) -
        compared.begin());
  };
  for (std::size_t f = 0; f < compared.size(); ++f) {
    const std::string& other = rules.fields[compared[f]].crosswise;
    if (!other.empty()) crosswise_.push_back({f, place(other)});
  }
  rows_.reserve(compared.size() * table.size());
  for (std::uint32_t record = 0; record < table.size(); ++record) {
    for (const RecordColumn* column : columns_) rows_.push_back(column->values[record]);
  }
}

void RecordComparer::set_shares(std::size_t field, std::vector<double> shares) {
  shares_[field] = std::move(shares);
  const std::vector<double>& all = shares_[field];
  least_shares_[field] = all.size() < 2 ? 0 : *std::min_element(all.begin() + 1, all.end());
}

double RecordComparer::frequency_bits(std::size_t field, const FieldWeights& weights,
                                      std::uint32_t level, const RecordPair& pair) const {
  if (shares_[field].empty()) return 0;
  const std::vector<std::uint32_t>& values = columns_[field]->values;
  const double share =
      std::max(shares_[field][values[pair.left]], shares_[field][values[pair.right]]);
  return weights.frequency_bits(level, share);
}

double RecordComparer::most_frequency_bits(const MatchModel& model,
                                           std::span<const std::uint8_t> levels) const {
  double bits = 0;
  for (std::size_t f = 0; f < shares_.size(); ++f) {
    if (least_shares_[f] == 0) continue;
    bits += model.fields()[f].frequency_bits(levels[f], least_shares_[f]);
  }
  return bits;
}

std::uint32_t RecordComparer::level(std::size_t field, std::uint32_t left,
                                    std::uint32_t right) const {
  std::uint32_t level = direct_level(field, left, right);
  for (const Crosswise& fields : crosswise_) {
    if (fields.first == field) {
      const BothLevels direct{level, direct_level(fields.second, left, right)};
      level = crossed(fields, direct, left, right).first;
    } else if (fields.second == field) {
      const BothLevels direct{direct_level(fields.first, left, right), level};
      level = crossed(fields, direct, left, right).second;
    }
  }
  return level;
}

// Values are compared crosswise if that makes them clearly more similar, and similar at all; they
// never count as equal then.
RecordComparer::BothLevels RecordComparer::crossed(const Crosswise& fields,
                                                   const BothLevels& direct, std::uint32_t left,
                                                   std::uint32_t right) const {
  constexpr double kLeastSum = 1.5;
  constexpr double kClearlyMore = 0.3;
  constexpr double kMostAlike = 0.95;
  const FieldComparison& first = comparisons_[fields.first];
  const FieldComparison& second = comparisons_[fields.second];
  if (direct.first == first.highest() && direct.second == second.highest()) return direct;
  const std::string_view a = columns_[fields.first]->text_of(left);
  const std::string_view b = columns_[fields.second]->text_of(left);
  const std::string_view x = columns_[fields.first]->text_of(right);
  const std::string_view y = columns_[fields.second]->text_of(right);
  if (a.empty() || b.empty() || x.empty() || y.empty()) return direct;
  const double one = jaro_winkler(a, y);
  if (one + 1 <= kLeastSum) return direct;
  const double other = jaro_winkler(b, x);
  if (one + other <= kLeastSum ||
      one + other <= jaro_winkler(a, x) + jaro_winkler(b, y) + kClearlyMore) {
    return direct;
  }
  return {level_of_value(first, std::min(one, kMostAlike)),
          level_of_value(second, std::min(other, kMostAlike))};
}

std::uint32_t RecordComparer::direct_level(std::size_t field, std::uint32_t left,
                                           std::uint32_t right) const {
  const RecordColumn& column = *columns_[field];
  return column.has_variants()
             ? level_of_variants(column, comparisons_[field], comparers_[field], left, right)
             : comparers_[field].level(rows_[left * fields() + field],
                                       rows_[right * fields() + field]);
}

void RecordComparer::prefetch(std::uint32_t record) const noexcept {
  __builtin_prefetch(&rows_[record * fields()]);
  __builtin_prefetch(&rows_[record * fields() + fields() - 1]);
}

bool RecordComparer::weighs_levels_alone() const noexcept {
  return graded_.empty() && std::all_of(least_shares_.begin(), least_shares_.end(),
                                        [](double share) { return share == 0; });
}

std::vector<std::uint8_t> RecordComparer::levels(std::uint32_t left, std::uint32_t right) const {
  std::vector<std::uint8_t> levels(fields());
  for (std::size_t f = 0; f < levels.size(); ++f) {
    levels[f] = static_cast<std::uint8_t>(level(f, left, right));
  }
  return levels;
}

void RecordComparer::similarities(std::span<const std::uint8_t> levels, const RecordPair& pair,
                                  std::span<float> similarities) const {
  for (std::size_t i = 0; i < graded_.size(); ++i) {
    const std::size_t f = graded_[i];
    similarities[i] = 0;
    if (levels[f] == 0 || levels[f] > middles_[i].size()) continue;
    const std::vector<std::uint32_t>& values = columns_[f]->values;
    similarities[i] =
        static_cast<float>(comparers_[f].value(values[pair.left], values[pair.right]));
  }
}

void RecordComparer::grade(std::span<const std::uint8_t> levels,
                           std::span<const float> similarities, std::vector<Grade>& grades) const {
  grades.clear();
  for (const std::uint8_t level : levels) grades.push_back({level, 0});
  for (std::size_t i = 0; i < graded_.size(); ++i) {
    Grade& grade = grades[graded_[i]];
    const std::vector<double>& middles = middles_[i];
    if (grade.level == 0 || grade.level > middles.size()) continue;
    const double value = similarities[i];
    const auto next = std::upper_bound(middles.begin(), middles.end(), value);
    grade.level = 1;
    if (next == middles.begin()) continue;
    grade.level = static_cast<std::uint8_t>(next - middles.begin());
    if (next != middles.end()) grade.above = (value - next[-1]) / (*next - next[-1]);
  }
}

std::vector<Grade> RecordComparer::grades(std::span<const std::uint8_t> levels,
                                          const RecordPair& pair) const {
  std::vector<float> of_pair(graded_.size());
  similarities(levels, pair, of_pair);
  std::vector<Grade> grades;
  grade(levels, of_pair, grades);
  return grades;
}

// Replaces the levels of fields compared crosswise if the crosswise levels are better.
void RecordComparer::cross(const RecordPair& pair, std::span<std::uint8_t> levels) const {
  for (const Crosswise& both : crosswise_) {
    const BothLevels found =
        crossed(both, {levels[both.first], levels[both.second]}, pair.left, pair.right);
    levels[both.first] = static_cast<std::uint8_t>(found.first);
    levels[both.second] = static_cast<std::uint8_t>(found.second);
  }
}

// Values of partners are scattered over the memory, so they are prefetched several pairs ahead.
void RecordComparer::compare(std::uint32_t left, std::span<const CandidatePartner> partners,
                             std::vector<std::uint8_t>& levels) const {
  constexpr std::size_t kAtOnce = 32;
  const std::size_t fields = comparers_.size();
  const std::uint32_t* const of_left = &rows_[left * fields];
  levels.resize(partners.size() * fields);
  for (std::size_t begin = 0; begin < partners.size(); begin += kAtOnce) {
    const std::size_t end = std::min(partners.size(), begin + kAtOnce);
    for (std::size_t i = begin; i < end; ++i) {
      prefetch(partners[i].partner);
    }
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t f = 0; f < fields; ++f) {
        comparers_[f].prefetch(rows_[partners[i].partner * fields + f]);
      }
    }
    for (std::size_t f = 0; f < fields; ++f) {
      const FieldComparer& comparer = comparers_[f];
      const bool has_variants = columns_[f]->has_variants();
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t right = partners[i].partner;
        levels[i * fields + f] = static_cast<std::uint8_t>(
            has_variants ? level_of_variants(*columns_[f], comparisons_[f], comparer, left, right)
                         : comparer.level(of_left[f], rows_[right * fields + f]));
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      cross({left, partners[i].partner}, std::span(levels).subspan(i * fields, fields));
    }
  }
}

}  // namespace sosie
