// Candidate pairs of records by the rules of a run.
#include "join/records/record_candidates.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>

#include "candidates/keyed_blocks.h"
#include "candidates/near_values.h"
#include "candidates/top_sets.h"
#include "core/mix64.h"
#include "corpus/items/record_fields.h"
#include "corpus/items/record_keys.h"
#include "corpus/items/value_numbers.h"
#include "join/near_values.h"

namespace sosie {
namespace {

constexpr std::uint32_t kNearestOfBlock = 10;
constexpr std::size_t kListedBlocks = 3;
constexpr std::uint64_t kDrawnPairs = 4096;  // pairs drawn from the large blocks of a rule

AppendPartners partners_in(const PartnerLists& pairs) {
  return [&pairs](std::uint32_t record, std::vector<std::uint32_t>& partners) {
    const auto found = pairs[record];
    partners.insert(partners.end(), found.begin(), found.end());
  };
}

ShingleRecipe three_characters() { return recipe_of(NearMeasure{}); }

}  // namespace

std::vector<std::uint32_t> all_records(std::uint32_t count) {
  std::vector<std::uint32_t> records(count);
  std::iota(records.begin(), records.end(), 0U);
  return records;
}

// Counts large blocks, keeps the largest, and draws pairs from each block in proportion to its
// share of all pairs. These shares are known only once all blocks are, so each block is first
// sampled on its own, and the excess is dropped after the last one.
class RecordCandidates::BlockDraw {
 public:
  BlockDraw(LargeBlocks& large, std::uint32_t split) : large_(large), split_(split) {}

  // `block.record` has the value that names the block; `records`: its records, ascending;
  // `is_pair`: true if two of them are one of its pairs.
  template <typename IsPair>
  void add(const LargeBlock& block, std::span<const std::uint32_t> records, const IsPair& is_pair) {
    const std::uint64_t pairs = block.pairs;
    if (pairs == 0) return;
    large_.blocks += 1;
    large_.largest = std::max<std::uint64_t>(large_.largest, records.size());
    large_.pairs += pairs;
    list(block);
    const auto lefts = static_cast<std::size_t>(
        std::lower_bound(records.begin(), records.end(), split_) - records.begin());
    const auto left = records.first(split_ == 0 ? records.size() : lefts);
    const auto right = records.subspan(split_ == 0 ? 0 : lefts);
    // A pair's priority is its number among evenly spaced numbers, whose density grows with the
    // block: the kDrawnPairs lowest priorities over all blocks are a uniform sample.
    std::uint64_t tries = 0;
    double priority = 0;
    for (std::uint64_t taken = 0; taken < kDrawnPairs && tries < kMostTries; ++tries) {
      const std::uint64_t seed = records.front();
      const std::uint32_t a = left[random64(seed, 2 * tries) % left.size()];
      const std::uint32_t b = right[random64(seed, 2 * tries + 1) % right.size()];
      if (a == b || !is_pair(std::min(a, b), std::max(a, b))) continue;
      ++taken;
      priority += 1 / static_cast<double>(pairs);
      drawn_.push_back({priority, {std::min(a, b), std::max(a, b)}});
    }
    if (drawn_.size() > 2 * kDrawnPairs) keep_least();
  }

  void finish() {
    keep_least();
    large_.drawn.reserve(drawn_.size());
    for (const Drawn& drawn : drawn_) large_.drawn.push_back(drawn.pair);
  }

 private:
  static constexpr std::uint64_t kMostTries = 8 * kDrawnPairs;
  struct Drawn {
    double priority;
    std::pair<std::uint32_t, std::uint32_t> pair;
    friend bool operator<(const Drawn& a, const Drawn& b) {
      return std::pair(a.priority, a.pair) < std::pair(b.priority, b.pair);
    }
  };

  void list(const LargeBlock& block) {
    large_.listed.push_back(block);
    std::stable_sort(
        large_.listed.begin(), large_.listed.end(),
        [](const LargeBlock& a, const LargeBlock& b) { return a.records > b.records; });
    if (large_.listed.size() > kListedBlocks) large_.listed.pop_back();
  }

  void keep_least() {
    std::sort(drawn_.begin(), drawn_.end());
    if (drawn_.size() > kDrawnPairs) drawn_.resize(kDrawnPairs);
  }

