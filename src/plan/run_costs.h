#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "plan/planned_run.h"
#include "plan/row_survey.h"

namespace sosie {

// The stages of a run, in order: reading and hashing rows; finding candidates; verifying pairs and
// deciding which rows are kept; writing results.
enum class RunPhase : std::uint8_t { reading, candidates, verifying, writing };
inline constexpr std::array<std::string_view, 4> kRunPhases = {"reading", "candidates", "verifying",
                                                               "writing"};

// The predicted costs of a stage. Bytes read are from inputs and scratch, bytes written are to
// outputs and scratch.
struct PhaseCosts {
  double cpu_seconds = 0;
  double read_bytes = 0;
  double written_bytes = 0;
  double peak_bytes = 0;
  double scratch_bytes = 0;  // maximum at any time
};

// Predicted costs of a run.
struct RunCosts {
  double cpu_seconds = 0;     // total seconds of all threads
  double sketch_seconds = 0;  // for reading all rows and computing signatures; 0: none
  std::uint64_t peak_bytes = 0;
  std::uint64_t scratch_bytes = 0;
  bool spills = false;  // its rows go to scratch
  std::array<PhaseCosts, kRunPhases.size()> phases = {};
};

// The rate at which the reference processor of `cpu_seconds` computes md5.
inline constexpr int kMegabytesOfMd5 = 430;

// Predicts costs from compiled-in constants, using + - * / on doubles in a fixed order, so that
// every machine makes the same prediction. The costs are for one worker; each additional worker
// takes a few MB more.
[[nodiscard]] RunCosts run_costs(const RowSurvey& survey, const PlannedRun& run) noexcept;
// Nanoseconds that a run by lsh takes to read all rows and compute their signatures.
[[nodiscard]] double sketch_ns(const RowSurvey& survey, const PlannedRun& run) noexcept;

}  // namespace sosie
