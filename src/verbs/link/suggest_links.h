#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/link_table.h"
#include "verbs/link/link_decision.h"
#include "write/table.h"

namespace sosie {

// Columns of both collections as written, for people to judge pairs.
struct QuestionColumns {
  std::vector<RecordColumn> left = {};
  std::vector<RecordColumn> right = {};  // empty: there is one collection

  // Memory used by the columns.
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept {
    return memory_bytes_of(left) + memory_bytes_of(right);
  }
};

// Names of the columns for --suggest: left, right, label, score, probability, and left_FIELD and
// right_FIELD for each field.
[[nodiscard]] std::vector<std::string> suggestion_columns(const QuestionColumns& columns);

// At most `most` pairs of a decision, the most informative of those that nobody has judged
// (decide/suggest_pairs.h). Any number of pairs from the beginning is an equally good sample.
[[nodiscard]] std::vector<CandidateLink> suggested_links(const LinkDecisionTask& task,
                                                         const LinkDecision& decision,
                                                         std::uint64_t most);

// Writes these pairs. Returns their number.
std::uint64_t suggest_links(const LinkDecisionTask& task, const LinkDecision& decision,
                            const QuestionColumns& columns, const RecordNames& names,
                            std::uint64_t most, TableWriter& out);

}  // namespace sosie
