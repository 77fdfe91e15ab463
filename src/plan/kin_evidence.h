#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sosie {

// A pair more likely to match than not by its own odds.
struct LikelyPair {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t pattern = 0;
  bool is_sure = false;  // a match even if pairs compete for partners
};

// Likely pairs from which copies are distinguished from kin, who differ from each other in two
// fields together or in one.
struct KinPairs {
  std::vector<LikelyPair> pairs = {};
  std::uint32_t numbers = 0;  // records are below
  std::uint32_t left = 0;     // two collections: records below this are in the left one
  bool left_has_one = false;  // two collections: left records have at most one partner
  bool right_has_one = false;
};

// Minimum probability of a certain match.
inline constexpr double kSureCopy = 0.9;

// Evidence from likely pairs on those among them that may be kin.
struct KinEvidence {
  // Share of records with likely kin among those that certainly have a partner, divided by that
  // share among other records; for two collections on the side where it is larger. Records with a
  // partner have kin as often as others. If apparent kin are copies of people who moved, the ratio
  // is small, because most records have at most one copy. Empty if too few are expected for a
  // decision.
  std::optional<double> share;
  // One collection: share of the records with kin that have several, and likewise for certainly
  // matching records. People who moved are not more numerous than other copies.
  double several_kin = 0;
  double several_copies = 0;
  // Shares of likely kin and of certain copies that have typos. Values shared by a household are
  // often written once; copies have typos of their own.
  double slips_of_kin = 0;
  double slips_of_copies = 0;

  // True if only kin explains them.
  [[nodiscard]] bool is_sure() const noexcept;
  // True if kin have clearly fewer typos than copies.
  [[nodiscard]] bool share_what_is_written() const noexcept;
  // True unless records with a partner rarely have kin.
  [[nodiscard]] bool allows_kin(double least_share) const noexcept {
    return !share || *share >= least_share;
  }
};

// `are_kin`: by pattern. `have_slips`: by pattern, true if a field other than those in which kin
// differ is near but not equal; empty: not needed. With two collections, records that have at most
// one partner count, and their kin that are still unassigned. O(pairs + records).
[[nodiscard]] KinEvidence kin_evidence(const KinPairs& task, const std::vector<bool>& are_kin,
                                       const std::vector<bool>& have_slips = {});

}  // namespace sosie
