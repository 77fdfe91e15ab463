#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "data/scored_link.h"

namespace sosie {

// Likely pairs by which copies are told from kin, who differ from each other in two fields
// together.
struct KinPairs {
  std::span<const PatternPair> pairs;  // all that may match
  std::uint32_t numbers = 0;           // records are below
  std::uint32_t left = 0;              // two collections: records below are of the left one
  bool left_has_one = false;           // two collections: left records have one partner at most
  bool right_has_one = false;
  std::span<const double> odds = {};  // odds of a match, by pattern
  // By pattern: another field than those in which kin differ is near, not equal; empty: not asked.
  std::vector<bool> have_slips = {};
  // Probability that a pair matches, where pairs compete for partners.
  std::function<double(const PatternPair&)> match = {};
};

// Answer of likely pairs about those among them that may be of kin.
struct KinEvidence {
  // Part of the records that surely have a partner which have likely kin, over that part of the
  // other records; of two collections on the side where it is larger. Kin are as frequent beside a
  // partner as elsewhere. If what looks like kin are copies of people who moved it is small, as
  // most records have one copy at most. Nothing where too few are expected to tell.
  std::optional<double> share;
  // One collection: part of the records with kin that have several, and likewise of surely matching
  // records. People who moved are no more numerous than other copies.
  double several_kin = 0;
  double several_copies = 0;
  // Parts of likely kin and of sure copies that have slips. What members of a household share is
  // often written once; copies have slips of their own.
  double slips_of_kin = 0;
  double slips_of_copies = 0;

  // Nothing but kin explains them.
  [[nodiscard]] bool is_sure() const noexcept;
  // Kin have clearly fewer slips than copies.
  [[nodiscard]] bool share_what_is_written() const noexcept;
  // True unless records with a partner seldom have kin.
  [[nodiscard]] bool allows_kin(double least_share) const noexcept {
    return !share || *share >= least_share;
  }
};

// `are_kin`: by pattern. Of two collections records that have one partner at most count, and their
// kin that are still free.
[[nodiscard]] KinEvidence kin_evidence(const KinPairs& task, const std::vector<bool>& are_kin);

}  // namespace sosie
