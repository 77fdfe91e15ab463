#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/thread_pool.h"
#include "data/record_links.h"
#include "data/record_table.h"
#include "join/records/record_comparer.h"
#include "plan/match_model.h"
#include "verify/pair_score.h"

namespace sosie {

// A scored pair and the rules that found it; 0: a pair scored on demand.
struct CandidateLink {
  ScoredLink link;
  std::uint32_t rules = 0;
};

// Candidate pair, the rules that found it, and the number of its pattern among those counted.
struct PatternPair {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t rules = 0;
  std::uint32_t pattern = 0;
};

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
  PatternCounts counts;                  // patterns in ascending order
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
[[nodiscard]] std::vector<CandidateLink> score_candidates(const RecordPairs& pairs,
                                                          const CountedCandidates& counted,
                                                          const MatchModel& model,
                                                          double least_probability,
                                                          ThreadPool& pool);

// Candidates of a score above 0, sorted by (left, right); their probabilities are parts of the
// greatest score.
[[nodiscard]] std::vector<CandidateLink> score_candidates_by(const RecordPairs& pairs,
                                                             const PairScore& score,
                                                             ThreadPool& pool);

// Candidates that are wanted, scored, sorted by (left, right). `is_wanted` is called by many
// threads at once.
[[nodiscard]] std::vector<ScoredLink> wanted_candidates(
    const RecordPairs& pairs, const MatchModel& model, ThreadPool& pool,
    const std::function<bool(const RecordPair&)>& is_wanted);

}  // namespace sosie
