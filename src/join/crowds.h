#pragma once

#include "candidates/crowd_filter.h"
#include "cluster/star.h"
#include "join/matcher.h"
#include "options/settings.h"

namespace sosie {

// Rule by which this run filters buckets with very many survivors.
[[nodiscard]] CrowdRule crowd_rule(const Settings& settings);
// The sets of the items that `matcher` holds, which must outlive the result.
[[nodiscard]] SetOfItem sets_of(Matcher& matcher);
// The filter as star clustering asks it; `filter` must outlive the result.
[[nodiscard]] CrowdSteps crowd_steps(CrowdFilter& filter);

}  // namespace sosie
