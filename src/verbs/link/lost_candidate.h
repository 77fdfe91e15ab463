#pragma once

#include <string>

#include "core/thread_pool.h"
#include "data/record_table.h"
#include "data/scored_link.h"
#include "join/records/record_memory.h"
#include "options/link_rules.h"

namespace sosie {

// Explains why candidate rules did not find a pair, and how far it is from satisfying each rule.
class LostCandidate {
 public:
  // All arguments must outlive this object.
  LostCandidate(const RecordTable& table, const LinkRules& rules, const RecordMemory& memory,
                ThreadPool& pool)
      : table_(table), rules_(rules), memory_(memory), pool_(pool) {}

  // "different born", "4 edits apart, more than 2". `first` and `second` are shown as left and
  // right.
  [[nodiscard]] std::string reason(const CandidateRule& rule, std::uint32_t first,
                                   std::uint32_t second) const;

 private:
  [[nodiscard]] std::string of_equal(const CandidateRule& rule, std::uint32_t first,
                                     std::uint32_t second) const;
  [[nodiscard]] std::string of_sorted(const CandidateRule& rule, std::uint32_t first,
                                      std::uint32_t second) const;
  [[nodiscard]] std::string of_nearest(const CandidateRule& rule, std::uint32_t first,
                                       std::uint32_t second) const;
  [[nodiscard]] std::string of_strings(const CandidateRule& rule, const std::string& left,
                                       const std::string& right) const;
  [[nodiscard]] std::string of_sets(const CandidateRule& rule, const std::string& left,
                                    const std::string& right) const;
  [[nodiscard]] std::string in_large_block(std::uint64_t records) const;
  [[nodiscard]] std::string lacks(const CandidateRule& rule, std::uint32_t first,
                                  std::uint32_t second) const;

  const RecordTable& table_;
  const LinkRules& rules_;
  const RecordMemory& memory_;
  ThreadPool& pool_;
};

}  // namespace sosie
