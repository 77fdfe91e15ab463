#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "candidates/keyed_blocks.h"
#include "candidates/nearest_records.h"
#include "core/thread_pool.h"
#include "data/record_table.h"
#include "data/token_sets.h"
#include "io/scratch.h"
#include "join/records/record_memory.h"
#include "options/link_rules.h"

namespace sosie {

// A block of records too large for all its pairs to be candidates, identified by one of its
// records.
struct LargeBlock {
  std::uint32_t record = 0;
  std::uint64_t records = 0;
  std::uint64_t pairs = 0;
};

// The blocks of a rule that are too large for all their pairs to be candidates.
struct LargeBlocks {
  std::uint64_t blocks = 0;
  std::uint64_t largest = 0;       // records
  std::uint64_t pairs = 0;         // pairs in these blocks, most of which are not candidates
  std::vector<LargeBlock> listed;  // the largest ones, largest first
  // Pairs in the blocks, sampled evenly.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> drawn;
};

// The candidates that a rule finds, and what it costs to find them.
struct RuleFindings {
  std::uint64_t pairs = 0;          // number of pairs found
  std::uint64_t largest_block = 0;  // records of its largest block; for near values: of two values
  double seconds = 0;
  LargeBlocks large;
};

// A rule that finds the K nearest records, and its results.
struct NearestRule {
  std::size_t rule = 0;  // its position among the rules
  std::unique_ptr<NearestPartners> lists;
  std::unique_ptr<const Measure> measure;  // measure used by the lists
  PartnerLists pairs;
};

// Resources for a search for candidates.
struct CandidateMeans {
  RecordMemory& memory;
  ThreadPool& pool;
  Scratch& scratch;
  bool left_asks = false;  // only left records search, for twice as many nearest ones
};

// Finds candidate pairs of records by one rule after another. The results do not depend on the
// number of threads.
class RecordCandidates {
 public:
  // All arguments must outlive this object.
  RecordCandidates(const RecordTable& table, const LinkRules& rules, const CandidateMeans& means);
  RecordCandidates(const RecordCandidates&) = delete;
  RecordCandidates& operator=(const RecordCandidates&) = delete;

  // Throws Error{limit_exceeded} before it would use more memory than is available, and
  // Error{cancelled}.
  void find();

  // The partners that each rule finds.
  [[nodiscard]] const std::vector<AppendPartners>& partners() const noexcept { return partners_; }
  [[nodiscard]] const std::vector<RuleFindings>& findings() const noexcept { return findings_; }
  [[nodiscard]] std::span<const std::unique_ptr<NearestRule>> nearest() const noexcept {
    return nearest_;
  }

 private:
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  class BlockDraw;

  void find_sorted(std::size_t rule);
  void find_equal(std::size_t rule);
  void find_near(std::size_t rule);
  void find_near_values(std::size_t rule);
  void find_nearest(std::size_t rule);
  [[nodiscard]] HashedSets sets_beside(const CandidateRule& rule);
  [[nodiscard]] Pairs nearest_within(std::span<const std::uint32_t> block,
                                     const HashedSets& sets) const;
  [[nodiscard]] std::vector<std::uint32_t> other_fields(const CandidateRule& rule) const;
  [[nodiscard]] std::uint32_t split() const noexcept { return table_.across ? table_.left : 0; }

  const RecordTable& table_;
  const LinkRules& rules_;
  RecordMemory& memory_;
  ThreadPool& pool_;
  Scratch& scratch_;
  bool left_asks_;
  std::vector<AppendPartners> partners_;
  std::vector<RuleFindings> findings_;
  std::vector<std::unique_ptr<NearestRule>> nearest_;
};

// All records below `count`, ascending.
[[nodiscard]] std::vector<std::uint32_t> all_records(std::uint32_t count);

}  // namespace sosie
