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

// A scored pair, and the rules that found it; 0 for a pair that is scored on demand.
struct CandidateLink {
  ScoredLink link;
  std::uint32_t rules = 0;
};

// Expected number of matches among these links.
[[nodiscard]] double expected_matches(std::span<const CandidateLink> links) noexcept;

// Determines which pairs are kept while patterns are counted: all pairs, or pairs that agree in
// about as many fields as they differ in, or in more (nearly all links are among these); no pairs
// if they would take more than this number of bytes.
struct PairKeeping {
  bool all = false;
  std::uint64_t bytes = 0;
};

struct KeptPairs {
  bool is_complete = false;
  bool are_all = false;
  std::vector<PatternPair> pairs = {};     // sorted by (left, right); empty unless complete
  std::vector<std::uint64_t> starts = {};  // by left record: start of its pairs; then the end

  // The kept pairs of a left record.
  [[nodiscard]] std::span<const PatternPair> of(std::uint32_t left) const noexcept;
};

// Counts of all candidate pairs.
struct CandidateCounts {
  std::uint64_t pairs = 0;
  std::vector<std::uint64_t> of_rule;    // by rule
  std::vector<std::uint64_t> only_rule;  // by rule: pairs found by no other rule
  LevelPatterns patterns;                // in ascending order
  KeptPairs kept;
  // Similarities of the kept pairs in the graded fields, pair by pair; empty if they are not kept.
  std::vector<float> similarities;

  // Number of bytes of all that is kept.
  [[nodiscard]] std::uint64_t kept_bytes() const noexcept {
    return kept.pairs.capacity() * sizeof(PatternPair) +
           kept.starts.capacity() * sizeof(std::uint64_t) + similarities.capacity() * sizeof(float);
  }
  // The kept pair of these two records; null if it is not kept.
  [[nodiscard]] const PatternPair* find(const RecordPair& pair) const noexcept;
  [[nodiscard]] std::span<const float> similarities_of(const PatternPair& pair) const noexcept;
};

// The candidates of a run, and the comparer for their records.
struct RecordPairs {
  const RecordTable& table;
  const CandidateUnion& candidates;
  const RecordComparer& comparer;
};

// Counts the level patterns of all candidates. The result does not depend on the number of threads.
// `before`: earlier counts of some of these candidates, all of whose pairs were kept; these pairs
// are not compared again. Throws Error{cancelled}.
[[nodiscard]] CandidateCounts count_candidates(const RecordPairs& pairs, const PairKeeping& keeping,
                                               ThreadPool& pool,
                                               const CandidateCounts* before = nullptr);

// Keeps the similarities of all kept pairs. `before`: as for count_candidates().
void keep_similarities(const RecordPairs& pairs, CandidateCounts& counts, ThreadPool& pool,
                       const CandidateCounts* before = nullptr);

// The highest possible probability of a pair with a pattern.
[[nodiscard]] double greatest_probability(const RecordComparer& comparer, const MatchModel& model,
                                          std::span<const std::uint8_t> levels);
// Candidates with at least this probability, sorted by (left, right); right records are numbered
// after left ones. Before memory is allocated, `expect` is called with the maximum number of
// candidates.
[[nodiscard]] std::vector<CandidateLink> score_candidates(
    const RecordPairs& pairs, const CandidateCounts& counts, const MatchModel& model,
    double least_probability, ThreadPool& pool,
    const std::function<void(std::uint64_t)>& expect = {});

// Sets the probabilities of links if each record of a side has at most one partner: the odds of the
// link, divided by 1 plus the odds of all links of the record. `links` must include every likely
// link.
void let_compete(std::span<CandidateLink> links, const MatchModel& model, Competition one_partner,
                 std::uint32_t records);

// The candidates that have something to compare, sorted by (left, right). Their probabilities are
// 0.
[[nodiscard]] std::vector<CandidateLink> score_candidates_by(const RecordPairs& pairs,
                                                             const PairScore& score,
                                                             ThreadPool& pool);

// The candidates that `is_wanted` selects, without scores, sorted by (left, right). Many threads
// call it concurrently.
[[nodiscard]] std::vector<ScoredLink> wanted_candidates(
    const RecordPairs& pairs, ThreadPool& pool,
    const std::function<bool(const RecordPair&)>& is_wanted);

}  // namespace sosie
