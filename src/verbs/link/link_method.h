#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/thread_pool.h"
#include "data/record_table.h"
#include "join/records/record_memory.h"
#include "options/link_rules.h"
#include "verify/pair_score.h"

namespace sosie {

// A scoring method, and the reason for choosing it.
struct LinkMethod {
  ScoreMethod method = ScoreMethod::fellegi_sunter;
  std::string reason;
  bool by_words = false;  // a single column, whose words are scored without a model

  // True if scores are bits, whose odds correspond to probabilities.
  [[nodiscard]] bool has_odds() const noexcept {
    return method == ScoreMethod::fellegi_sunter || by_words;
  }
  // The number in a cut that is neither "auto" nor a precision: the lowest probability that, as
  // written, is at least the cut; without odds, a share of the highest score.
  [[nodiscard]] double asked_cut(std::string_view cut) const;
};

// The scoring method of the rules. `auto` becomes tfidf if there is only one field, from which no
// model can be learnt; otherwise, it becomes fellegi-sunter.
[[nodiscard]] LinkMethod method_of(const LinkRules& rules);

// Scores pairs by a method without a model; null for fellegi-sunter. `table` must outlive the
// result; the data derived from the table must fit in memory.
[[nodiscard]] std::unique_ptr<PairScore> pair_score_of(const LinkMethod& chosen,
                                                       const LinkRules& rules,
                                                       const RecordTable& table,
                                                       const RecordMemory& memory,
                                                       const ThreadPool& pool);

}  // namespace sosie
