// Lines and numbers about candidate rules: the pairs that each rule found, and the blocks left out.
#include "report/candidate_facts.h"

#include <fmt/format.h>

#include "core/count_text.h"
#include "core/joined_text.h"
#include "corpus/items/record_fields.h"
#include "report/link_table.h"

namespace sosie {
namespace {

std::string name_of(const CandidateFacts& facts, std::size_t rule) {
  return rule_name(facts.rules->candidates[rule], facts.rules->fields);
}

// The values of the fields that define a block, shortened.
std::string block_name(const CandidateFacts& facts, std::size_t rule, const LargeBlock& block) {
  std::string text;
  join_text(*facts.table, facts.rules->candidates[rule].fields, block.record, text);
  return shortened(text);
}

}  // namespace

std::string shortened(const std::string& text) {
  constexpr std::size_t kMostShown = 40;  // bytes
  if (text.size() <= kMostShown) return text;
  std::size_t end = kMostShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string large_block_lines(const CandidateFacts& facts, std::size_t rule) {
  const LargeBlocks& large = (*facts.findings)[rule].large;
  if (large.blocks == 0) return {};
  std::string out =
      fmt::format("  {}: {} of more than {} records (the largest has {}); only the nearest of {}\n",
                  name_of(facts, rule), plural_text(large.blocks, "block", "blocks"),
                  count_text(facts.rules->max_block), count_text(large.largest),
                  plural_text(large.pairs, "pair", "pairs"));
  std::vector<std::string> listed;
  listed.reserve(large.listed.size());
  for (const LargeBlock& block : large.listed) {
    listed.push_back(
        fmt::format("'{}' {}", block_name(facts, rule, block), count_text(block.records)));
  }
  out += fmt::format("    {}{}\n", joined_text(listed, ", "),
                     large.blocks > large.listed.size() ? ", ..." : "");
  if (facts.lost.empty()) return out;
  return out +
         fmt::format("    about {:.0f} matches are lost, judging by {} of the pairs left out\n",
                     facts.lost[rule], count_text(large.drawn.size()));
}

std::string rule_lines(const CandidateFacts& facts) {
  std::string out;
  const std::size_t rules = facts.rules->candidates.size();
  for (std::size_t r = 0; r < rules; ++r) {
    out +=
        fmt::format("  {:<24} {:>12}   {} not found by other rules, {} of these linked, {:.1f} s\n",
                    name_of(facts, r), count_text(facts.pairs[r]), count_text(facts.only[r]),
                    count_text(facts.only_links[r]), (*facts.findings)[r].seconds);
  }
  for (std::size_t r = 0; r < rules; ++r) out += large_block_lines(facts, r);
  return out;
}

std::string dry_run_text(const CandidateFacts& facts) {
  std::string out;
  std::uint64_t sum = 0;
  for (const RuleFindings& rule : *facts.findings) sum += rule.pairs;
  out += fmt::format("candidates  at most {}; nothing is scored or written\n",
                     plural_text(sum, "pair", "pairs"));
  out += fmt::format("  {:<24} {:>12} {:>14} {:>9} {:>11}\n", "rule", "pairs", "largest block",
                     "found in", "to compare");
  for (std::size_t r = 0; r < facts.findings->size(); ++r) {
    const RuleFindings& rule = (*facts.findings)[r];
    out += fmt::format("  {:<24} {:>12} {:>14} {:>7.1f} s {:>9.1f} s\n", name_of(facts, r),
                       count_text(rule.pairs), count_text(rule.largest_block), rule.seconds,
                       facts.seconds_a_pair * static_cast<double>(rule.pairs));
  }
  for (std::size_t r = 0; r < facts.findings->size(); ++r) out += large_block_lines(facts, r);
  return out;
}

void add_rules(const CandidateFacts& facts, bool has_seconds, JsonWriter& json) {
  json.begin_array("rules");
  for (std::size_t r = 0; r < facts.findings->size(); ++r) {
    const RuleFindings& rule = (*facts.findings)[r];
    json.begin_object();
    json.member("rule", name_of(facts, r));
    json.member("pairs", facts.pairs.empty() ? rule.pairs : facts.pairs[r]);
    if (!facts.only.empty()) json.member("only", facts.only[r]);
    if (!facts.only_links.empty()) json.member("only_links", facts.only_links[r]);
    json.member("largest_block", rule.largest_block);
    if (has_seconds) json.member("seconds", rule.seconds);
    if (facts.seconds_a_pair > 0) {
      json.member("seconds_to_compare", facts.seconds_a_pair * static_cast<double>(rule.pairs));
    }
    json.end_object();
  }
  json.end_array();
}

void add_large_blocks(const CandidateFacts& facts, JsonWriter& json) {
  json.begin_array("large_blocks");
  for (std::size_t r = 0; r < facts.findings->size(); ++r) {
    const LargeBlocks& large = (*facts.findings)[r].large;
    if (large.blocks == 0) continue;
    json.begin_object();
    json.members({{"rule", name_of(facts, r)},
                  {"blocks", large.blocks},
                  {"largest", large.largest},
                  {"pairs", large.pairs}});
    if (!large.listed.empty()) json.begin_array("listed");
    for (const LargeBlock& block : large.listed) {
      json.object({{"value", block_name(facts, r, block)},
                   {"records", block.records},
                   {"pairs", block.pairs}});
    }
    if (!large.listed.empty()) json.end_array();
    if (!facts.lost.empty()) json.member("lost", facts.lost[r]);
    json.end_object();
  }
  json.end_array();
}

}  // namespace sosie
