#pragma once

#include <array>
#include <string_view>

namespace sosie {

struct NamedBanding {
  std::string_view name;
  int bands;
  int rows;
};

// Bandings that well-known deduplicators use regardless of the threshold, for comparison with a
// plan: the published recipes of three web corpora, for J near 0.8, and 8x16. They find a pair at
// 0.8 with probability 92, 68, 90 and 20 %.
inline constexpr std::array<NamedBanding, 4> kPeerBandings{
    {{"FineWeb", 14, 8}, {"NeMo Curator", 20, 13}, {"DCLM", 26, 11}, {"8x16", 8, 16}}};

// The banding of datasketch's MinHashLSH(threshold, num_perm=128): the bands and rows with the
// smallest error area, both kinds weighted equally.
[[nodiscard]] NamedBanding datasketch_banding(double threshold) noexcept;

}  // namespace sosie
