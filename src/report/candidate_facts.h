#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json_writer.h"
#include "data/record_table.h"
#include "join/records/record_candidates.h"
#include "options/link_rules.h"

namespace sosie {

// Facts about a run's candidates, for its summary and --stats.
struct CandidateFacts {
  const LinkRules* rules = nullptr;
  const RecordTable* table = nullptr;
  const std::vector<RuleFindings>* findings = nullptr;
  // For each rule (empty if nothing was scored): the number of pairs that it found, of pairs that
  // no other rule found, and of links among the latter.
  std::vector<std::uint64_t> pairs = {};
  std::vector<std::uint64_t> only = {};
  std::vector<std::uint64_t> only_links = {};
  std::vector<double> lost = {};  // expected matches in large blocks that were left out
  double seconds_a_pair = 0;      // seconds to compare a pair; for a dry run
};

// The first bytes of a text, followed by "..." if there are more.
[[nodiscard]] std::string shortened(const std::string& text);

// Lines about a rule's blocks that are too large ("the largest has N"); empty if there are none.
[[nodiscard]] std::string large_block_lines(const CandidateFacts& facts, std::size_t rule);
// Lines about the rules and about blocks that are too large.
[[nodiscard]] std::string rule_lines(const CandidateFacts& facts);
// Summary for --dry-run.
[[nodiscard]] std::string dry_run_text(const CandidateFacts& facts);
// Writes the members "rules" and "large_blocks", for programs. `has_seconds`: include the time that
// each rule took, which differs from run to run.
void add_rules(const CandidateFacts& facts, bool has_seconds, JsonWriter& json);
void add_large_blocks(const CandidateFacts& facts, JsonWriter& json);

}  // namespace sosie
