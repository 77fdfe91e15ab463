// Connects the filter of hot buckets with the steps of star clustering.
#include "join/sets/hot_buckets.h"

#include "core/memory_budget.h"

namespace sosie {

HotBucketRule hot_bucket_rule(const Settings& settings) {
  HotBucketRule rule;
  rule.measure = settings.measure;
  rule.threshold = settings.threshold;
  rule.most_bytes = MemoryBudget{settings.memory_bytes}.hot_buckets();
  return rule;
}

SetOfItem sets_of(Matcher& matcher) {
  return [&matcher](unsigned worker, Place item) { return matcher.set_of(worker, item); };
}

HotBucketSteps hot_bucket_steps(HotBucketFilter& filter) {
  HotBucketSteps steps;
  steps.most_survivors = filter.most_survivors();
  steps.begin_batch = [&filter](Place begin, Place end) { filter.begin_batch(begin, end); };
  steps.prepare = [&filter](unsigned worker, Place item) { filter.prepare(worker, item); };
  steps.list_earlier = [&filter](unsigned worker, Place item, std::vector<Place>& candidates) {
    filter.list_earlier(worker, item, candidates);
  };
  steps.list_latest = [&filter](Place item, std::vector<Place>& candidates) {
    filter.list_latest(item, candidates);
  };
  steps.add = [&filter](Place item) { filter.add(item); };
  steps.end_batch = [&filter](std::span<const Place> newcomers) {
    filter.end_batch(newcomers);
    return filter.is_open();
  };
  return steps;
}

}  // namespace sosie
