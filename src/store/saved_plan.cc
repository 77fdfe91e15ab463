#include "store/saved_plan.h"

namespace sosie {

SavedPlan saved_plan(const Options& options, const Settings& settings, const BandingPlan& banding) {
  return {.measure = options.measure,
          .shingle = shingle_name(settings.shingle),
          .tokens = options.tokens,
          .sketch = options.sketch,
          .threshold = settings.threshold,
          .recall = options.recall,
          .seed = settings.seed,
          .banding = banding};
}

}  // namespace sosie
