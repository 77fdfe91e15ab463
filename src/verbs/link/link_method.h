#pragma once

#include <memory>
#include <string>

#include "data/record_table.h"
#include "options/link_rules.h"
#include "verify/pair_score.h"

namespace sosie {

// A method of scoring, and why it was chosen.
struct ChosenMethod {
  ScoreMethod method = ScoreMethod::fellegi_sunter;
  std::string reason;
};

// The method of the rules; `auto` becomes tfidf for one long text of two collections that are
// linked one to one (whose cut the runners-up can tell), else fellegi-sunter. `across`: two
// collections.
[[nodiscard]] ChosenMethod method_of(const LinkRules& rules, bool across);

// Score of pairs by a method that has no model; null for fellegi-sunter. `table` outlives it.
[[nodiscard]] std::unique_ptr<PairScore> pair_score_of(ScoreMethod method, const LinkRules& rules,
                                                       const RecordTable& table);

}  // namespace sosie
