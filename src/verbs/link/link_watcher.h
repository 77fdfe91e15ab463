#pragma once

#include <span>

#include "cluster/average_linkage.h"
#include "report/link_table.h"
#include "sosie/join.h"
#include "verbs/link/link_decision.h"
#include "verbs/link/link_inputs.h"

namespace sosie {

// Decision of a run of link, while all that it was made by is still there.
struct LinkOutcome {
  const LinkDecisionTask& task;
  const LinkDecision& decision;
  const LinkFacts& facts;                // on the cut
  std::span<const CandidateLink> links;  // links of two collections, best first
  const RecordGroups* groups;            // groups of one; null: there are two
};

// Is told what a run of link reads and decides, in place of outputs.
class LinkWatcher {
 public:
  virtual ~LinkWatcher() = default;
  // Called when the fields are made, before candidates are looked for. What is named lives until
  // the run ends.
  virtual void read(const LinkInputs& inputs, const RecordNames& names, ThreadPool& pool) = 0;
  virtual void decided(const LinkOutcome& outcome) = 0;
};

// Does what link() does up to the decision, and tells the watcher; writes nothing.
RunReport watch_link(const Options& options, const RunHooks& hooks, LinkWatcher& watcher);

}  // namespace sosie
