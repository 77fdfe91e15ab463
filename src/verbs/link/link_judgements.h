#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decide/link_labels.h"
#include "report/link_table.h"
#include "sosie/join.h"
#include "sosie/options.h"

namespace sosie {

// Judgements of a person that a run of link is given: labels, which it learns from, and decisions
// on an earlier run. It applies both.
struct LinkJudgements {
  std::optional<LinkLabels> labels = {};        // --labels FILE
  std::optional<LinkDecisions> decisions = {};  // --reuse FILE
  Judgements known = {};                        // labels and decisions together
  std::vector<std::string> messages = {};       // on what is odd about them

  // True if there are labels that tell matches from others.
  [[nodiscard]] bool teach() const noexcept { return labels && labels->are_of_both_kinds(); }
};

// Reads the files of --labels and --reuse. Throws Error{invalid_option} for standard input and
// several files of --reuse, and as read_labels() does.
[[nodiscard]] LinkJudgements read_judgements(const Options& options, const NamedRecords& records,
                                             const RunHooks& hooks);

// Counts of the files, for a summary.
[[nodiscard]] JudgementFacts facts_of(const LinkJudgements& judgements);

}  // namespace sosie
