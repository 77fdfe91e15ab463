#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "io/scratch.h"
#include "join/records/record_candidates.h"
#include "join/records/record_memory.h"
#include "join/records/record_scoring.h"
#include "options/link_rules.h"

namespace sosie {

// Finds candidate pairs of records by rules, learns a model of them, and scores them. Results do
// not depend on threads.
class RecordLinker {
 public:
  // `table`: the fields of the rules. Both, the pool and the scratch outlive this. Throws
  // Error{limit_exceeded} like learn() and score(), before they take more memory than
  // `memory_bytes` in all.
  RecordLinker(const RecordTable& table, const LinkRules& rules, std::uint64_t memory_bytes,
               ThreadPool& pool, Scratch& scratch);

  // Finds the candidates alone.
  void find() { candidates_.find(); }

  // Finds the candidates and fits the model. Records whose farthest of K neighbours still looks
  // like a match look for twice as many, until it does not.
  void learn();
  // Finds the candidates, and takes the model as it is. `shares`: by compared field and value, of
  // fields that weigh frequencies.
  void take(MatchModel model, std::vector<std::vector<double>> shares);

  // Finds the candidates, and scores pairs by `score`, which outlives this, in place of a model.
  void find_for(const PairScore& score);

  [[nodiscard]] const CandidateCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] const ModelChoice& choice() const noexcept { return choice_; }
  [[nodiscard]] const MatchModel& model() const noexcept { return choice_.fitted.model; }
  [[nodiscard]] const RecordMemory& memory() const noexcept { return memory_; }
  // Findings of each rule.
  [[nodiscard]] const std::vector<RuleFindings>& findings() const noexcept {
    return candidates_.findings();
  }
  // Expected matches among the pairs of large blocks that no rule found, by rule, from drawn ones.
  [[nodiscard]] std::vector<double> lost_matches() const;
  // Behind find(): CPU time of one core to compare a candidate, in seconds, by some of them.
  [[nodiscard]] double seconds_a_pair() const;
  // Records that looked for more neighbours than the rules say.
  [[nodiscard]] std::uint64_t widened() const noexcept { return widened_; }
  // Behind learn(): candidates with at least this probability, sorted by (left, right). Once.
  [[nodiscard]] std::vector<CandidateLink> score(double least_probability);

  // Behind learn(): candidates that are wanted; is_wanted is called by many threads at once.
  [[nodiscard]] std::vector<ScoredLink> wanted(
      const std::function<bool(const RecordPair&)>& is_wanted) const;
  // The least probability at which at most `most` candidates are kept, and at most `least`.
  [[nodiscard]] double probability_of_best(std::uint64_t most, double least) const;

  // Behind learn(): any pair of records, scored. `right` is numbered behind the left collection.
  [[nodiscard]] CandidateLink score_pair(std::uint32_t left, std::uint32_t right) const;
  // Bits of each field of a scored pair, whose sum is its score.
  [[nodiscard]] std::vector<double> field_bits(const CandidateLink& link) const;
  // Partners that the rules find of a record: of two collections right ones of a left record, else
  // those with a higher number; ascending.
  [[nodiscard]] std::vector<CandidatePartner> partners_of(std::uint32_t record) const;
  // Rules that find the pair, as bits.
  [[nodiscard]] std::uint32_t rules_of(std::uint32_t left, std::uint32_t right) const;
  // Match weight at which a pair has this probability.
  [[nodiscard]] double bits_at(double probability) const { return model().bits_at(probability); }
  [[nodiscard]] const RecordComparer& comparer() const noexcept { return comparer_; }
  [[nodiscard]] double closeness(std::uint32_t left, std::uint32_t right) const {
    return comparer_.closeness(left, right);
  }
  [[nodiscard]] double probability(std::uint32_t left, std::uint32_t right) const;

 private:
  void count();
  void count_and_fit();
  void widen_all();
  [[nodiscard]] RandomPairs compare_random_pairs() const;
  // Returns how many records have looked further.
  std::uint64_t widen(NearestRule& nearest);

  const RecordTable& table_;
  const LinkRules& rules_;
  ThreadPool& pool_;
  RecordMemory memory_;
  RecordComparer comparer_;
  std::size_t fields_;  // that are compared
  RecordCandidates candidates_;
  CandidateCounts counts_;
  ModelChoice choice_;
  const PairScore* pair_score_ = nullptr;  // in place of a model
  std::optional<RandomPairs> random_;      // none where candidates are near: u is learnt from these
  std::uint64_t widened_ = 0;
};

}  // namespace sosie
