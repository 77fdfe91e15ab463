#pragma once

#include <limits>
#include <optional>
#include <string>

#include "corpus/rows/row_sample.h"
#include "data/method_name.h"
#include "join/sets/small_side.h"

namespace sosie {

// The method by which a run on sets finds candidates.
struct MethodChoice {
  bool brute = false;
  bool exact = false;    // by the prefix index
  bool cascade = false;  // by Settings::cascade
  BandingPlan banding;   // if neither of these
  // False candidates if lsh was requested and planned here: the number of pairs in the sample that
  // are below the threshold and can be expected to share a band, and their share of all pairs.
  double false_candidates = 0;
  double false_part = 0;
  // Maximum number of elements for which auto may choose an exact join; if there are more, it
  // chooses lsh.
  std::uint64_t most_elements = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] bool finds_every_pair() const noexcept { return brute || exact; }
  // True if sets are hashed with a banding of minhashes.
  [[nodiscard]] bool uses_banding() const noexcept { return !finds_every_pair() && !cascade; }
  [[nodiscard]] Method method() const noexcept {
    return exact ? Method::exact : brute ? Method::brute : Method::lsh;
  }
  [[nodiscard]] std::string_view name() const noexcept { return method_name(method()); }
};

// True if --method auto may choose freely, because no other option determines the method.
[[nodiscard]] bool is_method_open(const Options& options, const Settings& settings) noexcept;

// The method with the lowest predicted cost (ties: brute, then exact). `lsh`: nullopt if no banding
// is possible; costs.lsh is then infinite.
[[nodiscard]] MethodChoice cheapest_method(const SetCosts& costs,
                                           const std::optional<BandingPlan>& lsh) noexcept;

// Use of a join by a verb: `dedup` keeps survivors, all others list every pair.
[[nodiscard]] JoinUse use_of(VerbBit verb) noexcept;

// A run whose method is to be chosen.
struct MethodTask {
  VerbBit verb;
  const Options& options;
  const Settings& settings;
  const Inputs& inputs;
  const SmallSide* small_side = nullptr;
};

// Chooses the method of a run. The choice depends only on its rows, options and seed, never on
// memory, threads or the machine.
[[nodiscard]] MethodChoice scan_and_choose_method(const MethodTask& task, ThreadPool& pool,
                                                  const std::atomic<bool>* cancel);

}  // namespace sosie
