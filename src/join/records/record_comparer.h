#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "candidates/keyed_blocks.h"
#include "core/thread_pool.h"
#include "data/record_table.h"
#include "data/scored_link.h"
#include "options/link_rules.h"
#include "plan/match_model.h"
#include "verify/field_comparer.h"
#include "verify/value_bounds.h"

namespace sosie {

// Compares records by the fields that the rules compare, in the order of the rules. Thread-safe.
class RecordComparer {
 public:
  // `table`: the fields of the rules; must outlive this object.
  RecordComparer(const RecordTable& table, const LinkRules& rules, ThreadPool& pool);
  RecordComparer(const RecordComparer&) = delete;
  RecordComparer& operator=(const RecordComparer&) = delete;

  [[nodiscard]] std::size_t fields() const noexcept { return level_counts_.size(); }
  // Level of a pair in one field.
  [[nodiscard]] std::uint32_t level(std::size_t field, std::uint32_t left,
                                    std::uint32_t right) const;
  // Levels of all fields: the pattern of a pair.
  [[nodiscard]] std::vector<std::uint8_t> levels(std::uint32_t left, std::uint32_t right) const;
  // The fields with a measure for texts, in which values at the same level can still be ranked.
  [[nodiscard]] const std::vector<std::size_t>& graded() const noexcept { return graded_; }
  // Similarities of a pair with these levels in the graded fields; 0 where the level alone is
  // enough.
  void similarities(std::span<const std::uint8_t> levels, const RecordPair& pair,
                    std::span<float> similarities) const;
  // Computes grades for these levels: texts lie between the middles of two levels.
  void grade(std::span<const std::uint8_t> levels, std::span<const float> similarities,
             std::vector<Grade>& grades) const;
  [[nodiscard]] std::vector<Grade> grades(std::span<const std::uint8_t> levels,
                                          const RecordPair& pair) const;
  // Prefetches the data of a record that a comparison reads first.
  void prefetch(std::uint32_t record) const noexcept;
  // The levels of a record compared with each of its partners: fields() bytes per partner.
  void compare(std::uint32_t left, std::span<const CandidatePartner> partners,
               std::vector<std::uint8_t>& levels) const;
  [[nodiscard]] const std::vector<std::uint32_t>& level_counts() const noexcept {
    return level_counts_;
  }
  // Bits that the frequencies of the pair's values in a field add to the bits of its level.
  [[nodiscard]] double frequency_bits(std::size_t field, const FieldWeights& weights,
                                      std::uint32_t level, const RecordPair& pair) const;
  // Maximum number of such bits for a pattern.
  [[nodiscard]] double most_frequency_bits(const MatchModel& model,
                                           std::span<const std::uint8_t> levels) const;
  // True if all pairs with the same levels get the same bits.
  [[nodiscard]] bool weighs_levels_alone() const noexcept;
  // The share of each value of a field; empty if all values count the same.
  [[nodiscard]] const std::vector<double>& shares(std::size_t field) const noexcept {
    return shares_[field];
  }
  // Sets the share of each value of a field.
  void set_shares(std::size_t field, std::vector<double> shares);

 private:
  // Two fields, by position, whose values may be swapped in a record.
  struct Crosswise {
    std::size_t first;
    std::size_t second;
  };
  // Levels of the two fields.
  using BothLevels = std::pair<std::uint32_t, std::uint32_t>;

  [[nodiscard]] std::uint32_t direct_level(std::size_t field, std::uint32_t left,
                                           std::uint32_t right) const;
  void cross(const RecordPair& pair, std::span<std::uint8_t> levels) const;
  [[nodiscard]] BothLevels crossed(const Crosswise& fields, const BothLevels& direct,
                                   std::uint32_t left, std::uint32_t right) const;

  std::vector<const RecordColumn*> columns_;
  std::vector<FieldComparison> comparisons_;
  std::vector<ComparedValues> values_;  // by field
  std::vector<ValueBounds> bounds_;     // by field
  std::vector<FieldComparer> comparers_;
  std::vector<std::uint32_t> level_counts_;
  std::vector<std::size_t> graded_;
  // By graded field: middles of the levels 1, 2, ... below the one of equal values.
  std::vector<std::vector<double>> middles_;
  std::vector<std::vector<double>> shares_;  // by field and value; empty: all values count the same
  std::vector<double> least_shares_;         // by field: the smallest of these; 0: none
  std::vector<Crosswise> crosswise_;
  std::vector<std::uint32_t> rows_;  // values of the compared fields, record by record
};

// True for a pattern in which at least a third of the fields, not counting missing ones, agree to
// some degree.
[[nodiscard]] bool agrees(std::span<const std::uint8_t> levels) noexcept;

// Scores pairs by a model. Not thread-safe.
class RecordScorer {
 public:
  // Both arguments must outlive this object.
  RecordScorer(const RecordComparer& comparer, const MatchModel& model)
      : comparer_(comparer), model_(model), similarities_(comparer.graded().size()) {}

  // Scores a pair with these levels and, if they are known, these similarities.
  [[nodiscard]] ScoredLink score(const RecordPair& pair, std::span<const std::uint8_t> levels,
                                 std::span<const float> similarities = {});

 private:
  const RecordComparer& comparer_;
  const MatchModel& model_;
  std::vector<float> similarities_;
  std::vector<Grade> grades_;
};

}  // namespace sosie
