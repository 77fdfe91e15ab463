#pragma once

#include <memory>
#include <string>

#include "core/thread_pool.h"
#include "data/record_table.h"
#include "join/records/record_memory.h"
#include "options/link_rules.h"
#include "verify/pair_score.h"

namespace sosie {

// A method of scoring, and why it was chosen.
struct LinkMethod {
  ScoreMethod method = ScoreMethod::fellegi_sunter;
  std::string reason;
  bool by_words = false;  // one column: its words are scored, without a model

  // True if scores are bits, whose odds are probabilities.
  [[nodiscard]] bool has_odds() const noexcept {
    return method == ScoreMethod::fellegi_sunter || by_words;
  }
};

// The method of the rules; `auto` becomes tfidf for one field, which no model can be learnt of,
// else fellegi-sunter.
[[nodiscard]] LinkMethod method_of(const LinkRules& rules);

// Score of pairs by a method that has no model; null for fellegi-sunter. `table` outlives it; what
// it makes of the table fits into the memory.
[[nodiscard]] std::unique_ptr<PairScore> pair_score_of(const LinkMethod& chosen,
                                                       const LinkRules& rules,
                                                       const RecordTable& table,
                                                       const RecordMemory& memory,
                                                       const ThreadPool& pool);

}  // namespace sosie
