#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/scored_link.h"

namespace sosie {

// A next step that asks a person to judge pairs.
inline constexpr std::string_view kLabelStep =
    "--suggest 100 -o ask.csv writes pairs to label, for --labels ask.csv";

// The estimated quality of an answer, and reasons to distrust it.
struct LinkConfidence {
  std::optional<double> estimated_f1;
  std::vector<std::string> reasons;  // empty: none
  std::string next_step;             // the cheapest remedy for the reasons

  [[nodiscard]] bool is_low() const noexcept { return !reasons.empty(); }
};

// Share of the pairs that two lists have in common: twice their number, divided by the sum of the
// sizes of both lists; 1 if both are empty. The lists must be sorted and free of duplicates.
[[nodiscard]] double agreement_of(std::span<const RecordPair> a, std::span<const RecordPair> b);

// Share of the pairs of records in the same group that two answers have in common, given the first
// record of each record's group in both answers.
[[nodiscard]] double agreement_of_groups(std::span<const std::uint32_t> a,
                                         std::span<const std::uint32_t> b);

}  // namespace sosie
