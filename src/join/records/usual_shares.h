#pragma once

#include <vector>

#include "options/link_rules.h"

namespace sosie {

// Shares of the levels of a field among matches before any data are seen, by level (level 0 is
// not used): mostly equal, the rest near. `random`: shares among random pairs, to which the ratio
// does not fall with the level.
[[nodiscard]] std::vector<double> usual_shares(const LinkField& field,
                                               const std::vector<double>& random);

}  // namespace sosie
