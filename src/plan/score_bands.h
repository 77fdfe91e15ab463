#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/link_cut.h"

namespace sosie {

// Links of neighbouring scores, and the estimated part of them that is true with a 95 % interval.
struct ScoreBand {
  double high = 0;  // scores of the first and of the last link
  double low = 0;
  std::uint64_t links = 0;
  double true_part = 0;
  double least = 0;  // ends of the interval
  double most = 1;
};

// Least number of scores in a band, when there are so many: 30, in small lists a thirtieth of them
// and at least 10.
[[nodiscard]] std::size_t band_size(std::size_t scores) noexcept;

// Ends of bands in a list of descending scores: each band has at least band_size() scores but for
// the only one, and equal scores share a band. O(scores).
[[nodiscard]] std::vector<std::size_t> band_ends(std::span<const double> scores);

// The falling sequence nearest to `values` by squared differences times `weights` (> 0), in place.
// O(values). Source: Ayer et al. 1955 (pool adjacent violators).
void fit_falling(std::span<double> values, std::span<const double> weights);

// Estimated parts of all bands: fitted as a falling sequence, then clamped to [0, 1].
void fit_true_parts(std::span<double> parts, std::span<const double> weights);

// Neighbouring bands of equal true parts and intervals as one, for display.
[[nodiscard]] std::vector<ScoreBand> joined_bands(std::span<const ScoreBand> bands);

// Quality of a list of links, estimated without labels.
struct LinkEstimate {
  double matches = 0;            // true links among all of the list
  LinkCut cut;                   // the cut of the largest estimated F1
  std::vector<ScoreBand> bands;  // by descending score
};

// The estimate when every link is true with the part of its band. Each band is listed, with an
// interval of no width. `ends`: band_ends(scores). O(scores).
[[nodiscard]] LinkEstimate estimate_of_bands(std::span<const double> scores,
                                             std::span<const std::size_t> ends,
                                             std::span<const double> true_parts);

}  // namespace sosie
