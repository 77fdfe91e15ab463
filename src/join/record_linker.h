#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "candidates/nearest_lists.h"
#include "join/record_memory.h"
#include "join/record_scoring.h"
#include "options/link_rules.h"

namespace sosie {

// Blocks of one rule that are too large for all of their pairs.
struct LargeBlocks {
  std::size_t rule = 0;
  std::uint64_t blocks = 0;
  std::uint64_t largest = 0;  // records
  std::uint64_t pairs = 0;    // pairs of these blocks, most of which are no candidates
};

// Finds candidate pairs of records by rules, learns a model of them, and scores them. Results do
// not depend on threads.
class RecordLinker {
 public:
  // `table`: the fields of the rules. Both and the pool outlive this. Throws Error{limit_exceeded}
  // like learn() and score(), before they take more memory than `memory_bytes` in all.
  RecordLinker(const RecordTable& table, const LinkRules& rules, std::uint64_t memory_bytes,
               ThreadPool& pool);

  // Finds the candidates and fits the model. Records whose farthest of K neighbours still looks
  // like a match look for twice as many, until it does not.
  void learn();

  [[nodiscard]] const CandidateCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] const ModelChoice& choice() const noexcept { return choice_; }
  [[nodiscard]] const MatchModel& model() const noexcept { return choice_.fitted.model; }
  // Blocks of more records than max_block allows, by rule and key.
  [[nodiscard]] const std::vector<LargeBlocks>& large_blocks() const noexcept { return large_; }
  // Records that looked for more neighbours than the rules say.
  [[nodiscard]] std::uint64_t widened() const noexcept { return widened_; }
  // Behind learn(): candidates with at least this probability, sorted by (left, right). Once.
  [[nodiscard]] std::vector<PatternLink> score(double least_probability);

  // Behind learn(): any pair of records, scored. `right` is numbered behind the left collection.
  [[nodiscard]] PatternLink score_pair(std::uint32_t left, std::uint32_t right) const;
  // Match weight at which a pair has this probability.
  [[nodiscard]] double bits_at(double probability) const { return model().bits_at(probability); }
  [[nodiscard]] double closeness(std::uint32_t left, std::uint32_t right) const {
    return comparer_.closeness(left, right);
  }
  [[nodiscard]] double probability(std::uint32_t left, std::uint32_t right) const;

 private:
  // A rule of the K nearest, and what it has found.
  struct NearestRule {
    std::size_t rule;  // its position among the rules
    std::unique_ptr<NearestLists> lists;
    PartnerLists pairs;
  };

  void prepare(std::size_t rule);
  void prepare_sorted(std::size_t rule);
  void prepare_nearest(std::size_t rule);
  void prepare_equal(std::size_t rule);
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  [[nodiscard]] HashedSets sets_beside(const CandidateRule& rule);
  void add_nearest_of(std::span<const std::uint32_t> block, const HashedSets& sets,
                      Pairs& pairs) const;
  [[nodiscard]] std::vector<std::uint32_t> other_fields(const CandidateRule& rule) const;
  void count_and_fit();
  [[nodiscard]] RandomPairs compare_random_pairs() const;
  // Returns how many records have looked further.
  std::uint64_t widen(NearestRule& nearest);

  const RecordTable& table_;
  const LinkRules& rules_;
  ThreadPool& pool_;
  RecordMemory memory_;
  RecordComparer comparer_;
  std::size_t fields_;                 // that are compared
  std::vector<AppendPartners> found_;  // by rule
  std::vector<std::unique_ptr<NearestRule>> nearest_;
  std::vector<LargeBlocks> large_;
  CandidateCounts counts_;
  ModelChoice choice_;
  std::optional<RandomPairs> random_;  // none where candidates are near: u is learnt from these
  std::uint64_t widened_ = 0;
};

}  // namespace sosie