  LargeBlocks& large_;
  std::uint32_t split_;
  std::vector<Drawn> drawn_;
};

RecordCandidates::RecordCandidates(const RecordTable& table, const LinkRules& rules,
                                   const CandidateMeans& means)
    : table_(table),
      rules_(rules),
      memory_(means.memory),
      pool_(means.pool),
      scratch_(means.scratch),
      left_asks_(means.left_asks),
      partners_(rules.candidates.size()),
      findings_(rules.candidates.size()) {}

void RecordCandidates::find() {
  for (std::size_t rule = 0; rule < partners_.size(); ++rule) {
    const auto begun = std::chrono::steady_clock::now();
    switch (rules_.candidates[rule].kind) {
      case CandidateRule::Kind::near:
        find_near(rule);
        break;
      case CandidateRule::Kind::sorted:
        find_sorted(rule);
        break;
      case CandidateRule::Kind::equal:
        find_equal(rule);
        break;
    }
    findings_[rule].seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  }
}

void RecordCandidates::find_sorted(std::size_t rule) {
  constexpr std::uint64_t kBytesOfPlace = 8;
  const CandidateRule& asked = rules_.candidates[rule];
  memory_.require(2 * kBytesOfPlace * table_.size(), "order");
  memory_.hold(kBytesOfPlace * table_.size());
  const auto window = std::make_shared<SortedWindow>(sorted_records(table_, asked.fields),
                                                     table_.size(), split(), asked.window);
  partners_[rule] = [window](std::uint32_t record, std::vector<std::uint32_t>& partners) {
    window->append(record, partners);
  };
  std::vector<std::uint32_t> partners;
  const std::uint32_t lefts = table_.across ? table_.left : table_.size();
  for (std::uint32_t record = 0; record < lefts; ++record) {
    partners.clear();
    window->append(record, partners);
    findings_[rule].pairs += partners.size();
  }
  findings_[rule].largest_block = std::min<std::uint64_t>(asked.window + 1ULL, table_.size());
}

void RecordCandidates::find_equal(std::size_t rule) {
  constexpr std::uint64_t kBytesOfKey = 16;  // key of a record, and its place in a block
  const CandidateRule& asked = rules_.candidates[rule];
  RuleFindings& findings = findings_[rule];
  memory_.require(2 * kBytesOfKey * table_.size(), "keys");
  memory_.hold(kBytesOfKey * table_.size());
  const auto blocks = std::make_shared<KeyedBlocks>(
      equal_record_keys(table_, asked.fields, asked.prefix), split(), rules_.max_block);
  BlockDraw draw(findings.large, split());
  Pairs pairs;
  HashedSets sets;
  for (std::uint32_t key = 1; key < blocks->keys(); ++key) {
    const auto block = blocks->block(key);
    findings.largest_block = std::max<std::uint64_t>(findings.largest_block, block.size());
    if (!blocks->is_large(key)) {
      findings.pairs += blocks->pairs_of(key);
      continue;
    }
    if (sets.size() == 0) sets = sets_beside(asked);
    const Pairs found = nearest_within(block, sets);
    pairs.insert(pairs.end(), found.begin(), found.end());
    draw.add({block.front(), block.size(), blocks->pairs_of(key)}, block,
             [](std::uint32_t, std::uint32_t) { return true; });
  }
  draw.finish();
  const auto nearest = std::make_shared<PartnerLists>(lists_of(pairs, table_.size()));
  findings.pairs += nearest->partners.size();
  partners_[rule] = [blocks, nearest](std::uint32_t record, std::vector<std::uint32_t>& partners) {
    blocks->append(record, partners);
    const auto more = (*nearest)[record];
    partners.insert(partners.end(), more.begin(), more.end());
  };
}

// The sets by which records of a large block are compared.
HashedSets RecordCandidates::sets_beside(const CandidateRule& rule) {
  constexpr std::uint64_t kCopies = 2;  // sets of all records, and sets of a block
  const std::vector<std::uint32_t> fields = other_fields(rule);
  const RecordNeeds needs = nearest_needs(table_, fields, kNearestOfBlock, pool_.size());
  memory_.require(kCopies * needs.peak_bytes, "neighbours in large blocks");
  memory_.hold(kBytesOfPartner * kNearestOfBlock * table_.size());
  return joined_sets(table_, fields, three_characters(), pool_);
}

// Compared fields that are not part of a rule, used to compare the records of a large block; all
// fields if there are no others.
std::vector<std::uint32_t> RecordCandidates::other_fields(const CandidateRule& rule) const {
  const std::vector<std::uint32_t> compared = rules_.compared();
  std::vector<std::uint32_t> others;
  std::copy_if(compared.begin(), compared.end(), std::back_inserter(others), [&](std::uint32_t f) {
    return std::find(rule.fields.begin(), rule.fields.end(), f) == rule.fields.end();
  });
  return others.empty() ? compared : others;
}

// The nearest pairs within a block, whose records are ascending.
RecordCandidates::Pairs RecordCandidates::nearest_within(std::span<const std::uint32_t> block,
                                                         const HashedSets& sets) const {
  HashedSets of_block;
  of_block.starts.reserve(block.size() + 1);
  std::uint32_t lefts = 0;
  for (const std::uint32_t record : block) {
    lefts += table_.across && record < table_.left ? 1 : 0;
    of_block.hashes.insert(
        of_block.hashes.end(),
        sets.hashes.begin() + static_cast<std::ptrdiff_t>(sets.starts[record]),
        sets.hashes.begin() + static_cast<std::ptrdiff_t>(sets.starts[record + 1]));
    of_block.starts.push_back(of_block.hashes.size());
  }
  if (table_.across && (lefts == 0 || lefts == block.size())) return {};
  NearestRecords lists(of_block, lefts, {.pruned = NearMeasure::kUsualPrune}, pool_);
  lists.find(all_records(static_cast<std::uint32_t>(block.size())), kNearestOfBlock, pool_);
  const PartnerLists found = lists.pairs();
  Pairs pairs;
  pairs.reserve(found.partners.size());
  for (std::uint32_t i = 0; i < block.size(); ++i) {
    for (const std::uint32_t partner : found[i]) pairs.emplace_back(block[i], block[partner]);
  }
  return pairs;
}

void RecordCandidates::find_near(std::size_t rule) {
  const CandidateRule& asked = rules_.candidates[rule];
  const bool finds_all = asked.near.is_of_strings() || asked.near.has_bound();
  if (finds_all) {
    find_near_values(rule);
  } else {
    find_nearest(rule);
  }
}

void RecordCandidates::find_near_values(std::size_t rule) {
  constexpr std::uint64_t kBytesOfRecord = 40;  // number of its value, and its place in a block
  const CandidateRule& asked = rules_.candidates[rule];
  RuleFindings& findings = findings_[rule];
  memory_.require(kBytesOfRecord * table_.size(), "values");
  memory_.hold(kBytesOfRecord * table_.size());
  std::vector<std::uint32_t> keys;
  std::vector<KeyPair> near;
  {
    const JoinedValues joined(table_, asked.fields);
    keys = joined.keys();
    near = near_values(joined, asked, {memory_, scratch_}, pool_);
  }
  memory_.hold(2 * sizeof(KeyPair) * near.size());
  const auto values =
      std::make_shared<NearValues>(std::move(keys), split(), rules_.max_block, near);
  std::vector<KeyPair>().swap(near);
  BlockDraw draw(findings.large, split());
  Pairs pairs;
  HashedSets sets;
  values->for_each_large([&](const NearValues::Large& large) {
    if (sets.size() == 0) sets = sets_beside(asked);
    const auto is_pair = [&](std::uint32_t a, std::uint32_t b) {
      const std::uint32_t x = values->key_of(a);
      const std::uint32_t y = values->key_of(b);
      if (x != large.key && y != large.key) return false;
      return std::binary_search(large.others.begin(), large.others.end(), x == large.key ? y : x);
    };
    for (const auto& pair : nearest_within(large.records, sets)) {
      if (is_pair(pair.first, pair.second)) pairs.push_back(pair);
    }
    const auto named =
        std::find_if(large.records.begin(), large.records.end(),
                     [&](std::uint32_t r) { return values->key_of(r) == large.key; });
    draw.add({*named, large.records.size(), large.pairs}, large.records, is_pair);
  });
  draw.finish();
  const auto nearest = std::make_shared<PartnerLists>(lists_of(pairs, table_.size()));
  findings.pairs = values->pairs() + nearest->partners.size();
  findings.largest_block = values->largest();
  partners_[rule] = [values, nearest](std::uint32_t record, std::vector<std::uint32_t>& partners) {
    values->append(record, partners);
    const auto more = (*nearest)[record];
    partners.insert(partners.end(), more.begin(), more.end());
  };
}

void RecordCandidates::find_nearest(std::size_t rule) {
  const CandidateRule& asked = rules_.candidates[rule];
  const NearMeasure& near = asked.near;
  // Only one side searches, for both: half of the pairs would be found from the other side alone.
  const std::uint32_t top = left_asks_ ? 2 * asked.top : asked.top;
  const RecordNeeds needs = nearest_needs(table_, asked.fields, top, pool_.size());
  memory_.require(needs.peak_bytes, "neighbours");
  memory_.hold(needs.kept_bytes);
  auto nearest = std::make_unique<NearestRule>();
  nearest->rule = rule;
  if (near.is_tfidf() || near.measure == "cosine") {
    nearest->lists = std::make_unique<NearestRecords>(
        joined_sets(table_, asked.fields, recipe_of(near), pool_), split(), search_of(near), pool_);
  } else {
    const JoinedValues values(table_, asked.fields);
    nearest->measure = std::make_unique<const Measure>(set_measure_of(near));
    nearest->lists = std::make_unique<TopValues>(sets_of(values, recipe_of(near), pool_),
                                                 values.keys(), split(), *nearest->measure, pool_);
  }
  nearest->lists->find(all_records(left_asks_ ? table_.left : table_.size()), top, pool_);
  nearest->pairs = nearest->lists->pairs();
  findings_[rule].pairs = nearest->pairs.partners.size();
  findings_[rule].largest_block = std::min<std::uint64_t>(top + 1ULL, table_.size());
  partners_[rule] = partners_in(nearest->pairs);
  nearest_.push_back(std::move(nearest));
}

}  // namespace sosie
