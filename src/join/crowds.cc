// Connects the filter of hot buckets with the steps of star clustering.
#include "join/crowds.h"

#include "core/memory_budget.h"

namespace sosie {

CrowdRule crowd_rule(const Settings& settings) {
  CrowdRule rule;
  rule.measure = settings.measure;
  rule.threshold = settings.threshold;
  rule.most_bytes = MemoryBudget{settings.memory_bytes}.crowds();
  return rule;
}

SetOfItem sets_of(Matcher& matcher) {
  return [&matcher](unsigned worker, Place item) { return matcher.set_of(worker, item); };
}

CrowdSteps crowd_steps(CrowdFilter& filter) {
  CrowdSteps steps;
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
