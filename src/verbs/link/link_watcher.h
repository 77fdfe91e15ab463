#pragma once

#include <span>

#include "cluster/average_linkage.h"
#include "report/link_table.h"
#include "sosie/join.h"
#include "verbs/link/link_decision.h"
#include "verbs/link/link_inputs.h"

namespace sosie {

// The decision of a link run, with the data on which it is based.
struct LinkOutcome {
  const LinkDecisionTask& task;
  const LinkDecision& decision;
  const LinkFacts& facts;                // on the cut
  std::span<const CandidateLink> links;  // links between two collections, best first
  const RecordGroups* groups;            // groups of a single collection; null: there are two
};

// Receives the data and the decision of a link run, which then writes no output.
class LinkWatcher {
 public:
  virtual ~LinkWatcher() = default;
  // Called after the fields have been built and before candidates are searched for. The arguments
  // remain valid until the run ends.
  virtual void read(const LinkInputs& inputs, const RecordNames& names, ThreadPool& pool) = 0;
  virtual void decided(const LinkOutcome& outcome) = 0;
};

// Runs link() up to the decision and calls the watcher; writes nothing.
RunReport watch_link(const Options& options, const RunHooks& hooks, LinkWatcher& watcher);

}  // namespace sosie
