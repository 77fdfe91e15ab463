// Candidates, model and scores of one run of `sosie link`.
#include "join/record_linker.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "candidates/blocking.h"
#include "corpus/record_fields.h"
#include "corpus/record_keys.h"
#include "plan/held_out_field.h"

namespace sosie {
namespace {

constexpr double kLooksLikeMatch = 0.5;
constexpr std::uint32_t kMostNearest = 1024;
constexpr std::uint32_t kNearestOfBlock = 10;
// Agreeing pairs may take one part in so many of the memory that is left.
constexpr std::uint64_t kPartForAgreeing = 4;

std::vector<std::uint32_t> all_records(std::uint32_t count) {
  std::vector<std::uint32_t> records(count);
  std::iota(records.begin(), records.end(), 0U);
  return records;
}

AppendPartners partners_in(const PartnerLists& pairs) {
  return [&pairs](std::uint32_t record, std::vector<std::uint32_t>& partners) {
    const auto found = pairs[record];
    partners.insert(partners.end(), found.begin(), found.end());
  };
}

// Part of the pairs of values that are equal.
double equal_part(const RecordTable& table, const RecordColumn& column) {
  std::vector<std::uint64_t> left(column.distinct());
  std::vector<std::uint64_t> right(column.distinct());
  for (std::uint32_t record = 0; record < table.size(); ++record) {
    ++(record < table.left ? left : right)[column.values[record]];
  }
  double equal = 0;
  double of_left = 0;
  double of_right = 0;
  for (std::uint32_t value = 1; value < column.distinct(); ++value) {
    const auto a = static_cast<double>(left[value]);
    const auto b = static_cast<double>(right[value]);
    equal += table.across ? a * b : a * (a - 1);
    of_left += a;
    of_right += b;
  }
  const double pairs = table.across ? of_left * of_right : of_left * (of_left - 1);
  constexpr double kLeast = 1e-12;
  return pairs <= 0 ? kLeast : std::clamp(equal / pairs, kLeast, 1 - kLeast);
}

// Counts what lies in memory before candidates are looked for, and refuses what does not fit.
RecordMemory memory_of(const RecordTable& table, const LinkRules& rules,
                       std::uint64_t memory_bytes) {
  RecordMemory memory(memory_bytes);
  memory.hold(memory_bytes_of(table.columns));
  const RecordNeeds needs = comparison_needs(table, rules);
  memory.require(needs.peak_bytes, "fields");
  memory.hold(needs.kept_bytes);
  return memory;
}

}  // namespace

RecordLinker::RecordLinker(const RecordTable& table, const LinkRules& rules,
                           std::uint64_t memory_bytes, ThreadPool& pool)
    : table_(table),
      rules_(rules),
      pool_(pool),
      memory_(memory_of(table, rules, memory_bytes)),
      comparer_(table, rules),
      fields_(rules.compared().size()),
      found_(rules.candidates.size()) {}

void RecordLinker::learn() {
  for (std::size_t rule = 0; rule < found_.size(); ++rule) prepare(rule);
  count_and_fit();
  // A record that has one partner at most needs no more neighbours.
  const bool one_partner = table_.across && rules_.assign != Assign::all;
  if (!choice_.has_two_classes || one_partner) return;
  for (const auto& nearest : nearest_) widened_ += widen(*nearest);
  if (widened_ > 0) count_and_fit();
}

void RecordLinker::prepare(std::size_t rule) {
  switch (rules_.candidates[rule].kind) {
    case CandidateRule::Kind::near:
      prepare_nearest(rule);
      return;
    case CandidateRule::Kind::sorted:
      prepare_sorted(rule);
      return;
    case CandidateRule::Kind::equal:
      prepare_equal(rule);
      return;
  }
}

void RecordLinker::prepare_sorted(std::size_t rule) {
  constexpr std::uint64_t kBytesOfPlace = 8;
  const CandidateRule& asked = rules_.candidates[rule];
  memory_.require(2 * kBytesOfPlace * table_.size(), "order");
  memory_.hold(kBytesOfPlace * table_.size());
  found_[rule] =
      [window = std::make_shared<SortedWindow>(sorted_records(table_, asked.fields), table_.size(),
                                               table_.across ? table_.left : 0, asked.window)](
          std::uint32_t record, std::vector<std::uint32_t>& partners) {
        window->append(record, partners);
      };
}

void RecordLinker::prepare_equal(std::size_t rule) {
  constexpr std::uint64_t kBytesOfKey = 16;  // key of a record, and its place in a block
  const CandidateRule& asked = rules_.candidates[rule];
  memory_.require(2 * kBytesOfKey * table_.size(), "keys");
  memory_.hold(kBytesOfKey * table_.size());
  const auto blocks =
      std::make_shared<KeyedBlocks>(equal_keys(table_, asked.fields, asked.prefix),
                                    table_.across ? table_.left : 0, rules_.max_block);
  LargeBlocks large;
  large.rule = rule;
  Pairs pairs;
  HashedSets sets;
  for (std::uint32_t key = 1; key < blocks->keys(); ++key) {
    if (!blocks->is_large(key)) continue;
    if (sets.size() == 0) sets = sets_beside(asked);
    add_nearest_of(blocks->block(key), sets, pairs);
    large.blocks += 1;
    large.largest = std::max<std::uint64_t>(large.largest, blocks->block(key).size());
    large.pairs += blocks->pairs_of(key);
  }
  if (large.blocks > 0) large_.push_back(large);
  const auto nearest = std::make_shared<PartnerLists>(lists_of(pairs, table_.size()));
  found_[rule] = [blocks, nearest](std::uint32_t record, std::vector<std::uint32_t>& partners) {
    blocks->append(record, partners);
    const auto more = (*nearest)[record];
    partners.insert(partners.end(), more.begin(), more.end());
  };
}

// Sets by which records of a large block are near.
HashedSets RecordLinker::sets_beside(const CandidateRule& rule) {
  constexpr std::uint64_t kCopies = 2;  // sets of all records, and sets of a block
  const std::vector<std::uint32_t> fields = other_fields(rule);
  const RecordNeeds needs = nearest_needs(table_, fields, kNearestOfBlock, pool_.size());
  memory_.require(kCopies * needs.peak_bytes, "neighbours in large blocks");
  memory_.hold(kBytesOfPartner * kNearestOfBlock * table_.size());
  return joined_character_sets(table_, fields, pool_);
}

// Compared fields that are not part of a rule, by which records of a large block are near; all
// where there is no other.
std::vector<std::uint32_t> RecordLinker::other_fields(const CandidateRule& rule) const {
  const std::vector<std::uint32_t> compared = rules_.compared();
  std::vector<std::uint32_t> others;
  std::copy_if(compared.begin(), compared.end(), std::back_inserter(others), [&](std::uint32_t f) {
    return std::find(rule.fields.begin(), rule.fields.end(), f) == rule.fields.end();
  });
  return others.empty() ? compared : others;
}

// Adds the nearest pairs within a block, whose records are ascending.
void RecordLinker::add_nearest_of(std::span<const std::uint32_t> block, const HashedSets& sets,
                                  Pairs& pairs) const {
  HashedSets of_block;
  of_block.starts.reserve(block.size() + 1);
  std::uint32_t split = 0;
  for (const std::uint32_t record : block) {
    split += table_.across && record < table_.left ? 1 : 0;
    of_block.hashes.insert(
        of_block.hashes.end(),
        sets.hashes.begin() + static_cast<std::ptrdiff_t>(sets.starts[record]),
        sets.hashes.begin() + static_cast<std::ptrdiff_t>(sets.starts[record + 1]));
    of_block.starts.push_back(of_block.hashes.size());
  }
  if (table_.across && (split == 0 || split == block.size())) return;
  NearestLists lists(of_block, split, ElementWeight::rare, pool_);
  lists.find(all_records(static_cast<std::uint32_t>(block.size())), kNearestOfBlock, pool_);
  const PartnerLists found = lists.pairs();
  for (std::uint32_t i = 0; i < block.size(); ++i) {
    for (const std::uint32_t partner : found[i]) pairs.emplace_back(block[i], block[partner]);
  }
}

void RecordLinker::prepare_nearest(std::size_t rule) {
  const CandidateRule& asked = rules_.candidates[rule];
  const RecordNeeds needs = nearest_needs(table_, asked.fields, asked.top, pool_.size());
  memory_.require(needs.peak_bytes, "neighbours");
  memory_.hold(needs.kept_bytes);
  auto nearest = std::make_unique<NearestRule>();
  nearest->rule = rule;
  nearest->lists =
      std::make_unique<NearestLists>(joined_character_sets(table_, asked.fields, pool_),
                                     table_.across ? table_.left : 0, ElementWeight::rare, pool_);
  nearest->lists->find(all_records(table_.size()), asked.top, pool_);
  nearest->pairs = nearest->lists->pairs();
  found_[rule] = partners_in(nearest->pairs);
  nearest_.push_back(std::move(nearest));
}

void RecordLinker::count_and_fit() {
  const CandidateUnion found(found_);
  counts_ = {};  // kept pairs are not there twice
  counts_ = count_candidates({table_, found, comparer_}, memory_.left() / kPartForAgreeing, pool_);
  if (nearest_.empty() && !random_) random_ = compare_random_pairs();
  choice_ = choose_model(counts_.counts, comparer_.level_counts(), random_ ? &*random_ : nullptr,
                         [this] { pool_.check_cancelled(); });
}

// Shares of equal values are counted over all pairs, as they are too rare to be seen in a sample;
// shares of other levels come from a sample.
RandomPairs RecordLinker::compare_random_pairs() const {
  constexpr std::size_t kSample = 100000;
  constexpr double kPseudoPairs = 0.05;
  const std::vector<std::uint32_t>& levels = comparer_.level_counts();
  const auto left = static_cast<double>(table_.left);
  RandomPairs random;
  random.all_pairs =
      table_.across ? left * static_cast<double>(table_.right) : left * (left - 1) / 2;
  for (const std::uint32_t count : levels) random.shares.emplace_back(count, kPseudoPairs);
  for (const RecordPair& pair :
       random_pairs(table_.left, table_.across ? table_.right : 0, kSample, /*seed=*/1)) {
    const std::uint32_t right = table_.across ? table_.left + pair.right : pair.right;
    const LevelPattern pattern = comparer_.pattern(pair.left, right);
    for (std::size_t f = 0; f < levels.size(); ++f) random.shares[f][level_of(pattern, f)] += 1;
  }
  const std::vector<std::uint32_t> compared = rules_.compared();
  for (std::size_t f = 0; f < levels.size(); ++f) {
    std::vector<double>& shares = random.shares[f];
    const double equal = equal_part(table_, table_.columns[compared[f]]);
    const double others = std::accumulate(shares.begin() + 1, shares.end() - 1, 0.0);
    for (double& share : shares) share *= (1 - equal) / others;
    shares.front() = 1;
    shares.back() = equal;
  }
  return random;
}

std::uint64_t RecordLinker::widen(NearestRule& nearest) {
  std::vector<std::uint32_t> wide = all_records(table_.size());
  std::uint64_t count = 0;
  for (std::uint32_t most = rules_.candidates[nearest.rule].top; most < kMostNearest; most *= 2) {
    std::erase_if(wide, [&](std::uint32_t record) {
      const auto found = nearest.lists->of(record);
      if (found.size() < most) return true;
      const std::uint32_t last = found.back();
      return probability(std::min(record, last), std::max(record, last)) < kLooksLikeMatch;
    });
    if (wide.empty()) break;
    count = std::max<std::uint64_t>(count, wide.size());
    nearest.lists->find(wide, 2 * most, pool_);
    memory_.require(kBytesOfPartner * nearest.lists->partners(), "neighbours");
  }
  if (count > 0) nearest.pairs = nearest.lists->pairs();
  return count;
}

std::vector<PatternLink> RecordLinker::score(double least_probability) {
  AgreeingPairs agreeing = std::exchange(counts_.agreeing, {});
  if (!choice_.has_two_classes) return {};
  const std::uint64_t needed = likely_pairs(counts_, model(), least_probability) *
                               (table_.across ? kBytesOfChosenLink : kBytesOfGroupedLink);
  memory_.require(needed, "links");
  if (needed + sizeof(PatternPair) * agreeing.pairs.size() > memory_.left()) agreeing = {};
  const CandidateUnion found(found_);
  return score_candidates({table_, found, comparer_}, {counts_, agreeing}, model(),
                          least_probability, pool_);
}

PatternLink RecordLinker::score_pair(std::uint32_t left, std::uint32_t right) const {
  const LevelPattern pattern = comparer_.pattern(left, right);
  const auto levels = levels_of(pattern, fields_);
  return {{left, right, model().bits(levels), model().probability(levels)}, pattern, 0};
}

double RecordLinker::probability(std::uint32_t left, std::uint32_t right) const {
  return model().probability(levels_of(comparer_.pattern(left, right), fields_));
}

}  // namespace sosie
