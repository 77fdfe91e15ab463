#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/record_table.h"
#include "options/link_rules.h"

namespace sosie {

// Reasons for low confidence in the answer of `sosie link`, from which the next step is chosen.
// Fields are positions in the rules.
struct LinkDoubts {
  bool has_candidates = true;
  bool has_links = true;
  bool by_scores = false;                       // there is no model
  std::vector<std::uint32_t> kin = {};          // fields in which members of a household differ
  std::optional<std::uint32_t> decisive = {};   // without this field, other pairs are linked
  std::optional<std::uint32_t> disputed = {};   // field that differs in pairs that models dispute
  std::optional<std::uint32_t> blurring = {};   // without this field, pairs are clear
  std::optional<std::uint32_t> strongest = {};  // the field with the most weight; nothing is linked
  std::optional<double> likeliest = {};         // probability of the best pair; the cut leaves none
};

// The cheapest step that removes the first of the doubts: --ignore with a column, a rule, or
// labels. The options in it can be used as they are. Never suggests --check-by, which would exclude
// from scoring the very field on which doubtful links depend.
[[nodiscard]] std::string next_step(const LinkRules& rules, const RecordTable& table,
                                    const LinkDoubts& doubts);

}  // namespace sosie
