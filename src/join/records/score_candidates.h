#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/record_table.h"
#include "data/scored_link.h"
#include "join/records/record_comparer.h"
#include "plan/fit_model.h"
#include "verify/pair_score.h"

namespace sosie {

// A scored pair and the rules that found it; 0: a pair scored on demand.
struct CandidateLink {
  ScoredLink link;
  std::uint32_t rules = 0;
};

// Expected number of matches among these links.
[[nodiscard]] double expected_matches(std::span<const CandidateLink> links) noexcept;

// Selection of the pairs that are kept while patterns are counted: all, or those that agree in
// about as many fields as they differ in, or in more, among which are nearly all links; none if
// they take more bytes than this.
struct PairKeeping {
  bool all = false;
  std::uint64_t bytes = 0;
};

struct KeptPairs {
  bool is_complete = false;
  bool are_all = false;
  std::vector<PatternPair> pairs = {};     // sorted by (left, right); empty unless complete
  std::vector<std::uint64_t> starts = {};  // by left record: start of its pairs; then the end

  // Pairs of a left record.
  [[nodiscard]] std::span<const PatternPair> of(std::uint32_t left) const noexcept;
};

// Counts of all candidate pairs.
struct CandidateCounts {
  std::uint64_t pairs = 0;
  std::vector<std::uint64_t> of_rule;    // by rule
  std::vector<std::uint64_t> only_rule;  // by rule: pairs found by no other rule
  LevelPatterns patterns;                // in ascending order
  KeptPairs kept;
  // Similarities of the kept pairs in the graded fields, pair by pair; empty: not kept.
  std::vector<float> similarities;

  // Bytes of everything kept.
  [[nodiscard]] std::uint64_t kept_bytes() const noexcept {
    return kept.pairs.capacity() * sizeof(PatternPair) +
           kept.starts.capacity() * sizeof(std::uint64_t) + similarities.capacity() * sizeof(float);
  }
  // A kept pair; null if it is not kept.
  [[nodiscard]] const PatternPair* find(const RecordPair& pair) const noexcept;
  [[nodiscard]] std::span<const float> similarities_of(const PatternPair& pair) const noexcept;
};

// Candidates of a run, and their comparer.
struct RecordPairs {
  const RecordTable& table;
  const CandidateUnion& candidates;
  const RecordComparer& comparer;
};

// Counts the level patterns of all candidates. Does not depend on threads. `before`: counts of some
// of these, with all of their pairs kept, which are then not compared again. Throws
// Error{cancelled}.
[[nodiscard]] CandidateCounts count_candidates(const RecordPairs& pairs, const PairKeeping& keeping,
                                               ThreadPool& pool,
                                               const CandidateCounts* before = nullptr);

// Keeps the similarities of all kept pairs. `before`: as in count_candidates().
void keep_similarities(const RecordPairs& pairs, CandidateCounts& counts, ThreadPool& pool,
                       const CandidateCounts* before = nullptr);

// The highest possible probability of a pair with a pattern.
[[nodiscard]] double greatest_probability(const RecordComparer& comparer, const MatchModel& model,
                                          std::span<const std::uint8_t> levels);
// Candidates with at least this probability, sorted by (left, right); right records are numbered
// after the left ones. Calls `expect` with their maximum number before allocating memory.
[[nodiscard]] std::vector<CandidateLink> score_candidates(
    const RecordPairs& pairs, const CandidateCounts& counts, const MatchModel& model,
    double least_probability, ThreadPool& pool,
    const std::function<void(std::uint64_t)>& expect = {});

// Gives links, which must be all likely ones, their probabilities if records of a side have at most
// one partner: odds divided by 1 plus the odds of all links of the record.
void let_compete(std::span<CandidateLink> links, const MatchModel& model, Competition one_partner,
                 std::uint32_t records);

// Candidates that have something to compare, sorted by (left, right); their probabilities are 0.
[[nodiscard]] std::vector<CandidateLink> score_candidates_by(const RecordPairs& pairs,
                                                             const PairScore& score,
                                                             ThreadPool& pool);

// Selected candidates, without scores, sorted by (left, right). `is_wanted` is called concurrently
// by many threads.
[[nodiscard]] std::vector<ScoredLink> wanted_candidates(
    const RecordPairs& pairs, ThreadPool& pool,
    const std::function<bool(const RecordPair&)>& is_wanted);

}  // namespace sosie
