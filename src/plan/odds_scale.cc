// Scales the odds of a model to labelled pairs.
#include "plan/odds_scale.h"

#include <algorithm>
#include <array>

namespace sosie {
namespace {

constexpr double kSlips = 0.01;  // judgements that are slips
constexpr std::array kSlopes = {1.0, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 1.2, 1.4};

// Odds of a judged pair and of the pairs that compete with it, for one slope.
struct BentOdds {
  double odds;
  double rivals;
  bool is_match;
};

double sum_of_odds(std::span<const double> bits, double slope) {
  double sum = 0;
  for (const double of : bits) sum += power_of_two(slope * of);
  return sum;
}

std::vector<BentOdds> bent(std::span<const JudgedOdds> judged, double slope) {
  std::vector<BentOdds> all;
  all.reserve(judged.size());
  for (const JudgedOdds& pair : judged) {
    const double odds = power_of_two(slope * pair.odds);
    const double rivals =
        std::max(sum_of_odds(pair.of_left, slope), sum_of_odds(pair.of_right, slope));
    all.push_back({odds, std::max(odds, rivals), pair.is_match});
  }
  return all;
}

double loss_of(std::span<const BentOdds> judged, const OddsScale& scale) {
  constexpr double kShifts = 3;  // standard deviations
  constexpr double kSlopes2 = 0.5;
  const double factor = power_of_two(scale.shift);
  const double bend = log2_of(scale.slope) / kSlopes2;
  double loss = scale.shift * scale.shift / (2 * kShifts * kShifts) + bend * bend / 2;
  for (const BentOdds& pair : judged) {
    const double match = factor * pair.odds / (1 + factor * pair.rivals);
    const double said = pair.is_match ? match : 1 - match;
    loss -= log2_of(kSlips + (1 - 2 * kSlips) * said);
  }
  return loss;
}

}  // namespace

FittedOdds fit_odds_scale(std::span<const JudgedOdds> judged, bool may_bend) {
  constexpr int kFurthest = 16;  // bits on either side
  constexpr int kSteps = 4;      // a bit
  FittedOdds best{{}, loss_of(bent(judged, 1), {})};
  for (const double slope : kSlopes) {
    if (slope != 1 && !may_bend) continue;
    const std::vector<BentOdds> odds = bent(judged, slope);
    for (int step = -kFurthest * kSteps; step <= kFurthest * kSteps; ++step) {
      const OddsScale scale{static_cast<double>(step) / kSteps, slope};
      const double loss = loss_of(odds, scale);
      if (loss < best.loss) best = {scale, loss};
    }
  }
  return best;
}

}  // namespace sosie
