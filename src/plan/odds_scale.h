#pragma once

#include <span>
#include <vector>

#include "plan/match_model.h"

namespace sosie {

// A judged pair: what a model says of it and of the pairs that compete with it, and what a person
// says. Logarithms of odds, in bits.
struct JudgedOdds {
  double odds = 0;
  std::vector<double> of_left = {};   // pairs of its left record, itself among them; empty: it may
  std::vector<double> of_right = {};  // have several partners
  bool is_match = false;
};

// A scale of odds, and the bits that judgements cost then.
struct FittedOdds {
  OddsScale scale = {};
  double loss = 0;
};

// The scale under which the judgements are likeliest, beside normal laws around no change: of the
// shift with a deviation of 3 bits, of the logarithm of the slope with one of a half. One judgement
// in a hundred counts as a slip, so none outweighs many. Whichever pairs were chosen to be judged
// by their values, the scale is the same on average. `may_bend`: false keeps a slope of 1.
// O(pairs).
[[nodiscard]] FittedOdds fit_odds_scale(std::span<const JudgedOdds> judged, bool may_bend);

}  // namespace sosie
