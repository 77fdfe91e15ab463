#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_pool.h"
#include "data/judgements.h"
#include "data/record_table.h"
#include "data/scored_link.h"
#include "options/link_rules.h"

namespace sosie {

// Pairs of records that always or never are links, whatever their score. A pair that both name
// never is one; what a person said of a pair wins over rules.
class PairRules {
 public:
  // Both outlive this.
  PairRules(const RecordTable& table, const LinkRules& rules);

  // Adds judgements of a person.
  void know(Judgements known);
  [[nodiscard]] bool is_known(const RecordPair& pair) const {
    return known_.verdict(pair).has_value();
  }

  // A never rule names the pair: of one of them all fields are there and differ. Lists differ that
  // share no member, and fields with swapped columns that are equal neither way round.
  [[nodiscard]] bool is_never(std::uint32_t left, std::uint32_t right) const;
  [[nodiscard]] bool has_never() const noexcept {
    return !rules_.never.empty() || !known_.is_empty();
  }
  [[nodiscard]] bool has_always() const noexcept {
    return !rules_.always.empty() || !known_.is_empty();
  }
  // True if both records have equal values in all fields of an always rule, and no never rule parts
  // them.
  [[nodiscard]] bool is_always(std::uint32_t left, std::uint32_t right) const;
  // This never rule names the pair.
  [[nodiscard]] bool parts(const PairRule& rule, std::uint32_t left, std::uint32_t right) const;
  // Classes of records that never rules cannot tell apart, by record, and one record of each.
  [[nodiscard]] const std::vector<std::uint32_t>& classes() const noexcept { return classes_; }
  [[nodiscard]] bool is_never_class(std::uint32_t left, std::uint32_t right) const {
    return is_never(record_of_[left], record_of_[right]);
  }

  // Number of pairs that always() has at most.
  [[nodiscard]] std::uint64_t most_always() const;
  // Pairs that an always rule names and no never rule, or a person, sorted by (left, right). With
  // one collection only some, which chain all records that can share a group. Throws
  // Error{cancelled}.
  [[nodiscard]] std::vector<RecordPair> always(const ThreadPool& pool) const;

 private:
  void list_classes();
  [[nodiscard]] bool differ(std::uint32_t field, std::uint32_t left, std::uint32_t right) const;
  void chain(const std::vector<std::uint32_t>& block, std::vector<RecordPair>& pairs,
             const ThreadPool& pool) const;
  void cross(const std::vector<std::uint32_t>& block, std::vector<RecordPair>& pairs,
             const ThreadPool& pool) const;

  void add_known(std::vector<RecordPair>& pairs) const;

  const RecordTable& table_;
  const LinkRules& rules_;
  Judgements known_;
  std::vector<std::vector<std::uint32_t>> always_keys_;  // by always rule and record
  std::vector<std::uint32_t> classes_;
  std::vector<std::uint32_t> record_of_;  // by class
};

}  // namespace sosie
