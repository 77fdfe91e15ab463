#pragma once

#include <array>
#include <string_view>

namespace sosie {

struct NamedBanding {
  std::string_view name;
  int bands;
  int rows;
};

// Bandings used by well-known deduplicators, whatever the threshold, for comparison with a plan:
// the published recipes of three web corpora, for J near 0.8, and 8x16. A pair at 0.8 is found with
// probability 92, 68, 90 and 20 %.
inline constexpr std::array<NamedBanding, 4> kPeerBandings{
    {{"FineWeb", 14, 8}, {"NeMo Curator", 20, 13}, {"DCLM", 26, 11}, {"8x16", 8, 16}}};

// Banding of datasketch's MinHashLSH(threshold, num_perm=128): the bands and rows with the smallest
// area of errors, with equal weights for both kinds.
[[nodiscard]] NamedBanding datasketch_banding(double threshold) noexcept;

}  // namespace sosie
