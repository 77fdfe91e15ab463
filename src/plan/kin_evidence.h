#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sosie {

// A pair that, by its own odds, is more likely to match than not.
struct LikelyPair {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t pattern = 0;
  bool is_sure = false;  // a match even if pairs compete for partners
};

// Likely pairs, used to distinguish copies from kin, who differ from each other in two fields
// together or in one field.
struct KinPairs {
  std::vector<LikelyPair> pairs = {};
  std::uint32_t numbers = 0;  // records are below
  std::uint32_t left = 0;     // two collections: records below this are in the left one
  bool left_has_one = false;  // two collections: left records have at most one partner
  bool right_has_one = false;
};

// Minimum probability of a certain match.
inline constexpr double kSureCopy = 0.9;

// Evidence on whether some of the likely pairs are kin.
struct KinEvidence {
  // Share of records with likely kin among records that certainly have a partner, divided by the
  // same share among all other records; for two collections, on the side where it is larger.
  // Records with a partner have kin as often as others do. If the apparent kin are in fact copies
  // of people who moved, the ratio is small, because most records have at most one copy. Empty if
  // too few records are expected for a decision.
  std::optional<double> share;
  // One collection: among records with kin, the share that has several; and the same share for
  // certain matches. People who moved do not have more copies than others do.
  double several_kin = 0;
  double several_copies = 0;
  // Shares of likely kin and of certain copies that contain typos. Values that a household shares
  // are often written only once, whereas each copy has its own typos.
  double slips_of_kin = 0;
  double slips_of_copies = 0;

  // True if only kin can explain the pairs.
  [[nodiscard]] bool is_sure() const noexcept;
  // True if kin have clearly fewer typos than copies.
  [[nodiscard]] bool share_what_is_written() const noexcept;
  // True unless records with a partner rarely have kin.
  [[nodiscard]] bool allows_kin(double least_share) const noexcept {
    return !share || *share >= least_share;
  }
};

// `are_kin`: by pattern. `have_slips`: by pattern, true if a field other than the fields in which
// kin differ is near but not equal; empty if not needed. With two collections, records that have at
// most one partner are counted, together with any of their kin that are still unassigned. O(pairs +
// records).
[[nodiscard]] KinEvidence kin_evidence(const KinPairs& task, const std::vector<bool>& are_kin,
                                       const std::vector<bool>& have_slips = {});

}  // namespace sosie
