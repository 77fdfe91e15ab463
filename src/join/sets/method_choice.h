#pragma once

#include <limits>
#include <optional>
#include <string>

#include "corpus/rows/row_sample.h"

namespace sosie {

// Method by which a run on sets finds candidates.
struct MethodChoice {
  bool brute = false;
  bool exact = false;    // by the prefix index
  bool cascade = false;  // by Settings::cascade
  BandingPlan banding;   // when none of them
  // False candidates of an lsh that was asked for and planned here: pairs below the threshold that
  // are expected to share a band, in the sample, and their part of all.
  double false_candidates = 0;
  double false_part = 0;
  // Most elements for an exact join that auto chose: with more, lsh is taken after all.
  std::uint64_t most_elements = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] bool finds_every_pair() const noexcept { return brute || exact; }
  // True if sets are hashed by a banding of minhashes.
  [[nodiscard]] bool uses_banding() const noexcept { return !finds_every_pair() && !cascade; }
  [[nodiscard]] std::string_view name() const noexcept {
    return exact ? "exact" : brute ? "brute" : "lsh";
  }
};

// True if --method auto is left to choose: no other option fixes the method.
[[nodiscard]] bool is_method_open(const Options& options, const Settings& settings) noexcept;

// The method that is predicted to cost least; of equal ones brute, then exact. `lsh`: nothing where
// no banding will do; then costs.lsh is infinite.
[[nodiscard]] MethodChoice cheapest_method(const SetCosts& costs,
                                           const std::optional<BandingPlan>& lsh) noexcept;

// Use that a verb makes of a join: `dedup` leaves survivors, all others list every pair.
[[nodiscard]] JoinUse use_of(std::string_view verb) noexcept;

// The method of a run. Depends on its rows, options and seed only: never on memory, threads or the
// machine.
[[nodiscard]] MethodChoice scan_and_choose_method(std::string_view verb, const Options& options,
                                                  const Settings& settings, const Inputs& inputs,
                                                  ThreadPool& pool,
                                                  const std::atomic<bool>* cancel);

}  // namespace sosie
