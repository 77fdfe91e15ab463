#pragma once

#include <string>

#include "pipeline/planning/sampling.h"

namespace sosie {

// How a run on sets finds candidates.
struct MethodChoice {
  bool brute = false;
  bool exact = false;   // by the prefix index
  BandingPlan banding;  // when neither

  [[nodiscard]] bool finds_every_pair() const noexcept { return brute || exact; }
  [[nodiscard]] std::string_view name() const noexcept {
    return exact ? "exact" : brute ? "brute" : "lsh";
  }
};

// Whether --method auto is left to choose: nothing else in the options says what to do.
[[nodiscard]] bool is_method_open(const Options& options, const Settings& settings) noexcept;

// The method that is predicted to cost least; of equal ones brute, then exact.
[[nodiscard]] MethodChoice cheapest_method(const SetCosts& costs,
                                           const BandingPlan& banding) noexcept;

// What a verb is for: `dedup` leaves survivors, all others list every pair.
[[nodiscard]] JoinUse use_of(std::string_view verb) noexcept;

// The method of a run. Depends on its rows, options and seed only: never on memory, threads or the
// machine.
[[nodiscard]] MethodChoice choose_method(std::string_view verb, const Options& options,
                                         const Settings& settings, const Inputs& inputs,
                                         ThreadPool& pool, const std::atomic<bool>* cancel);

}  // namespace sosie
