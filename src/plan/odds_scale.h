#pragma once

#include <span>
#include <vector>

#include "plan/match_model.h"

namespace sosie {

// A judged pair: the model's odds for it and for the pairs that compete with it, and a person's
// judgement. Odds are given as logarithms, in bits.
struct JudgedOdds {
  double odds = 0;
  std::vector<double> of_left = {};   // pairs of its left record, itself among them; empty: it may
  std::vector<double> of_right = {};  // have several partners
  bool is_match = false;
};

// A scale of odds, and how many bits the judgements cost under it.
struct FittedOdds {
  OddsScale scale = {};
  double loss = 0;
};

// The scale under which the judgements are most likely, with normal priors centred at no change:
// the deviation is 3 bits for the shift and a half for the logarithm of the slope. One judgement in
// a hundred counts as an error, so that a single judgement cannot outweigh many. Selecting pairs
// for judgement by their values does not change the scale on average. `may_bend`: if false, the
// slope stays 1. O(pairs).
[[nodiscard]] FittedOdds fit_odds_scale(std::span<const JudgedOdds> judged, bool may_bend);

}  // namespace sosie
