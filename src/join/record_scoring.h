#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "candidates/candidate_union.h"
#include "core/thread_pool.h"
#include "data/record_links.h"
#include "data/record_table.h"
#include "options/link_rules.h"
#include "plan/match_model.h"
#include "verify/pair_score.h"

namespace sosie {

// Compares records by the fields that rules compare, in their order. Safe for many threads at once.
class RecordComparer {
 public:
  // `table`, which outlives this: the fields of the rules.
  RecordComparer(const RecordTable& table, const LinkRules& rules);
  RecordComparer(const RecordComparer&) = delete;
  RecordComparer& operator=(const RecordComparer&) = delete;

  [[nodiscard]] LevelPattern pattern(std::uint32_t left, std::uint32_t right) const;
  // Patterns of a record and each of its partners, one of `patterns` for each.
  void add_patterns(std::uint32_t left, std::span<const CandidatePartner> partners,
                    std::vector<LevelPattern>& patterns) const;
  // Mean closeness of the fields, from 0 to 1, which tells apart pairs of one pattern.
  [[nodiscard]] double closeness(std::uint32_t left, std::uint32_t right) const;
  [[nodiscard]] const std::vector<std::uint32_t>& level_counts() const noexcept {
    return level_counts_;
  }
  // Bits that the frequencies of the pair's values add to those of its level in a field.
  [[nodiscard]] double frequency_bits(std::size_t field, const FieldWeights& weights,
                                      LevelPattern pattern, const RecordPair& pair) const;
  // The most that these can be for a pattern.
  [[nodiscard]] double most_frequency_bits(const MatchModel& model, LevelPattern pattern) const;
  // Shares of the values of a field by value; empty: all values say as much.
  [[nodiscard]] const std::vector<double>& shares(std::size_t field) const noexcept {
    return shares_[field];
  }
  // Takes the shares of the values of a field from elsewhere, by value.
  void set_shares(std::size_t field, std::vector<double> shares) {
    shares_[field] = std::move(shares);
  }

 private:
  std::vector<const RecordColumn*> columns_;
  std::vector<FieldComparison> comparisons_;
  std::vector<CharacterSets> sets_;  // by field, of those that are compared by sets
  std::vector<ValueBounds> bounds_;  // by field
  std::vector<FieldComparer> comparers_;
  std::vector<std::uint32_t> level_counts_;
  std::vector<std::vector<double>> shares_;  // by field and value; empty: all values say as much
  std::vector<std::uint32_t> rows_;          // values of the compared fields, record by record
};

// A scored pair with its pattern and the rules that found it; 0: a pair scored on demand.
struct PatternLink {
  ScoredLink link;
  LevelPattern pattern = 0;
  std::uint32_t rules = 0;
};

// Candidate pair with its pattern, and the rules that found it.
struct PatternPair {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t rules = 0;
  LevelPattern pattern = 0;
};

// True for a pattern in which, missing fields apart, at least a third of the fields agree more or
// less.
[[nodiscard]] bool agrees(LevelPattern pattern) noexcept;

// Pairs that agree in about as many fields as they differ in, or in more: nearly all links are
// among them. They are kept while patterns are counted, if that takes no more than the bytes there
// are for it, so that not all candidates need be compared once more.
struct AgreeingPairs {
  bool is_complete = false;
  std::vector<PatternPair> pairs;  // sorted by (left, right); none if not complete
};

// Counts of all candidate pairs.
struct CandidateCounts {
  std::uint64_t pairs = 0;
  std::vector<std::uint64_t> of_rule;    // by rule
  std::vector<std::uint64_t> only_rule;  // by rule: pairs that no other rule found
  std::vector<LevelPattern> patterns;    // ascending
  PatternCounts counts;                  // counts of these
  AgreeingPairs agreeing;
};

// Candidates of a run, and who compares them.
struct RecordPairs {
  const RecordTable& table;
  const CandidateUnion& candidates;
  const RecordComparer& comparer;
};

// Counts the level patterns of all candidates. Does not depend on threads. `kept_bytes`: for
// agreeing pairs. Throws Error{cancelled}.
[[nodiscard]] CandidateCounts count_candidates(const RecordPairs& pairs, std::uint64_t kept_bytes,
                                               ThreadPool& pool);

// Counts of the same candidates, and the pairs kept meanwhile.
struct CountedCandidates {
  const CandidateCounts& counts;
  const AgreeingPairs& agreeing;
};

// Number of candidates that may have at least this probability.
[[nodiscard]] std::uint64_t likely_pairs(const RecordComparer& comparer,
                                         const CandidateCounts& counts, const MatchModel& model,
                                         double least_probability);
// Candidates with at least this probability, sorted by (left, right); right records
// are numbered behind the left ones.
[[nodiscard]] std::vector<PatternLink> score_candidates(const RecordPairs& pairs,
                                                        const CountedCandidates& counted,
                                                        const MatchModel& model,
                                                        double least_probability, ThreadPool& pool);

// Candidates of a score above 0, sorted by (left, right); their probabilities are parts of the
// greatest score.
[[nodiscard]] std::vector<PatternLink> score_candidates_by(const RecordPairs& pairs,
                                                           const PairScore& score,
                                                           ThreadPool& pool);

// Score of a pair of this pattern.
[[nodiscard]] ScoredLink scored_pair(const RecordComparer& comparer, const MatchModel& model,
                                     LevelPattern pattern, const RecordPair& pair);

// Candidates that are wanted, scored, sorted by (left, right). `is_wanted` is called by many
// threads at once.
[[nodiscard]] std::vector<ScoredLink> wanted_candidates(
    const RecordPairs& pairs, const MatchModel& model, ThreadPool& pool,
    const std::function<bool(const RecordPair&)>& is_wanted);

// Levels of a pattern, one byte each.
[[nodiscard]] std::vector<std::uint8_t> levels_of(LevelPattern pattern, std::size_t fields);

}  // namespace sosie
