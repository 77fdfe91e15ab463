#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/record_table.h"
#include "options/link_rules.h"

namespace sosie {

// Causes of low confidence in the answer of `sosie link`, by which the next step is chosen. Fields
// are positions in the rules.
struct LinkDoubts {
  bool has_candidates = true;
  bool has_links = true;
  bool by_scores = false;                       // there is no model
  std::vector<std::uint32_t> kin = {};          // fields in which members of a household differ
  std::optional<std::uint32_t> decisive = {};   // field without which other pairs are linked
  std::optional<std::uint32_t> disputed = {};   // field that differs in pairs that models dispute
  std::optional<std::uint32_t> blurring = {};   // field without which pairs are clear
  std::optional<std::uint32_t> strongest = {};  // field that weighs most; nothing is linked
  std::optional<double> likeliest = {};         // probability of the best pair; a cut leaves none
};

// The cheapest step that removes the first of the doubts: --ignore with a column, a rule, or
// labels. The options named in it can be run as they are. --check-by is never suggested, because it
// would exclude from scoring the very field on which doubtful links depend.
[[nodiscard]] std::string next_step(const LinkRules& rules, const RecordTable& table,
                                    const LinkDoubts& doubts);

}  // namespace sosie
