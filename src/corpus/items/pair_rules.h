#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_pool.h"
#include "data/judgements.h"
#include "data/record_table.h"
#include "data/scored_link.h"
#include "options/link_rules.h"

namespace sosie {

// Pairs of records that are always or never links regardless of their score. If both kinds of rules
// match a pair, it is never a link. A person's judgement on a pair takes precedence over both.
class PairRules {
 public:
  // Both arguments must outlive this object.
  PairRules(const RecordTable& table, const LinkRules& rules);

  // Adds the judgements of a person.
  void know(Judgements known);
  [[nodiscard]] bool is_known(const RecordPair& pair) const {
    return known_.verdict(pair).has_value();
  }

  // True if a never rule matches the pair: both records have all of its fields, and all differ.
  // Lists differ if they have no member in common; fields with swapped columns, if they are equal
  // in neither order.
  [[nodiscard]] bool is_never(std::uint32_t left, std::uint32_t right) const;
  [[nodiscard]] bool has_never() const noexcept {
    return !rules_.never.empty() || !known_.is_empty();
  }
  [[nodiscard]] bool has_always() const noexcept {
    return !rules_.always.empty() || !known_.is_empty();
  }
  // True if both records have equal values in all fields of an always rule and no never rule
  // matches them.
  [[nodiscard]] bool is_always(std::uint32_t left, std::uint32_t right) const;
  // True if this never rule matches the pair.
  [[nodiscard]] bool parts(const PairRule& rule, std::uint32_t left, std::uint32_t right) const;
  // The class of each record, where never rules cannot tell records of the same class apart, and
  // one record of each class.
  [[nodiscard]] const std::vector<std::uint32_t>& classes() const noexcept { return classes_; }
  [[nodiscard]] bool is_never_class(std::uint32_t left, std::uint32_t right) const {
    return is_never(record_of_[left], record_of_[right]);
  }

  // Maximum number of pairs that always() returns.
  [[nodiscard]] std::uint64_t most_always() const;
  // Pairs that an always rule and no never rule matches, or that a person has joined, sorted by
  // (left, right). With one collection, only a subset that connects all records that can share a
  // group. Throws Error{cancelled}.
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
