#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sosie {

// A pair that is likelier a match than not by its odds alone.
struct LikelyPair {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t pattern = 0;
  bool is_sure = false;  // a match also where pairs compete for partners
};

// Likely pairs by which copies are told from kin, who differ from each other in two fields together
// or in one.
struct KinPairs {
  std::vector<LikelyPair> pairs = {};
  std::uint32_t numbers = 0;  // records are below
  std::uint32_t left = 0;     // two collections: records below are of the left one
  bool left_has_one = false;  // two collections: left records have one partner at most
  bool right_has_one = false;
};

// Probability from which on a match is sure.
inline constexpr double kSureCopy = 0.9;

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

// `are_kin`: by pattern. `have_slips`: by pattern whether another field than those in which kin
// differ is near, not equal; empty: not asked. Of two collections records that have one partner at
// most count, and their kin that are still free. O(pairs + records).
[[nodiscard]] KinEvidence kin_evidence(const KinPairs& task, const std::vector<bool>& are_kin,
                                       const std::vector<bool>& have_slips = {});

}  // namespace sosie
