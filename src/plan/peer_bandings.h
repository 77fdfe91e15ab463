#pragma once

#include <array>
#include <string_view>

namespace sosie {

struct NamedBanding {
  std::string_view name;
  int bands;
  int rows;
};

// What well-known deduplicators run with for J near .8, to be compared with a plan: the default of
// datasketch's MinHashLSH(threshold=0.8), and the published recipes of three web corpora. A pair
// at .8 is found with 40, 92, 68, 90 and 20 %.
inline constexpr std::array<NamedBanding, 5> kPeerBandings{{{"datasketch", 9, 13},
                                                            {"FineWeb", 14, 8},
                                                            {"NeMo Curator", 20, 13},
                                                            {"DCLM", 26, 11},
                                                            {"8x16", 8, 16}}};

}  // namespace sosie
