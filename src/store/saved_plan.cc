// Plans as runs save them.
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

SavedPlan saved_plan(const Options& options, const ItemBound& bound, const LshPlan& plan,
                     std::uint64_t bits) {
  SavedPlan saved;
  saved.measure = bound.facts.measure;
  saved.kind = options.kind;
  saved.threshold = bound.bound;
  saved.recall = options.recall;
  saved.seed = options.seed;
  saved.hashed = {.family = std::string(plan.family->name),
                  .is_similarity = bound.facts.is_similarity,
                  .bits = bits,
                  .bands = plan.bands,
                  .rows = plan.rows,
                  .segment = plan.segment,
                  .probes = plan.cells,
                  .sketch_bits = plan.sketch_bits,
                  .most_different = plan.most_different};
  return saved;
}

}  // namespace sosie
