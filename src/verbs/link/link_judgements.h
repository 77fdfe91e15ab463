#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decide/link_labels.h"
#include "report/link_table.h"
#include "sosie/join.h"
#include "sosie/options.h"

namespace sosie {

// A person's judgements that were given to a link run: labels, from which it learns, and decisions
// on an earlier run. The run applies both.
struct LinkJudgements {
  std::optional<LinkLabels> labels = {};        // --labels FILE
  std::optional<LinkDecisions> decisions = {};  // --reuse FILE
  Judgements known = {};                        // labels and decisions together
  std::vector<std::string> messages = {};       // about anything unusual in them

  // True if there are labels for both matches and other pairs.
  [[nodiscard]] bool teach() const noexcept { return labels && labels->are_of_both_kinds(); }
};

// Reads the files of --labels and --reuse. Throws Error{invalid_option} for standard input and for
// several --reuse files, and throws as read_labels() does.
[[nodiscard]] LinkJudgements read_judgements(const Options& options, const NamedRecords& records,
                                             const RunHooks& hooks);

// Counts from the files, for a summary.
[[nodiscard]] JudgementFacts facts_of(const LinkJudgements& judgements);

}  // namespace sosie
