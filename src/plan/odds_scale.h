#pragma once

#include <span>
#include <vector>

#include "plan/match_model.h"

namespace sosie {

// A judged pair: the model's odds of it and of the pairs that compete with it, and the judgement of
// a person. Logarithms of odds, in bits.
struct JudgedOdds {
  double odds = 0;
  std::vector<double> of_left = {};   // pairs of its left record, itself among them; empty: it may
  std::vector<double> of_right = {};  // have several partners
  bool is_match = false;
};

// A scale of odds, and the cost in bits of the judgements under it.
struct FittedOdds {
  OddsScale scale = {};
  double loss = 0;
};

// The scale under which the judgements are most likely, with normal priors centred at no change:
// for the shift with a deviation of 3 bits, for the logarithm of the slope with one of a half. One
// judgement in a hundred counts as an error, so a single one cannot outweigh many. Selecting pairs
// for judgement by their values does not change the scale on average. `may_bend`: false keeps the
// slope at 1. O(pairs).
[[nodiscard]] FittedOdds fit_odds_scale(std::span<const JudgedOdds> judged, bool may_bend);

}  // namespace sosie
