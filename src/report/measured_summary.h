#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "data/audit_facts.h"
#include "data/run_summary.h"
#include "join/measured_pairs.h"
#include "options/vector_settings.h"
#include "plan/lsh_plan.h"

namespace sosie {

// What a run on vectors or bit strings has to say.
struct MeasuredSummary {
  std::string verb;  // "dedup", "pairs", "query"
  std::string kind;  // "vectors", "bits"
  std::uint64_t rows = 0;
  std::uint64_t against_rows = 0;
  bool has_against = false;
  std::uint64_t bytes = 0;
  std::size_t dimension = 0;
  std::string components;  // "uint8", "bit"
  BoundFacts facts;
  std::string method;
  std::string method_line;  // what it does, in words
  std::optional<LshPlan> lsh;
  std::uint64_t seed = 1;  // of lsh
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

// Says what is done: "lsh: 53 bands of 16 functions, hyperplane, 57 of 256 sketch bits may differ".
void set_lsh(const LshPlan& plan, std::uint64_t seed, MeasuredSummary& summary);

// Says what is done; `plan`: of lsh, else null.
void set_method(const VectorSettings& settings, const LshPlan* plan, MeasuredSummary& summary);

// "recall 1", or what a run that hashes expects.
[[nodiscard]] std::string recall_text(const MeasuredSummary& summary);

[[nodiscard]] std::string measured_summary_text(const MeasuredSummary& summary);
[[nodiscard]] std::string measured_summary_json(const MeasuredSummary& summary);

}  // namespace sosie
