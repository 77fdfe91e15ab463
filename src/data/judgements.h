#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "data/scored_link.h"

namespace sosie {

// A pair of records and a person's answer to whether they match.
struct Judgement {
  RecordPair pair;
  bool is_match = false;
};

// A person's judgements on pairs of records.
struct Judgements {
  std::vector<Judgement> pairs = {};  // sorted by (left, right), without duplicates
  // For each record, the number of the group in which a person put it, starting with 1, or 0 if it
  // is in none. Records in the same group match; records in different groups do not. Empty: no
  // record is in a group.
  std::vector<std::uint32_t> groups = {};

  [[nodiscard]] bool is_empty() const noexcept { return pairs.empty() && groups.empty(); }

  // The judgement on a pair, if there is one. A judgement on the pair itself takes precedence over
  // groups.
  [[nodiscard]] std::optional<bool> verdict(const RecordPair& pair) const {
    const auto found = std::partition_point(
        pairs.begin(), pairs.end(), [&](const Judgement& known) { return known.pair < pair; });
    if (found != pairs.end() && found->pair == pair) return found->is_match;
    if (groups.empty() || groups[pair.left] == 0 || groups[pair.right] == 0) return std::nullopt;
    return groups[pair.left] == groups[pair.right];
  }
};

}  // namespace sosie
