#pragma once

#include "candidates/hot_bucket_filter.h"
#include "cluster/star.h"
#include "join/sets/matcher.h"
#include "options/settings.h"

namespace sosie {

// Rule by which this run filters buckets with very many survivors.
[[nodiscard]] HotBucketRule hot_bucket_rule(const Settings& settings);
// The sets of the items that `matcher` holds, which must outlive the result.
[[nodiscard]] SetOfItem sets_of(Matcher& matcher);
// The filter as star clustering asks it; `filter` must outlive the result.
[[nodiscard]] HotBucketSteps hot_bucket_steps(HotBucketFilter& filter);

}  // namespace sosie
