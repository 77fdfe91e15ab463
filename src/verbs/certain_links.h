#pragma once

#include <vector>

#include "cluster/average_linkage.h"
#include "corpus/pair_rules.h"
#include "join/record_linker.h"

namespace sosie {

// Links that rules decide, whatever their score.
class CertainLinks {
 public:
  // All arguments outlive this; the linker has learnt. Throws Error{limit_exceeded} for more pairs
  // than there is memory for.
  CertainLinks(const RecordTable& table, const LinkRules& rules, const RecordLinker& linker,
               const ThreadPool& pool);

  // Takes pairs that never are links out of them and, of two collections, adds those that always
  // are. `links` stay sorted by (left, right).
  void obey(std::vector<PatternLink>& links) const;
  // Tells what groups must and must not hold.
  void add_to(LinkageTask& task) const;

  [[nodiscard]] const std::vector<RecordPair>& always() const noexcept { return always_; }
  [[nodiscard]] bool is_always(const PatternLink& link) const;

 private:
  const RecordTable& table_;
  const RecordLinker& linker_;
  PairRules pair_rules_;
  std::vector<RecordPair> always_;  // sorted
};

}  // namespace sosie
