#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "plan/planned_run.h"
#include "plan/row_survey.h"

namespace sosie {

// Stages of a run, in order: rows are read and hashed; candidates are found; pairs are verified,
// and who is kept is decided on the way; results are written.
enum class RunPhase : std::uint8_t { reading, candidates, verifying, writing };
inline constexpr std::array<std::string_view, 4> kRunPhases = {"reading", "candidates", "verifying",
                                                               "writing"};

// Predicted costs of one stage. Bytes are read from inputs and scratch, and written to outputs and
// scratch.
struct PhaseCosts {
  double cpu_seconds = 0;
  double read_bytes = 0;
  double written_bytes = 0;
  double peak_bytes = 0;
  double scratch_bytes = 0;  // the most at a time
};

// Predicted costs of a run.
struct RunCosts {
  double cpu_seconds = 0;     // seconds of all threads together
  double sketch_seconds = 0;  // for reading all rows and making signatures; 0: makes none
  std::uint64_t peak_bytes = 0;
  std::uint64_t scratch_bytes = 0;
  bool spills = false;  // its rows go to scratch
  std::array<PhaseCosts, kRunPhases.size()> phases = {};
};

// The processor that `cpu_seconds` speaks of computes md5 at this rate.
inline constexpr int kMegabytesOfMd5 = 430;

// From compiled-in constants, + - * / on doubles in one fixed order: every machine predicts the
// same. Of one worker; each other one takes some MB more.
[[nodiscard]] RunCosts run_costs(const RowSurvey& survey, const PlannedRun& run) noexcept;
// Nanoseconds that a run by lsh takes to read all rows and to make their signatures.
[[nodiscard]] double sketch_ns(const RowSurvey& survey, const PlannedRun& run) noexcept;

}  // namespace sosie
