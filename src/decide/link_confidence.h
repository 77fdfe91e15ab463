#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/scored_link.h"

namespace sosie {

// A next step that asks a person about pairs.
inline constexpr std::string_view kLabelStep =
    "--suggest 100 -o ask.csv writes pairs to label, for --labels ask.csv";

// Estimated quality of an answer, and the reasons to distrust it.
struct LinkConfidence {
  std::optional<double> estimated_f1;
  std::vector<std::string> reasons;  // empty: none
  std::string next_step;             // the cheapest remedy for the reasons

  [[nodiscard]] bool is_low() const noexcept { return !reasons.empty(); }
};

// Share of common pairs of two lists: twice their number over the sizes of both, 1 if both are
// empty. The lists are sorted, without repetitions.
[[nodiscard]] double agreement_of(std::span<const RecordPair> a, std::span<const RecordPair> b);

// Likewise for the pairs of records in the same group, given the first record of each record's
// group.
[[nodiscard]] double agreement_of_groups(std::span<const std::uint32_t> a,
                                         std::span<const std::uint32_t> b);

}  // namespace sosie
