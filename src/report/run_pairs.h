#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/run_groups.h"
#include "report/run_rows.h"
#include "sosie/saved_run.h"
#include "store/run/run_decisions.h"
#include "store/run/run_folder.h"

namespace sosie {

// Selects and sorts the pairs of a saved link run. The latest result is cached, so that its other
// pages cost nothing. Not thread-safe.
class RunPairs {
 public:
  RunPairs(const RunFolder& run, const RunGroups& groups, const RunDecisions& decisions)
      : run_(run), groups_(groups), decisions_(decisions) {}

  // The numbers of all requested pairs, in the requested order (ties: the order in which pairs were
  // saved). Throws Error{invalid_option} for an unknown sort, state or answer.
  [[nodiscard]] const std::vector<std::uint32_t>& select(const PairsAsked& asked);

 private:
  [[nodiscard]] bool is_asked(const PairsAsked& asked, std::uint32_t number) const;
  void keep_with_text(const std::string& text);
  void sort_by(const std::string& sort);

  const RunFolder& run_;
  const RunGroups& groups_;
  const RunDecisions& decisions_;
  std::string last_asked_;  // empty: nothing yet
  std::vector<std::uint32_t> last_;
};

// True if a person's judgement about the pair, made in the review or given to the run, contradicts
// the run's answer.
[[nodiscard]] bool is_overruled(const RunPair& pair, Verdict verdict) noexcept;

// The judgement about a pair for a file of labels or decisions, made in the review (`verdict`) or
// given to the run; empty if there is none.
[[nodiscard]] std::optional<Verdict> judgement_of(const RunPair& pair, Verdict verdict,
                                                  bool as_labels) noexcept;

// A page of the list of pairs, and a pair with its records side by side, as JSON objects. Fields:
// docs/serve-run.md.
[[nodiscard]] std::string pairs_page(const RunFolder& run, RunPairs& pairs,
                                     const RunDecisions& decisions, const PairsAsked& asked);
[[nodiscard]] std::string pair_page(const RunFolder& run, const RunDecisions& decisions,
                                    RunRows& rows, std::uint32_t number);

}  // namespace sosie
