#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "data/audit_facts.h"
#include "data/run_summary.h"
#include "join/item_joiner.h"
#include "join/measured_pairs.h"
#include "plan/lsh_plan.h"

namespace sosie {

// What a run on vectors or bit strings has to say.
struct MeasuredSummary : JoinFacts {
  std::string verb;  // "dedup", "pairs", "query"
  std::uint64_t rows = 0;
  std::uint64_t against_rows = 0;
  bool has_against = false;
  BoundFacts facts;
  std::uint64_t candidates = 0;
  PairCounts pairs;
  std::optional<AuditFacts> audit;
  std::optional<RunSummary> dedup;  // what was kept and removed, per input too
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
  unsigned threads = 1;
};

// Fills in time and peak memory up to now.
void measure_run(MeasuredSummary& summary, std::chrono::steady_clock::time_point started);

// "recall 1", or what a run that hashes expects.
[[nodiscard]] std::string recall_text(const MeasuredSummary& summary);

[[nodiscard]] std::string measured_summary_text(const MeasuredSummary& summary);
[[nodiscard]] std::string measured_summary_json(const MeasuredSummary& summary);

}  // namespace sosie
