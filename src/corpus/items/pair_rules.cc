// Decides by the values of some fields which pairs are always or never links.
#include "corpus/items/pair_rules.h"

#include <algorithm>
#include <map>
#include <utility>

#include "candidates/keyed_blocks.h"
#include "corpus/items/record_keys.h"

namespace sosie {
namespace {

std::vector<std::uint32_t> fields_of(const std::vector<PairRule>& rules) {
  std::vector<std::uint32_t> fields;
  for (const PairRule& rule : rules) fields.insert(fields.end(), rule.begin(), rule.end());
  std::sort(fields.begin(), fields.end());
  fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
  return fields;
}

bool share_a_value(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right) {
  return std::any_of(left.begin(), left.end(), [&](std::uint32_t value) {
    return std::find(right.begin(), right.end(), value) != right.end();
  });
}

}  // namespace

PairRules::PairRules(const RecordTable& table, const LinkRules& rules)
    : table_(table), rules_(rules) {
  for (const PairRule& rule : rules.always) {
    always_keys_.push_back(equal_record_keys(table, rule, 0));
  }
  if (!has_never()) return;
  classes_ = record_classes(table, fields_of(rules.never));
  list_classes();
}

void PairRules::list_classes() {
  for (std::uint32_t record = 0; record < classes_.size(); ++record) {
    if (classes_[record] >= record_of_.size()) record_of_.resize(classes_[record] + 1);
    record_of_[classes_[record]] = record;
  }
}

// Records of a judged pair are equivalent to no other record; records of a judged group are
// equivalent to each other.
void PairRules::know(Judgements known) {
  known_ = std::move(known);
  if (known_.is_empty()) return;
  classes_.resize(table_.size());
  std::uint32_t next = record_of_.empty() ? 1 : static_cast<std::uint32_t>(record_of_.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> of_groups;
  for (std::uint32_t record = 0; record < known_.groups.size(); ++record) {
    if (known_.groups[record] == 0) continue;
    const auto [at, fresh] = of_groups.try_emplace({classes_[record], known_.groups[record]}, next);
    next += fresh ? 1 : 0;
    classes_[record] = at->second;
  }
  for (const Judgement& judged : known_.pairs) {
    classes_[judged.pair.left] = next++;
    classes_[judged.pair.right] = next++;
  }
  list_classes();
}

bool PairRules::differ(std::uint32_t field, std::uint32_t left, std::uint32_t right) const {
  const RecordColumn& column = table_.columns[field];
  const std::uint32_t a = column.values[left];
  const std::uint32_t b = column.values[right];
  if (a == RecordColumn::kMissing || b == RecordColumn::kMissing || a == b) return false;
  if (!column.swapped.empty() && (column.swapped[left] == b || column.swapped[right] == a)) {
    return false;
  }
  return !share_a_value(column.members_of(a), column.members_of(b));
}

bool PairRules::is_never(std::uint32_t left, std::uint32_t right) const {
  if (!known_.is_empty()) {
    const auto verdict = known_.verdict({std::min(left, right), std::max(left, right)});
    if (verdict) return !*verdict;
  }
  return std::any_of(rules_.never.begin(), rules_.never.end(),
                     [&](const PairRule& rule) { return parts(rule, left, right); });
}

bool PairRules::is_always(std::uint32_t left, std::uint32_t right) const {
  if (!known_.is_empty()) {
    const auto verdict = known_.verdict({std::min(left, right), std::max(left, right)});
    if (verdict) return *verdict;
  }
  return std::any_of(always_keys_.begin(), always_keys_.end(),
                     [&](const std::vector<std::uint32_t>& keys) {
                       return keys[left] != 0 && keys[left] == keys[right];
                     }) &&
         !is_never(left, right);
}

bool PairRules::parts(const PairRule& rule, std::uint32_t left, std::uint32_t right) const {
  return std::all_of(rule.begin(), rule.end(),
                     [&](std::uint32_t field) { return differ(field, left, right); });
}

std::uint64_t PairRules::most_always() const {
  std::uint64_t most = known_.pairs.size() + known_.groups.size();
  if (!table_.across) return most + std::uint64_t{table_.size()} * rules_.always.size();
  for (const std::vector<std::uint32_t>& keys : always_keys_) {
    const KeyedBlocks blocks(keys, table_.left, 0);
    for (std::uint32_t key = 1; key < blocks.keys(); ++key) most += blocks.pairs_of(key);
  }
  return most;
}

std::vector<RecordPair> PairRules::always(const ThreadPool& pool) const {
  std::vector<RecordPair> pairs;
  for (const std::vector<std::uint32_t>& keys : always_keys_) {
    const KeyedBlocks blocks(keys, table_.across ? table_.left : 0, 0);
    for (std::uint32_t key = 1; key < blocks.keys(); ++key) {
      const auto found = blocks.block(key);
      const std::vector<std::uint32_t> block(found.begin(), found.end());
      if (table_.across) {
        cross(block, pairs, pool);
      } else {
        chain(block, pairs, pool);
      }
    }
  }
  add_known(pairs);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

// Adds pairs that a person judged as matches, and pairs that connect the members of each group.
void PairRules::add_known(std::vector<RecordPair>& pairs) const {
  for (const Judgement& judged : known_.pairs) {
    if (judged.is_match) pairs.push_back(judged.pair);
  }
  std::map<std::uint32_t, std::uint32_t> first_of;
  for (std::uint32_t record = 0; record < known_.groups.size(); ++record) {
    if (known_.groups[record] == 0) continue;
    const auto [at, fresh] = first_of.try_emplace(known_.groups[record], record);
    if (!fresh && !is_never(at->second, record)) pairs.push_back({at->second, record});
  }
}

void PairRules::cross(const std::vector<std::uint32_t>& block, std::vector<RecordPair>& pairs,
                      const ThreadPool& pool) const {
  const auto right = std::lower_bound(block.begin(), block.end(), table_.left);
  for (auto left = block.begin(); left != right; ++left) {
    pool.check_cancelled();
    for (auto other = right; other != block.end(); ++other) {
      if (!is_never(*left, *other)) pairs.push_back({*left, *other});
    }
  }
}

// Puts each record into the first group of the block that contains no record it may never be linked
// with; records of the same class stay together.
void PairRules::chain(const std::vector<std::uint32_t>& block, std::vector<RecordPair>& pairs,
                      const ThreadPool& pool) const {
  std::vector<std::vector<std::uint32_t>> groups;  // one record of each class of a group
  const auto may_join = [&](const std::vector<std::uint32_t>& group, std::uint32_t record) {
    return std::none_of(group.begin(), group.end(),
                        [&](std::uint32_t other) { return is_never(other, record); });
  };
  std::vector<std::uint32_t> order = block;
  if (has_never()) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return classes_[a] < classes_[b]; });
  }
  std::size_t group = 0;  // group of the record before
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_known = i > 0 && (!has_never() || classes_[order[i]] == classes_[order[i - 1]]);
    if (!is_known) {
      pool.check_cancelled();
      const auto found = std::find_if(groups.begin(), groups.end(),
                                      [&](const auto& some) { return may_join(some, order[i]); });
      group = static_cast<std::size_t>(found - groups.begin());
      if (found == groups.end()) groups.emplace_back();
      groups[group].push_back(order[i]);
    }
    const std::uint32_t first = groups[group].front();
    if (first != order[i]) pairs.push_back({std::min(first, order[i]), std::max(first, order[i])});
  }
}

}  // namespace sosie
