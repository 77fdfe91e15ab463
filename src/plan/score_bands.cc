// Bands of links by descending score, and a monotone fit of estimates in them.
#include "plan/score_bands.h"

#include <algorithm>

namespace sosie {

std::size_t band_size(std::size_t scores) noexcept {
  return std::clamp<std::size_t>(scores / 30, 10, 30);
}

std::vector<std::size_t> band_ends(std::span<const double> scores) {
  const std::size_t size = band_size(scores.size());
  std::vector<std::size_t> ends;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < scores.size(); ++i) {
    if (i - begin < size || scores[i] == scores[i - 1]) continue;
    ends.push_back(i);
    begin = i;
  }
  // The rest is too small for a band of its own.
  if (scores.size() - begin < size && !ends.empty()) ends.pop_back();
  if (!scores.empty()) ends.push_back(scores.size());
  return ends;
}

void fit_falling(std::span<double> values, std::span<const double> weights) {
  struct Block {
    double mean;
    double weight;
    std::size_t end;
  };
  std::vector<Block> blocks;
  blocks.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    Block block{values[i], weights[i], i + 1};
    while (!blocks.empty() && blocks.back().mean <= block.mean) {
      const Block& before = blocks.back();
      const double weight = before.weight + block.weight;
      block.mean = (before.mean * before.weight + block.mean * block.weight) / weight;
      block.weight = weight;
      blocks.pop_back();
    }
    blocks.push_back(block);
  }
  std::size_t begin = 0;
  for (const Block& block : blocks) {
    for (; begin < block.end; ++begin) values[begin] = block.mean;
  }
}

void fit_true_parts(std::span<double> parts, std::span<const double> weights) {
  fit_falling(parts, weights);
  for (double& part : parts) part = std::clamp(part, 0.0, 1.0);
}

LinkEstimate estimate_of_bands(std::span<const double> scores, std::span<const std::size_t> ends,
                               std::span<const double> true_parts) {
  LinkEstimate estimate;
  std::vector<JudgedScore> judged;
  judged.reserve(scores.size());
  for (std::size_t band = 0; band < ends.size(); ++band) {
    const std::size_t begin = judged.size();
    const double part = true_parts[band];
    estimate.bands.push_back(
        {scores[begin], scores[ends[band] - 1], ends[band] - begin, part, part, part});
    while (judged.size() < ends[band]) judged.push_back({scores[judged.size()], part});
  }
  estimate.matches = sum_of_matches(judged);
  estimate.cut = choose_cut(judged, estimate.matches);
  return estimate;
}

std::vector<ScoreBand> joined_bands(std::span<const ScoreBand> bands) {
  std::vector<ScoreBand> joined;
  for (const ScoreBand& band : bands) {
    if (!joined.empty() && joined.back().true_part == band.true_part &&
        joined.back().least == band.least && joined.back().most == band.most) {
      joined.back().low = band.low;
      joined.back().links += band.links;
    } else {
      joined.push_back(band);
    }
  }
  return joined;
}

}  // namespace sosie
